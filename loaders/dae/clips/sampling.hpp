#pragma once
// The density of sampling between the keys of a file, and its budget.

#include <algorithm>
#include <cstdint>

namespace vitrine::dae {

// Adaptive sampling evaluates about five values per key that it adds. A hostile file of some megabytes could
// cause ten million keys, so the number of evaluated values is bounded by the number of keys in the file;
// beyond that, values at even steps are used.
class Sampling {
public:
    explicit Sampling(std::uint64_t file_keys)
        : allowed_(std::min(base_lookups + lookups_per_key * std::min(file_keys, max_lookups), max_lookups))
    {
    }

    // Counts the evaluation of a value between two keys of the file; `cost` is relative to a typical value.
    void count_lookup(std::uint64_t cost) { lookups_ += cost; }
    bool exhausted() const { return lookups_ > allowed_; }

    // Switches to even steps in every interval between two keys; the number of steps follows from the budget
    // for the whole load.
    void make_even(std::uint64_t intervals)
    {
        lookups_ = 0;
        const std::uint64_t affordable =
            allowed_ / lookups_per_sample / std::max<std::uint64_t>(intervals, 1);
        even_steps_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(affordable, 1, 1024));
    }
    std::uint32_t even_steps() const { return even_steps_; } // 0: as many as linear interpolation needs

    // Marks that some motion is less accurate than the tolerance.
    void set_coarse() { coarse_ = true; }
    bool coarse() const { return coarse_ || even_steps_ > 0; }

    // Marks that the extrapolation of some curves is represented inside the clips only.
    void set_ends_with_clip() { ends_with_clip_ = true; }
    bool ends_with_clip() const { return ends_with_clip_; }

private:
    static constexpr std::uint64_t base_lookups = 1u << 21;
    static constexpr std::uint64_t lookups_per_key = 20;
    static constexpr std::uint64_t lookups_per_sample = 3;
    static constexpr std::uint64_t max_lookups = 1u << 25;

    std::uint64_t allowed_;
    std::uint64_t lookups_ = 0;
    std::uint32_t even_steps_ = 0;
    bool coarse_ = false;
    bool ends_with_clip_ = false;
};

// A key of an animated value.
template <class Value>
struct ValueKey {
    double time = 0.0;
    Value value{};
};

} // namespace vitrine::dae
