#pragma once
// Samples and breakpoints of a motion, and the keys made of them. Private to loaders/fbx/curves.

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "loaders/scene/scene.hpp"

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

} // namespace vitrine::fbx
