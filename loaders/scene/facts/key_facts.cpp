// Faults and properties of the keys of a clip.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "loaders/scene/facts/motion_facts.hpp"
#include "loaders/scene/motion/interpolation.hpp"
#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::scene {
namespace {

constexpr float equal_values = 1e-6f; // of the larger value, at least of 1
constexpr float unit_tolerance = 1e-3f;
constexpr double unit_rounding = 1e-5;   // of squared lengths of quaternions
constexpr double chord_tolerance = 2e-5; // of unit_rounding and equal_values

// The values of one channel, key by key, without the tangents of cubic keys.
class KeyValues {
public:
    KeyValues(const Channel& channel, std::size_t width) : channel_(channel), width_(width) {}

    std::size_t keys() const { return channel_.times.size(); }
    std::span<const float> at(std::size_t key) const
    {
        const bool cubic = channel_.interpolation == Interpolation::cubic;
        const std::size_t group = cubic ? 3 * key + 1 : key;
        return std::span(channel_.values.data(), channel_.values.size()).subspan(group * width_, width_);
    }
    bool are_equal(std::size_t a, std::size_t b) const { return are_equal(at(a), at(b)); }
    // Of the same bits.
    bool is_exactly_constant() const
    {
        if (channel_.interpolation == Interpolation::cubic) return false;
        const auto bytes = (channel_.values.size() - width_) * sizeof(float);
        return std::memcmp(channel_.values.data(), channel_.values.data() + width_, bytes) == 0;
    }
    bool is_constant() const
    {
        for (std::size_t key = 1; key < keys(); ++key)
            if (!are_equal(0, key)) return false;
        return true;
    }
    // Whether the key is where its neighbors would be interpolated.
    bool is_interpolated(std::size_t key) const
    {
        if (channel_.interpolation == Interpolation::cubic) return false;
        if (channel_.interpolation == Interpolation::step) return are_equal(key - 1, key);
        const auto before = at(key - 1), value = at(key), after = at(key + 1);
        const double fraction = (double{channel_.times[key]} - double{channel_.times[key - 1]}) /
                                (double{channel_.times[key + 1]} - double{channel_.times[key - 1]});
        if (channel_.path == Path::rotation) return is_on_arc(before, value, after, fraction);
        for (std::size_t i = 0; i < width_; ++i) {
            const double between = (1.0 - fraction) * double{before[i]} + fraction * double{after[i]};
            if (!are_equal(static_cast<float>(between), value[i])) return false;
        }
        return true;
    }

private:
    static bool are_equal(float a, float b)
    {
        return std::abs(a - b) <= equal_values * std::max({1.0f, std::abs(a), std::abs(b)});
    }
    static bool are_equal(std::span<const float> a, std::span<const float> b)
    {
        for (std::size_t i = 0; i < a.size(); ++i)
            if (!are_equal(a[i], b[i])) return false;
        return true;
    }
    // Whether a rotation is not on the arc for sure, by its distance from the normalized point of the chord,
    // which for arcs of up to one radian differs from the arc by at most 0.017 times the cube of the angle.
    // Arcs cost several times as much.
    static bool is_far_from_chord(const QuaternionOf<double>& a, const QuaternionOf<double>& b,
                                  const QuaternionOf<double>& value, double fraction)
    {
        const double cosine = dot(a, b);
        if (cosine < 0.55 || std::abs(dot(a, a) - 1.0) > unit_rounding ||
            std::abs(dot(b, b) - 1.0) > unit_rounding)
            return false;
        const double before = 1.0 - fraction;
        const QuaternionOf<double> chord{before * a.x + fraction * b.x, before * a.y + fraction * b.y,
                                         before * a.z + fraction * b.z, before * a.w + fraction * b.w};
        const double angle = 1.05 * std::sqrt(std::max(2.0 - 2.0 * cosine, 0.0));
        const double tolerance = 0.02 * angle * angle * angle + chord_tolerance;
        const double scale = 1.0 / length_of(chord);
        const QuaternionOf<double> difference{chord.x * scale - value.x, chord.y * scale - value.y,
                                              chord.z * scale - value.z, chord.w * scale - value.w};
        return dot(difference, difference) > tolerance * tolerance;
    }
    static bool is_on_arc(std::span<const float> before, std::span<const float> value,
                          std::span<const float> after, double fraction)
    {
        const auto quaternion = [](std::span<const float> v) {
            return QuaternionOf<double>{double{v[0]}, double{v[1]}, double{v[2]}, double{v[3]}};
        };
        const auto a = quaternion(before), b = quaternion(after), wanted = quaternion(value);
        if (is_far_from_chord(a, b, wanted, fraction)) return false;
        const auto q = slerp_shortest(a, b, fraction);
        return are_equal(static_cast<float>(q.x), value[0]) && are_equal(static_cast<float>(q.y), value[1]) &&
               are_equal(static_cast<float>(q.z), value[2]) && are_equal(static_cast<float>(q.w), value[3]);
    }

    const Channel& channel_;
    std::size_t width_;
};

void count_quaternions(const KeyValues& values, KeyFacts& facts)
{
    const auto dot = [](std::span<const float> a, std::span<const float> b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    };
    constexpr float min_squared = (1.0f - unit_tolerance) * (1.0f - unit_tolerance);
    constexpr float max_squared = (1.0f + unit_tolerance) * (1.0f + unit_tolerance);
    for (std::size_t key = 0; key < values.keys(); ++key) {
        const auto now = values.at(key);
        const float squared = dot(now, now);
        facts.non_unit_quaternions += squared < min_squared || squared > max_squared ? 1 : 0;
        if (key > 0) facts.quaternion_flips += dot(now, values.at(key - 1)) < 0.0f ? 1 : 0;
    }
}

void note_scale(const KeyValues& values, const glm::vec3& rest, KeyFacts& facts)
{
    for (std::size_t key = 0; key < values.keys(); ++key) {
        const auto s = values.at(key);
        const auto differs = [](float a, float b) {
            return std::abs(a - b) > 1e-4f * std::max(1.0f, std::abs(b));
        };
        facts.has_scale =
            facts.has_scale || differs(s[0], rest.x) || differs(s[1], rest.y) || differs(s[2], rest.z);
        facts.has_non_uniform_scale =
            facts.has_non_uniform_scale || differs(s[0], s[1]) || differs(s[1], s[2]);
    }
}

void count_repeated(const KeyValues& values, KeyFacts& facts)
{
    bool equals_last = values.keys() > 2 && values.are_equal(std::size_t{0}, std::size_t{1});
    for (std::size_t key = 1; key + 1 < values.keys(); ++key) {
        const bool equals_next = values.are_equal(key, key + 1);
        const bool is_duplicate = equals_last && equals_next;
        equals_last = equals_next;
        facts.duplicate_keys += is_duplicate ? 1 : 0;
        facts.redundant_keys += is_duplicate || values.is_interpolated(key) ? 1 : 0;
    }
}

} // namespace

KeyFacts compute_key_facts(const Scene& scene, const Clip& clip)
{
    KeyFacts facts{.frozen = true};
    for (const Channel& channel : clip.channels) {
        const auto width = components(scene, channel.path, scene.nodes[channel.node]);
        if (width == 0 || channel.times.empty()) continue;
        facts.keys += channel.times.size();
        facts.max_track_keys = std::max(facts.max_track_keys, channel.times.size());
        const KeyValues values(channel, width);
        const bool is_exact = values.is_exactly_constant();
        const bool is_constant = is_exact || values.is_constant();
        facts.frozen = facts.frozen && is_constant;
        facts.constant_tracks += is_constant && values.keys() > 1 ? 1 : 0;
        if (is_exact) {
            const std::size_t inner = std::max<std::size_t>(values.keys(), 2) - 2;
            facts.duplicate_keys += inner;
            facts.redundant_keys += inner;
        } else {
            count_repeated(values, facts);
        }
        if (channel.path == Path::rotation) count_quaternions(values, facts);
        if (channel.path == Path::scale) note_scale(values, scene.nodes[channel.node].local.scale, facts);
    }
    return facts;
}

} // namespace vitrine::scene
