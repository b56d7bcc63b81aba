#pragma once
// A map from mesh edges to values: one chain per lower end, typically a few edges long and as cache-friendly
// as the mesh.

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loaders/io/number_hash.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

template <class Value>
class EdgeTable {
public:
    // Edge ends are below `points`, or scene::none.
    explicit EdgeTable(std::size_t points) : heads_(points + 1, scene::none) {}

    // Returns the edge's value and whether it was added; an existing value is not replaced.
    std::pair<Value, bool> find_or_add(std::uint32_t a, std::uint32_t b, const Value& value)
    {
        const auto [low, high] = std::minmax(a, b);
        std::uint32_t& head = heads_[slot(low)];
        unsigned steps = 0;
        for (std::uint32_t at = head; at != scene::none; at = entries_[at].next) {
            if (entries_[at].high == high) return {entries_[at].value, false};
            if (++steps < max_chain_length) continue;
            const auto [known, is_new] = overflow_.try_emplace(key(low, high), value);
            return {known->second, is_new};
        }
        entries_.push_back({high, head, value});
        head = static_cast<std::uint32_t>(entries_.size() - 1);
        return {value, true};
    }

    bool contains(std::uint32_t a, std::uint32_t b) const
    {
        const auto [low, high] = std::minmax(a, b);
        for (std::uint32_t at = heads_[slot(low)]; at != scene::none; at = entries_[at].next)
            if (entries_[at].high == high) return true;
        return overflow_.contains(key(low, high));
    }

private:
    static constexpr unsigned max_chain_length = 32; // longer chains use a hash table

    struct EdgeLink {
        std::uint32_t high;
        std::uint32_t next;
        Value value;
    };

    std::size_t slot(std::uint32_t low) const { return std::min<std::size_t>(low, heads_.size() - 1); }
    static std::uint64_t key(std::uint32_t low, std::uint32_t high)
    {
        return std::uint64_t{low} << 32 | high;
    }

    std::vector<std::uint32_t> heads_; // by lower end: its newest edge; the last entry is for scene::none
    std::vector<EdgeLink> entries_;
    std::unordered_map<std::uint64_t, Value, io::NumberHash> overflow_;
};

} // namespace vitrine::fbx
