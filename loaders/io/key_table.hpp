#pragma once
// Numbers distinct keys in the order of their first use: vertices that files repeat for each of their
// corners.

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "loaders/io/string_hash.hpp"

namespace vitrine::io {

// A hash table with open addressing. A key is `words` numbers, such as the bits of a position.
template <std::size_t words>
class KeyTable {
public:
    using VertexKey = std::array<std::uint32_t, words>;

    std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }
    const std::vector<VertexKey>& keys() const { return keys_; }

    // Returns the number of the key, which is size() before the call if it is new. Precondition: fewer than
    // 2^31 keys.
    std::uint32_t find_or_add(const VertexKey& key)
    {
        if (slots_.size() < 2 * (keys_.size() + 1)) grow();
        std::uint32_t& slot = slots_[find(key)];
        if (slot != empty) return slot;
        slot = size();
        keys_.push_back(key);
        return slot;
    }

private:
    static constexpr std::uint32_t empty = std::numeric_limits<std::uint32_t>::max();

    // The slot of the key, or the empty one for it.
    std::size_t find(const VertexKey& key) const
    {
        std::uint64_t hash = seed_;
        for (const std::uint32_t word : key)
            hash = (hash ^ word ^ hash >> 31) * 0x9E37'79B9'7F4A'7C15u;
        std::size_t at = static_cast<std::size_t>(hash ^ hash >> 32) & (slots_.size() - 1);
        while (slots_[at] != empty && keys_[slots_[at]] != key)
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    void grow()
    {
        constexpr std::size_t min_slots = 64; // a power of two
        slots_.assign(slots_.empty() ? min_slots : 2 * slots_.size(), empty);
        for (std::uint32_t i = 0; i < size(); ++i)
            slots_[find(keys_[i])] = i;
    }

    std::vector<VertexKey> keys_;
    std::vector<std::uint32_t> slots_; // numbers of keys; a power of two
    std::uint64_t seed_ = hash_seed();
};

} // namespace vitrine::io
