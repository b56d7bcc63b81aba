#pragma once
// The implementation of bake(): evaluates both sides of all breakpoints (track_baker.cpp), then places keys
// between them (track_baker_keys.cpp).

#include <array>
#include <optional>
#include <vector>

#include "loaders/fbx/curves/track_keys.hpp"
#include "loaders/fbx/curves/track_range.hpp"

namespace vitrine::fbx {

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
