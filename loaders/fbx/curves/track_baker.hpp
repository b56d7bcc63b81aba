#pragma once
// The implementation of bake(): evaluates both sides of all breakpoints (track_baker.cpp), then places keys
// between them (track_baker_keys.cpp). Samples, breakpoints and keys: track_keys.cpp.

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "loaders/fbx/curves/track_range.hpp"

namespace vitrine::fbx {

// The components of one sample. At most four except for weights, so almost all need no heap allocation.
class SampleValues {
public:
    SampleValues() = default;
    explicit SampleValues(std::size_t count)
        : size_(count), heap_values_(count > inline_values_.size() ? count : 0)
    {
    }

    std::size_t size() const { return size_; }
    double* data() { return heap_values_.empty() ? inline_values_.data() : heap_values_.data(); }
    const double* data() const { return heap_values_.empty() ? inline_values_.data() : heap_values_.data(); }
    double* begin() { return data(); }
    double* end() { return data() + size_; }
    const double* begin() const { return data(); }
    const double* end() const { return data() + size_; }
    double& operator[](std::size_t i) { return data()[i]; }
    double operator[](std::size_t i) const { return data()[i]; }

private:
    std::size_t size_ = 0;
    std::array<double, 4> inline_values_{};
    std::vector<double> heap_values_;
};

double dot(const SampleValues& a, const SampleValues& b);
void negate(SampleValues& v);
// Returns the largest difference of a component; for rotations the distance of the quaternions, with q and -q
// equal.
double distance(const SampleValues& a, const SampleValues& b, bool is_rotation);
SampleValues lerp(const SampleValues& a, const SampleValues& b, double fraction, bool is_rotation);

struct BakedKey {
    float seconds = 0.0f;
    SampleValues in{}, value{}, out{}; // tangents per second

    // Negates the quaternion where needed for the shorter interpolation from the previous key.
    void turn_to(const SampleValues& from);
};

// A time on the channel's single-precision time line (seconds), with the motion at it and on both sides.
struct Breakpoint {
    float seconds = 0.0f;
    double ticks = 0.0;
    SampleValues before{}, before_rate{}, after{}, after_rate{}; // rates per second
    SampleValues at{};                                           // the value exactly at a jump
    bool jumps = false;
};

// Precondition: the motion does not jump at the breakpoint.
inline BakedKey key_of(const Breakpoint& breakpoint)
{
    return {breakpoint.seconds, breakpoint.before_rate, breakpoint.after, breakpoint.after_rate};
}
// Times near a jump are as inexact as the jump's own. The values before and after it are therefore placed
// `gap` seconds apart, while the value exactly at the jump keeps its time. Values closer than `tolerance` are
// equal.
std::vector<BakedKey> keys_of_jump(const Breakpoint& breakpoint, double gap, double tolerance,
                                   bool is_rotation);

SampleValues hermite(const BakedKey& from, const BakedKey& to, double fraction);

// Writes keys into a channel, with tangents where it is cubic. Each key is written when the next one arrives,
// so the last can still be changed. Values beyond the float range are clamped.
class KeyWriter {
public:
    KeyWriter(scene::Interpolation interpolation, scene::Channel& channel);
    KeyWriter(const KeyWriter&) = delete;
    KeyWriter& operator=(const KeyWriter&) = delete;

    bool is_empty() const { return !last_; }
    BakedKey& last() { return *last_; }
    void push(BakedKey key);
    void finish();

private:
    void append(const SampleValues& values);

    scene::Channel& channel_;
    std::optional<BakedKey> last_;
};

// Fractions of a segment at which it is compared with the motion: on both sides of the middle and asymmetric,
// so that symmetric errors are detected.
inline constexpr std::array probe_fractions{0.3, 0.65};

class TrackBaker {
public:
    TrackBaker(const Track& track, scene::Path path, const BakeTime& time, BakeBudget& budget)
        : track_(track), path_(path), time_(time), budget_(budget), count_(track.components())
    {
    }

    scene::Channel run();

private:
    using Probes = std::array<SampleValues, probe_fractions.size()>;
    struct Segment { // between two breakpoints
        Probes probes{};
        bool constant = false, linear = false;
    };

    bool is_rotation() const { return path_ == scene::Path::rotation; }
    double ticks_at(double seconds) const { return seconds * time_.ticks_per_second + time_.start; }
    void sample(double ticks, TimeSide side, SampleValues& value, SampleValues& rate);
    SampleValues value_at(double seconds);
    double distance(const SampleValues& a, const SampleValues& b) const;
    void add_breakpoint(double ticks);
    void find_tolerance();
    void find_jump(Breakpoint& breakpoint);
    bool is_same(const SampleValues& a, const SampleValues& b) const
    {
        return distance(a, b) <= 4.0 * tolerance_;
    }
    std::vector<BakedKey> keys_of_jump(const Breakpoint& breakpoint) const;
    Segment probe_segment(const Breakpoint& from, const Breakpoint& to);
    bool fits(const BakedKey& from, const BakedKey& to, const Probes* known);
    void fit(const BakedKey& from, BakedKey to, const Probes* known, int bisections);
    void fit_all();
    void keep_breakpoints();
    void push(BakedKey key);
    void write_linear_start();
    void write_linear_end();
    scene::Interpolation choose_interpolation(bool steps, bool linear) const;
    void write_keys();
    void write_extrapolation(scene::Channel& channel);

    const Track& track_;
    scene::Path path_;
    BakeTime time_;
    BakeBudget& budget_;
    std::size_t count_;
    double tolerance_ = 0.0;
    bool has_points_ = false; // some values apply only exactly at a key's time
    TrackRange range_;
    std::vector<Breakpoint> breakpoints_;
    std::vector<Segment> segments_;
    std::optional<KeyWriter> keys_; // set once the interpolation is known
    scene::Interpolation interpolation_ = scene::Interpolation::linear;
};

} // namespace vitrine::fbx
