#pragma once
// The keys of a channel while it is baked: small vectors of values and how a Scene goes from one to the next.

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// Components of one sample: four at most but for weights, so that nearly all need no memory of their own.
class Values {
public:
    Values() = default;
    explicit Values(std::size_t count) : size_(count), heap_values_(count > inline_values_.size() ? count : 0)
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

double dot(const Values& a, const Values& b);
void negate(Values& v);
// The largest difference of a component; between rotations, opposite ones the same, that of the quaternions.
double distance(const Values& a, const Values& b, bool is_rotation);
Values lerp(const Values& a, const Values& b, double share, bool is_rotation);

struct Key {
    float seconds = 0.0f;
    Values in{}, value{}, out{}; // tangents per second

    // A quaternion and its opposite are the same rotation, but not on the way to another.
    void turn_to(const Values& from);
};

// A time on the channel's own line of single-precision seconds, and the motion there and on both sides of it.
struct Breakpoint {
    float seconds = 0.0f;
    double ticks = 0.0;
    Values before{}, before_rate{}, after{}, after_rate{}; // rates per second
    Values at{};                                           // where it jumps
    bool jumps = false;
};

// Of a breakpoint that does not jump.
inline Key key_of(const Breakpoint& breakpoint)
{
    return {breakpoint.seconds, breakpoint.before_rate, breakpoint.after, breakpoint.after_rate};
}
// The times that ask for a jump are as inexact as its own. What comes before or behind it therefore stands
// `gap` seconds apart, while the value at the very time keeps the time. Values nearer than `tolerance` are
// the same.
std::vector<Key> keys_of_jump(const Breakpoint& breakpoint, double gap, double tolerance, bool is_rotation);

Values hermite(const Key& from, const Key& to, double share);

// Writes keys into a channel, tangents where it is cubic, each once the next one comes: the last can still be
// changed. What no float can hold stops at its end.
class KeyWriter {
public:
    KeyWriter(scene::Interpolation interpolation, scene::Channel& channel);
    KeyWriter(const KeyWriter&) = delete;
    KeyWriter& operator=(const KeyWriter&) = delete;

    bool is_empty() const { return !last_; }
    Key& last() { return *last_; }
    void push(Key key);
    void finish();

private:
    void append(const Values& values);

    scene::Channel& channel_;
    std::optional<Key> last_;
};

} // namespace vitrine::fbx
