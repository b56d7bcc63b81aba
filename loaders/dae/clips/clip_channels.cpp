// Samples the animated values of a clip and writes them as channels.

#include "loaders/dae/clips/clips.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/dae/clips/channel_writer.hpp"
#include "loaders/dae/clips/sampling.hpp"
#include "loaders/dae/clips/tracks.hpp"

namespace vitrine::dae {
namespace {

constexpr double rotation_tolerance = 1e-4; // tolerance in radians
constexpr double relative_tolerance = 1e-5; // tolerance, relative to the largest translation or scale
constexpr double weight_tolerance = 1e-4;
constexpr double rounding_error = 2e-6;
constexpr double max_degrees_per_key = 90.0; // maximum rotation between two keys
constexpr std::uint32_t max_pieces = 1024;
constexpr std::size_t typical_weight_count = 1024; // upper limit for one mesh of typical files

double angle_between(const glm::dquat& a, const glm::dquat& b)
{
    const glm::dquat d = glm::conjugate(a) * b;
    return 2.0 * std::atan2(glm::length(glm::dvec3(d.x, d.y, d.z)), std::abs(d.w));
}

double largest(const glm::dvec3& v)
{
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

// Returns angle_between(a, b) <= most without computing the angle, because it runs for every sample.
bool within_angle(const glm::dquat& a, const glm::dquat& b, double tangent_of_half)
{
    const glm::dquat d = glm::conjugate(a) * b;
    return glm::length(glm::dvec3(d.x, d.y, d.z)) <= tangent_of_half * std::abs(d.w);
}

glm::dquat slerp(const glm::dquat& a, glm::dquat b, double t)
{
    if (glm::dot(a, b) < 0.0) b = -b;
    return glm::normalize(glm::slerp(a, b, t));
}

// Samples an animated value at keys dense enough for linear interpolation.
//
// Function: at(time, side) -> Value; differ(a, b): whether two values at one time differ; fits(a, b, t,
// value): whether linear interpolation from a to b gives `value` at t = 0 .. 1; pieces(from, to): the minimum
// number of parts of the interval. With `exact`, linear interpolation between those always fits.
template <class Value, class At, class Differ, class Fits, class Pieces>
class CurveSampler {
public:
    CurveSampler(At at, Differ differ, Fits fits, Pieces pieces, bool exact, std::uint64_t max_keys,
                 std::uint64_t lookup_cost, Sampling& sampling)
        : at_(at), differ_(differ), fits_(fits), pieces_(pieces), exact_(exact), max_keys_(max_keys),
          lookup_cost_(lookup_cost), sampling_(sampling), even_steps_(sampling.even_steps())
    {
    }

    // `times` are ascending. Two keys at one time are a jump. Stops after `max_keys` keys, and when the
    // sampling budget is exhausted, possibly before the first key.
    std::vector<ValueKey<Value>> run(std::span<const double> times)
    {
        refined_ = 4096 + 16 * times.size();
        follow(times);
        // A curve that needs too many keys: restart with even steps for all of it.
        if (even_steps_ == 0 && keys_.size() >= refined_ && keys_.size() > times.size()) {
            sampling_.set_coarse();
            even_steps_ = static_cast<std::uint32_t>(refined_ / times.size());
            keys_.clear();
            follow(times);
        }
        return std::move(keys_);
    }

private:
    static constexpr int max_depth = 12;

    void follow(std::span<const double> times)
    {
        for (std::size_t i = 0; i < times.size() && keys_.size() < max_keys_ && !sampling_.exhausted(); ++i) {
            const Value here = at_(times[i], JumpSide::after);
            if (i > 0) between(keys_.back().time, {times[i], at_(times[i], JumpSide::before)});
            if (i > 0 && differ_(keys_.back().value, here)) keys_.push_back({times[i], here});
            if (i == 0) keys_.push_back({times[i], here});
        }
    }

    Value look_up(double time)
    {
        sampling_.count_lookup(lookup_cost_);
        return at_(time, JumpSide::after);
    }

    std::uint32_t steps(double from, double to)
    {
        if (even_steps_ > 0) return exact_ ? std::clamp(pieces_(from, to), 1u, even_steps_) : even_steps_;
        return keys_.size() < refined_ ? std::max(1u, pieces_(from, to)) : 1u;
    }

    void between(double from, const ValueKey<Value>& to)
    {
        const std::uint32_t count = steps(from, to.time);
        for (std::uint32_t n = 1; n <= count; ++n) {
            const double time = from + (to.time - from) * n / count;
            const ValueKey<Value> next = n == count ? to : ValueKey<Value>{time, look_up(time)};
            refine(ValueKey<Value>(keys_.back()), next, 0); // a copy, because the vector grows
        }
    }

    bool may_refine(int depth) const
    {
        return !exact_ && even_steps_ == 0 && depth < max_depth && keys_.size() < refined_ &&
               !sampling_.exhausted();
    }

    void refine(const ValueKey<Value>& from, const ValueKey<Value>& to, int depth)
    {
        if (keys_.size() >= max_keys_) return;
        const double midpoint = 0.5 * (from.time + to.time);
        if (may_refine(depth) && midpoint > from.time && midpoint < to.time) {
            const ValueKey<Value> half{midpoint, look_up(midpoint)};
            if (!is_linear(from, half, to)) {
                refine(from, half, depth + 1);
                refine(half, to, depth + 1);
                return;
            }
        }
        keys_.push_back(to);
    }

    bool is_linear(const ValueKey<Value>& from, const ValueKey<Value>& half, const ValueKey<Value>& to)
    {
        if (!fits_(from.value, to.value, 0.5, half.value)) return false;
        for (const double t : {0.25, 0.75})
            if (!fits_(from.value, to.value, t, look_up(from.time + t * (to.time - from.time)))) return false;
        return true;
    }

    At at_;
    Differ differ_;
    Fits fits_;
    Pieces pieces_;
    bool exact_;
    std::uint64_t max_keys_, lookup_cost_;
    Sampling& sampling_;
    std::uint32_t even_steps_;
    std::uint64_t refined_ = 0; // limit on the keys of one curve, which may be hostile
    std::vector<ValueKey<Value>> keys_;
};

} // namespace

// Keys repeated inside the clip are more than the file has.
template <class Motion>
LoadResult<void> ClipBuilder::take_extended(const Motion& motion)
{
    if (!motion.is_extended()) return {};
    sampling_.set_ends_with_clip();
    if (!motion.is_complete()) sampling_.set_coarse();
    return budget_.take_keys(motion.times().size(), {});
}

template <class Motion>
bool ClipBuilder::needs_pose_time_key(const Motion& motion) const
{
    const std::optional<double>& pose_time = animations_.pose_time;
    return pose_time && !motion.ends() && (*pose_time < range_.start || *pose_time > range_.end);
}

template <class Value>
void ClipBuilder::add_pose_time_key(const Value& value, std::vector<ValueKey<Value>>& keys) const
{
    const double pose_time = *animations_.pose_time;
    keys.insert(pose_time < range_.start ? keys.begin() : keys.end(), {pose_time, value});
}

LoadResult<void> ClipBuilder::add_weights(const MorphedNode& morphed)
{
    WeightMotion motion(morphed, animations_, range_);
    if (!motion.moves()) return {};
    const scene::Mesh& mesh = scene_.meshes[scene_.nodes[morphed.node].mesh];
    if (mesh.morph_targets.empty()) return {};
    const std::vector<double> rest(mesh.morph_weights.begin(), mesh.morph_weights.end());
    if (auto taken = take_extended(motion); !taken) return taken;
    using Weights = std::vector<double>;
    const auto at = [&](double time, JumpSide side) {
        Weights weights = rest;
        motion.apply(time, side, weights);
        return weights;
    };
    const auto differ = [](const Weights& a, const Weights& b) { return a != b; };
    const auto fits = [](const Weights& a, const Weights& b, double t, const Weights& value) {
        for (std::size_t i = 0; i < value.size(); ++i)
            if (std::abs((1.0 - t) * a[i] + t * b[i] - value[i]) > weight_tolerance) return false;
        return true;
    };
    const auto pieces = [](double, double) { return 1u; };
    CurveSampler<Weights, decltype(at), decltype(differ), decltype(fits), decltype(pieces)> sampler(
        at, differ, fits, pieces, motion.is_linear() || motion.only_steps(), room(rest.size()),
        1 + rest.size() / typical_weight_count, sampling_);
    ChannelWriter writer(morphed.node, scene::Path::weights, motion.only_steps(), range_.start);
    writer.set_extrapolation(motion.ends());
    auto keys = sampler.run(motion.times());
    if (sampling_.exhausted()) return {};
    if (needs_pose_time_key(motion)) {
        Weights weights = rest;
        motion.apply_beyond(*animations_.pose_time, weights);
        add_pose_time_key(weights, keys);
    }
    if (auto taken = budget_.take_keys((keys.size() + 1) * rest.size(), {}); !taken) return taken;
    for (const auto& [time, weights] : keys)
        writer.add(time, weights);
    clip_.channels.push_back(writer.take());
    return {};
}

namespace {

// Returns the largest component of the translations and of the scales at the key times.
std::pair<double, double> largest_values(SegmentTrack& motion)
{
    double translation = 0.0, scale = 0.0;
    for (const double time : motion.times()) {
        const DoubleTrs trs = motion.at(time, JumpSide::after);
        translation = std::max(translation, largest(trs.translation));
        scale = std::max(scale, largest(trs.scale));
    }
    return {translation, scale};
}

} // namespace

LoadResult<void> ClipBuilder::add_segment(SegmentTrack& motion, std::uint32_t node)
{
    if (auto taken = take_extended(motion); !taken) return taken;
    // The cost of a typical node is covered by its keys.
    if (const std::uint64_t parts = motion.factor_count(); parts > SegmentTrack::max_unmerged_factors)
        if (auto taken = budget_.take_keys(16 * parts * motion.times().size(), {}); !taken) return taken;
    const auto [translation_size, size] = largest_values(motion);
    const bool steps = motion.only_steps();
    const double half_tolerance = std::tan(0.5 * rotation_tolerance);
    const auto at = [&](double time, JumpSide side) { return motion.at(time, side); };
    // A jump, not the rounding error between the two sides of one value.
    const auto differ = [&](const DoubleTrs& a, const DoubleTrs& b) {
        return largest(a.translation - b.translation) > rounding_error * translation_size ||
               largest(a.scale - b.scale) > rounding_error * size ||
               angle_between(a.rotation, b.rotation) > rounding_error;
    };
    const auto fits = [&](const DoubleTrs& a, const DoubleTrs& b, double t, const DoubleTrs& value) {
        return largest(glm::mix(a.translation, b.translation, t) - value.translation) <=
                   relative_tolerance * translation_size &&
               largest(glm::mix(a.scale, b.scale, t) - value.scale) <= relative_tolerance * size &&
               within_angle(slerp(a.rotation, b.rotation, t), value.rotation, half_tolerance);
    };
    const auto pieces = [&](double from, double to) {
        const double count = steps ? 1.0 : std::ceil(motion.turning(from, to) / max_degrees_per_key - 1e-9);
        return static_cast<std::uint32_t>(std::clamp(count, 1.0, double{max_pieces}));
    };
    CurveSampler<DoubleTrs, decltype(at), decltype(differ), decltype(fits), decltype(pieces)> sampler(
        at, differ, fits, pieces, motion.is_linear() || steps, room(10),
        1 + motion.factor_count() / SegmentTrack::max_unmerged_factors, sampling_);
    auto keys = sampler.run(motion.times());
    if (sampling_.exhausted()) return {}; // keys are incomplete or missing
    if (needs_pose_time_key(motion)) add_pose_time_key(motion.sample_outside(*animations_.pose_time), keys);
    if (auto taken = budget_.take_keys(keys.size() * 10, {}); !taken) return taken;
    write(keys, node, motion);
    return {};
}

// Constant properties get no channel; when everything is constant, the translation represents the existing
// keys.
void ClipBuilder::write(const std::vector<ValueKey<DoubleTrs>>& keys, std::uint32_t node,
                        const SegmentTrack& motion)
{
    const bool steps = motion.only_steps();
    ChannelWriter t(node, scene::Path::translation, steps, range_.start);
    ChannelWriter r(node, scene::Path::rotation, steps, range_.start);
    ChannelWriter s(node, scene::Path::scale, steps, range_.start);
    for (ChannelWriter* writer : {&t, &r, &s})
        writer->set_extrapolation(motion.ends());
    for (const auto& [time, trs] : keys) {
        const glm::dquat q = glm::normalize(trs.rotation);
        t.add(time, {trs.translation.x, trs.translation.y, trs.translation.z});
        r.add(time, {q.x, q.y, q.z, q.w});
        s.add(time, {trs.scale.x, trs.scale.y, trs.scale.z});
    }
    const scene::Trs& rest = scene_.nodes[node].local;
    const bool turns =
        !r.is_constant_at({rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w});
    const bool scales = !s.is_constant_at({rest.scale.x, rest.scale.y, rest.scale.z});
    const bool goes = !t.is_constant_at({rest.translation.x, rest.translation.y, rest.translation.z});
    if (goes || (!turns && !scales)) clip_.channels.push_back(t.take());
    if (turns) clip_.channels.push_back(r.take());
    if (scales) clip_.channels.push_back(s.take());
}

} // namespace vitrine::dae
