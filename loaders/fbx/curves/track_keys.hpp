#pragma once
// Breakpoints of a motion, and the keys made of them. Private to loaders/fbx/curves.

#include <optional>
#include <vector>

#include "loaders/fbx/curves/sample_values.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

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
