#pragma once
// Deduplicates the corners of a mesh to vertices. Most files use one index per corner for all attributes: in
// that case only positions are stored, and nothing while vertices are in the order of their positions.
// Otherwise each attribute has a list, and each position a chain of its vertices, typically one or two long.

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "loaders/dae/geometry/geometry.hpp"

namespace vitrine::dae {

// Attributes whose indices are stored per vertex on demand; positions and normals always are.
inline constexpr std::array optional_attributes = {&CornerIndices::uv0, &CornerIndices::uv1,
                                                   &CornerIndices::color, &CornerIndices::uv2};
using StoredAttributes = std::array<bool, optional_attributes.size()>;

class VertexTable {
public:
    void reserve(std::size_t positions, std::size_t vertices);
    // Later vertices are never shared with earlier ones and store at least these attributes. The other
    // attributes are missing or equal to the position's index.
    void begin_segment(const StoredAttributes& stored);
    // From here on the segment stores an attribute that was equal to the position's index so far.
    void start_storing(std::size_t attribute);

    std::uint32_t size() const { return size_; }

    std::uint32_t find_or_add(const CornerIndices& corner)
    {
        if (is_uniform_ && follows_position(corner)) return find_or_add_position(corner.position);
        if (is_uniform_) make_lists();
        std::uint32_t& head = head_of(corner.position);
        unsigned steps = 0;
        for (std::uint32_t at = head; at != none && at >= first_; at = next_[at]) {
            if (is_same(at, corner)) return at;
            if (++steps == max_chain_length) return find_in_overflow(corner);
        }
        push(corner, head);
        return head = size_ - 1;
    }

    // Adds a vertex that is not shared with other corners, for a flat face.
    std::uint32_t add(const CornerIndices& corner)
    {
        if (is_uniform_) make_lists();
        push(corner, none);
        return size_ - 1;
    }

    // Returns whether all indices of each vertex equal its number.
    bool is_in_order() const { return is_in_order_; }
    std::uint32_t position(std::uint32_t vertex) const { return is_in_order_ ? vertex : positions_[vertex]; }
    std::uint32_t normal(std::uint32_t vertex) const
    {
        return is_uniform_ ? position(vertex) : normals_[vertex];
    }
    std::uint32_t stored(std::size_t attribute, std::uint32_t vertex) const
    {
        return is_uniform_ ? position(vertex) : lists_[attribute][vertex];
    }

    // Frees the data needed for look-up only.
    void release_lookup();
    std::vector<std::uint32_t> positions() const; // by vertex
    std::vector<std::uint32_t> normals() const;

private:
    static constexpr std::uint32_t none = scene::none;
    static constexpr unsigned max_chain_length =
        48; // longer chains use a hash table; chains alone would be O(n * n) in a hostile file

    struct Hash {
        std::size_t operator()(const CornerIndices& corner) const;
    };

    bool follows_position(const CornerIndices& corner) const
    {
        std::uint32_t differs = corner.normal ^ corner.position;
        for (std::size_t i = 0; i < stored_.size(); ++i)
            differs |= stored_[i] ? corner.*optional_attributes[i] ^ corner.position : 0;
        return differs == 0;
    }
    std::uint32_t find_or_add_position(std::uint32_t position)
    {
        if (is_in_order_) {
            if (position < size_) return position;
            if (position == size_) return size_++;
            leave_identity_order();
        }
        std::uint32_t& head = head_of(position);
        if (head != none && head >= first_) return head;
        positions_.push_back(position);
        return head = size_++;
    }
    std::uint32_t& head_of(std::uint32_t position)
    {
        if (position >= heads_.size()) grow_heads(position);
        return heads_[position];
    }
    void grow_heads(std::uint32_t position);
    bool is_same(std::uint32_t at, const CornerIndices& corner) const
    {
        bool same = normals_[at] == corner.normal;
        for (std::size_t i = 0; i < stored_.size(); ++i)
            same = same && (!stored_[i] || lists_[i][at] == corner.*optional_attributes[i]);
        return same;
    }
    void push(const CornerIndices& corner, std::uint32_t next)
    {
        positions_.push_back(corner.position);
        normals_.push_back(corner.normal);
        next_.push_back(next);
        for (std::size_t i = 0; i < stored_.size(); ++i)
            if (stored_[i]) lists_[i].push_back(corner.*optional_attributes[i]);
        ++size_;
    }
    void leave_identity_order();
    void make_lists();
    void begin_list(std::size_t attribute);
    std::uint32_t find_in_overflow(const CornerIndices& corner);

    bool is_uniform_ = true;  // each vertex so far has one index for all stored attributes
    bool is_in_order_ = true; // uniform, and that index is the vertex's own
    std::uint32_t size_ = 0;
    std::uint32_t first_ = 0;          // of the segment
    StoredAttributes stored_{};        // stored in any segment so far
    std::vector<std::uint32_t> heads_; // by position: its newest vertex
    std::vector<std::uint32_t> next_;  // by vertex: an older one of the same position
    std::vector<std::uint32_t> positions_, normals_;
    std::array<std::vector<std::uint32_t>, optional_attributes.size()> lists_;
    std::size_t expected_positions_ = 0, expected_vertices_ = 0;
    std::unordered_map<CornerIndices, std::uint32_t, Hash> overflow_;
};

} // namespace vitrine::dae
