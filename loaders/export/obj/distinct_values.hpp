#pragma once
// Finds equal values, which OBJ writes once.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine {

// For each value the number of its first equal one, counted from 0 in the order of first occurrence.
struct DistinctValues {
    std::vector<std::uint32_t> numbers;
    std::uint32_t count = 0;
};

// Values are equal if their bytes are. Linear time for any input: few of very many values with the same hash
// are found. Precondition: fewer than 2^31 values, whose type has no padding.
template <class T>
DistinctValues find_distinct(std::span<const T> values)
{
    static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
    constexpr int max_probes = 32;
    const auto hash_of = [](const T& value) {
        std::uint32_t words[sizeof(T) / sizeof(std::uint32_t)];
        std::memcpy(words, &value, sizeof value);
        std::uint64_t hash = 0;
        for (const auto word : words) { // the mixing step of MurmurHash3's 64-bit finalizer
            hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
            hash ^= hash >> 33;
        }
        return hash;
    };
    DistinctValues found;
    found.numbers.reserve(values.size());
    std::vector<std::uint32_t> slots(std::bit_ceil(2 * values.size() + 1), scene::none); // first equal values
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        auto slot = hash_of(values[i]);
        std::uint32_t number = scene::none;
        for (int probe = 0; probe < max_probes && number == scene::none; ++probe, ++slot) {
            auto& first = slots[slot & (slots.size() - 1)];
            if (first == scene::none) {
                first = i;
                break;
            }
            if (std::memcmp(&values[first], &values[i], sizeof(T)) == 0) number = found.numbers[first];
        }
        found.numbers.push_back(number == scene::none ? found.count++ : number);
    }
    return found;
}

} // namespace vitrine
