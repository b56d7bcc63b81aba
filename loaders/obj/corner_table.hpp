#pragma once
// Vertices of an OBJ, whose corners have an index per attribute: a vertex is a distinct tuple of indices.

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "loaders/io/huge_pages.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::obj {

struct Corner {
    std::uint32_t position = scene::none;
    std::uint32_t uv = scene::none;
    std::uint32_t normal = scene::none;
    bool operator==(const Corner&) const = default;
    std::array<std::uint32_t, 3> indices() const { return {position, uv, normal}; }
};

// Vertices are found through a chain per position, usually one or two long.
class CornerTable {
public:
    // Vertices added after this call are not shared with earlier ones.
    void begin_mesh()
    {
        first_ = static_cast<std::uint32_t>(entries_.size());
        overflow_.clear();
    }
    std::uint32_t first_of_mesh() const { return first_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
    std::size_t capacity() const { return entries_.capacity(); }
    void reserve(std::size_t vertices)
    {
        io::reserve_large(entries_, vertices);
        io::reserve_large(heads_, vertices);
    }
    const Corner& operator[](std::uint32_t index) const { return entries_[index].corner; }

    std::uint32_t find_or_add(const Corner& corner)
    {
        if (corner.position >= heads_.size()) heads_.resize(corner.position + std::size_t{1}, none);
        std::uint32_t& head = heads_[corner.position];
        unsigned steps = 0;
        for (std::uint32_t at = head; at != none && at >= first_; at = entries_[at].next) {
            if (entries_[at].corner == corner) return at;
            if (++steps == max_chain_length) return find_in_overflow(corner);
        }
        entries_.push_back({corner, head});
        return head = size() - 1;
    }

    // No further vertices are added: frees what only find_or_add() needs.
    void finish() { std::vector<std::uint32_t>().swap(heads_); }

    // Adds a vertex that is not shared with other corners, for flat-shaded faces.
    std::uint32_t add(const Corner& corner)
    {
        entries_.push_back({corner, none});
        return size() - 1;
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    // longer chains use a hash table, since each step is a cache miss
    static constexpr unsigned max_chain_length = 8;

    struct ChainLink {
        Corner corner;
        std::uint32_t next;
    };
    struct Hash {
        std::size_t operator()(const Corner& corner) const
        {
            std::uint64_t hash = io::hash_seed();
            for (const std::uint32_t index : corner.indices())
                hash = (hash ^ index ^ hash >> 31) * 0x9E37'79B9'7F4A'7C15u;
            return hash ^ hash >> 32;
        }
    };

    std::uint32_t find_in_overflow(const Corner& corner)
    {
        const auto [found, is_new] = overflow_.try_emplace(corner, size());
        if (is_new) add(corner);
        return found->second;
    }

    std::vector<std::uint32_t> heads_; // by position: its newest vertex
    std::vector<ChainLink> entries_;
    std::uint32_t first_ = 0;
    std::unordered_map<Corner, std::uint32_t, Hash> overflow_;
};

} // namespace vitrine::obj
