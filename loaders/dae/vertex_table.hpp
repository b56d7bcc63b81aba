#pragma once
// The distinct corners of a mesh, each a vertex: a chain of them per position, which in practice is one or
// two long. Each attribute is a list of its own, and those that need none take no memory.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "loaders/dae/geometry.hpp"

namespace vitrine::dae {

// Attributes whose indices are kept for each vertex; positions and normals always are.
inline constexpr std::array kept_on_demand = {&Corner::uv0, &Corner::uv1, &Corner::colour};
using Kept = std::array<bool, kept_on_demand.size()>;

class VertexTable {
public:
    void reserve(std::size_t positions, std::size_t vertices);
    // Vertices made from here on are never shared with those before, and keep these attributes (at least).
    // The others are none, or follow from the position.
    void begin_segment(const Kept& kept);
    // From here on the segment keeps an attribute that has been the position's index until now.
    void begin_to_keep(std::size_t attribute);

    std::uint32_t size() const { return static_cast<std::uint32_t>(positions_.size()); }

    std::uint32_t find_or_add(const Corner& corner)
    {
        if (corner.position >= heads_.size()) heads_.resize(corner.position + std::size_t{1}, none);
        std::uint32_t& head = heads_[corner.position];
        unsigned steps = 0;
        for (std::uint32_t at = head; at != none && at >= first_; at = next_[at]) {
            if (is_same(at, corner)) return at;
            if (++steps == longest_chain) return find_in_overflow(corner);
        }
        push(corner, head);
        return head = size() - 1;
    }

    // A vertex that no other corner will share: of a flat face.
    std::uint32_t add(const Corner& corner)
    {
        push(corner, none);
        return size() - 1;
    }

    std::uint32_t position(std::uint32_t vertex) const { return positions_[vertex]; }
    std::uint32_t normal(std::uint32_t vertex) const { return normals_[vertex]; }
    std::uint32_t kept(std::size_t attribute, std::uint32_t vertex) const
    {
        return lists_[attribute][vertex];
    }

    // What only looking up needs goes.
    void finish_looking_up();
    std::vector<std::uint32_t> take_positions() { return std::move(positions_); }
    std::vector<std::uint32_t> take_normals() { return std::move(normals_); }

private:
    static constexpr std::uint32_t none = scene::none;
    static constexpr unsigned longest_chain = 48; // beyond it a hash; chains are O(n * n) in a hostile file

    struct Hash {
        std::size_t operator()(const Corner& corner) const;
    };

    bool is_same(std::uint32_t at, const Corner& corner) const
    {
        bool same = normals_[at] == corner.normal;
        for (std::size_t i = 0; i < kept_.size(); ++i)
            same = same && (!kept_[i] || lists_[i][at] == corner.*kept_on_demand[i]);
        return same;
    }
    void push(const Corner& corner, std::uint32_t next)
    {
        positions_.push_back(corner.position);
        normals_.push_back(corner.normal);
        next_.push_back(next);
        for (std::size_t i = 0; i < kept_.size(); ++i)
            if (kept_[i]) lists_[i].push_back(corner.*kept_on_demand[i]);
    }
    void begin_list(std::size_t attribute);
    std::uint32_t find_in_overflow(const Corner& corner);

    std::vector<std::uint32_t> heads_; // by position: its newest vertex
    std::vector<std::uint32_t> next_;  // by vertex: an older one of the same position
    std::vector<std::uint32_t> positions_, normals_;
    std::array<std::vector<std::uint32_t>, kept_on_demand.size()> lists_;
    std::uint32_t first_ = 0; // of the segment
    Kept kept_{};             // in any segment so far
    std::unordered_map<Corner, std::uint32_t, Hash> overflow_;
};

} // namespace vitrine::dae
