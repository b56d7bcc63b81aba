#include "loaders/scene/motion/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "loaders/scene/motion/extrapolation.hpp"
#include "loaders/scene/motion/interpolation.hpp"
#include "loaders/scene/motion/matrix.hpp"

namespace vitrine::scene {
namespace {

glm::quat as_quat(const float* v)
{
    return glm::quat(v[3], v[0], v[1], v[2]);
}

// Quaternions that validate() accepts are not changed; others are normalized.
glm::quat near_unit(const glm::quat& q)
{
    return std::abs(glm::length(q) - 1.0f) <= 1e-3f ? q : safe_normalize(q);
}

void store(const glm::quat& q, std::span<float> out)
{
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

QuaternionOf<double> as_doubles(const glm::quat& q)
{
    return {double{q.x}, double{q.y}, double{q.z}, double{q.w}};
}

glm::quat slerp(const glm::quat& from, const glm::quat& to, double t)
{
    const auto q = slerp_shortest(as_doubles(near_unit(from)), as_doubles(near_unit(to)), t);
    return {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y),
            static_cast<float>(q.z)};
}

// glTF 2.0, appendix C.3: tangents are per second and scaled by the interval between the keys.
void hermite(const float* from, const float* to, const KeyPosition& at, std::span<float> out)
{
    const std::size_t n = out.size();
    const double t = at.fraction;
    const double t2 = t * t;
    const double t3 = t2 * t;
    for (std::size_t i = 0; i < n; ++i) {
        const double value0 = from[n + i];
        const double out_tangent0 = from[2 * n + i];
        const double in_tangent1 = to[i];
        const double value1 = to[n + i];
        out[i] =
            static_cast<float>((2 * t3 - 3 * t2 + 1) * value0 + at.span * (t3 - 2 * t2 + t) * out_tangent0 +
                               (3 * t2 - 2 * t3) * value1 + at.span * (t3 - t2) * in_tangent1);
    }
}

void linear(Path path, const float* from, const float* to, double t, std::span<float> out)
{
    if (path == Path::rotation) return store(slerp(as_quat(from), as_quat(to), t), out);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<float>((1.0 - t) * double{from[i]} + t * double{to[i]});
}

// Returns the frame number at a key; 0 for NaN.
std::uint32_t frame_of(const Channel& channel, std::size_t key, std::uint32_t count)
{
    const std::size_t place = channel.interpolation == Interpolation::cubic ? 3 * key + 1 : key;
    const float value = channel.values[place];
    if (!(value > 0.0f) || count == 0) return 0;
    return static_cast<std::uint32_t>(std::round(std::min(double{value}, count - 1.0)));
}

// Allows for the rounding of the key's time to float.
bool is_at_key(double time, float key)
{
    return std::abs(time - double{key}) <=
           4.0 * double{std::numeric_limits<float>::epsilon()} * std::abs(double{key});
}

} // namespace

FrameBlend sample_frames(const Channel& channel, double time, std::uint32_t count, ExtrapolationPolicy policy)
{
    const bool step = channel.interpolation == Interpolation::step;
    if (policy == ExtrapolationPolicy::extrapolated) time = wrap_time(channel, time).time;
    const KeyPosition at = find_keys(channel.times, channel.interpolation, time);
    const std::uint32_t from = frame_of(channel, at.key, count);
    if (!at.between || step || is_at_key(time, channel.times[at.key])) return {from, from, 0.0f};
    const std::uint32_t to = frame_of(channel, at.key + 1, count);
    if (is_at_key(time, channel.times[at.key + 1])) return {to, to, 0.0f};
    return {from, to, static_cast<float>(at.fraction)};
}

std::size_t components(const Scene& scene, Path path, const Node& node)
{
    const Mesh* mesh = node.mesh < scene.meshes.size() ? &scene.meshes[node.mesh] : nullptr;
    switch (path) {
    case Path::translation:
    case Path::scale: return 3;
    case Path::rotation: return 4;
    case Path::weights: return mesh ? mesh->morph_targets.size() : 0;
    case Path::vertex_frame: return mesh && mesh->frames.count > 0 ? 1 : 0;
    }
    return 0;
}

std::span<const float> default_weights(const Scene& scene, const Node& node)
{
    if (node.mesh == none) return {};
    return node.morph_weights.empty() ? scene.meshes[node.mesh].morph_weights : node.morph_weights;
}

void sample_transform(const Channel& channel, double time, ExtrapolationPolicy policy, Trs& local)
{
    std::array<float, 4> v{};
    if (channel.path == Path::rotation) {
        sample_channel(channel, time, v, policy);
        local.rotation = as_quat(v.data());
        return;
    }
    sample_channel(channel, time, std::span(v).first<3>(), policy);
    (channel.path == Path::translation ? local.translation : local.scale) = {v[0], v[1], v[2]};
}

void sample_clamped(const Channel& channel, double time, std::span<float> out)
{
    sample_at(channel, find_keys(channel.times, channel.interpolation, time), out);
}

void sample_at(const Channel& channel, const KeyPosition& at, std::span<float> out)
{
    const bool cubic = channel.interpolation == Interpolation::cubic;
    const std::size_t stride = out.size() * (cubic ? 3 : 1);
    const float* from = channel.values.data() + at.key * stride;
    if (!at.between || channel.interpolation == Interpolation::step)
        std::copy_n(from + (cubic ? out.size() : 0), out.size(), out.begin());
    else if (cubic)
        hermite(from, from + stride, at, out);
    else
        linear(channel.path, from, from + stride, at.fraction, out);
    if (channel.path != Path::rotation) return;
    // A spline leaves the unit sphere between its keys; step and linear stay as close to it as the keys.
    const glm::quat q = as_quat(out.data());
    store(cubic ? safe_normalize(q) : near_unit(q), out);
}

} // namespace vitrine::scene
