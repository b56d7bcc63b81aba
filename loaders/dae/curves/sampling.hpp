#pragma once
// How finely motion is sampled between the keys of a file, and what that may cost.

#include <algorithm>
#include <cstdint>

namespace vitrine::dae {

// Keys between those of the file are looked for, and each one that is found has cost about five values. For
// a hostile file of some megabytes there would be ten millions, so the number of values that are looked up is
// bounded by the keys that the file holds; where that is not enough, values at even steps are the answer.
class Sampling {
public:
    explicit Sampling(std::uint64_t file_keys)
        : allowed_(std::min(base_lookups + lookups_per_key * std::min(file_keys, max_lookups), max_lookups))
    {
    }

    // A value between two keys of the file is looked up; `cost`: in usual ones.
    void count_lookup(std::uint64_t cost) { lookups_ += cost; }
    bool exhausted() const { return lookups_ > allowed_; }

    // From here on every interval between two keys of the file is cut into even steps, of which the whole
    // load can afford so many.
    void make_even(std::uint64_t intervals)
    {
        lookups_ = 0;
        const std::uint64_t affordable =
            allowed_ / lookups_per_sample / std::max<std::uint64_t>(intervals, 1);
        even_steps_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(affordable, 1, 1024));
    }
    std::uint32_t even_steps() const { return even_steps_; } // 0: as many as straight lines need

    // Some motion is not kept as exactly as a straight line needs.
    void set_coarse() { coarse_ = true; }
    bool coarse() const { return coarse_ || even_steps_ > 0; }

    // What some curves do outside their keys is known inside the clips alone.
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

} // namespace vitrine::dae
