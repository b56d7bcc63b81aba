#include "loaders/dae/geometry/vertex_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "loaders/io/huge_pages.hpp"
#include "loaders/io/string_hash.hpp"

namespace vitrine::dae {
namespace {

std::vector<std::uint32_t> counted(std::uint32_t size, std::size_t capacity)
{
    std::vector<std::uint32_t> list;
    io::reserve_large(list, capacity);
    list.resize(size);
    std::iota(list.begin(), list.end(), 0u);
    return list;
}

} // namespace

std::size_t VertexTable::Hash::operator()(const CornerIndices& corner) const
{
    std::uint64_t hash = io::hash_seed();
    for (const std::uint32_t index : corner.indices())
        hash = (hash ^ index ^ hash >> 31) * 0x9E37'79B9'7F4A'7C15u;
    return hash ^ hash >> 32;
}

void VertexTable::reserve(std::size_t positions, std::size_t vertices)
{
    expected_positions_ = positions;
    expected_vertices_ = vertices;
}

void VertexTable::begin_segment(const StoredAttributes& stored)
{
    if (is_in_order_ && size_ > 0) leave_identity_order();
    first_ = size_;
    overflow_.clear();
    for (std::size_t i = 0; i < stored.size(); ++i)
        if (stored[i] && !stored_[i]) begin_list(i);
}

void VertexTable::start_storing(std::size_t attribute)
{
    if (!stored_[attribute]) begin_list(attribute);
    if (!is_uniform_) // otherwise the lists are not created yet
        std::copy(positions_.begin() + first_, positions_.end(), lists_[attribute].begin() + first_);
}

void VertexTable::leave_identity_order()
{
    is_in_order_ = false;
    positions_ = counted(size_, std::max<std::size_t>(expected_vertices_, size_));
    if (size_ == 0) return;
    head_of(size_ - 1);
    std::iota(heads_.begin(), heads_.begin() + size_, 0u);
}

void VertexTable::grow_heads(std::uint32_t position)
{
    const std::size_t size = std::max(expected_positions_, position + std::size_t{1});
    if (heads_.empty()) io::reserve_large(heads_, size);
    heads_.resize(size, none);
}

void VertexTable::make_lists()
{
    if (is_in_order_) leave_identity_order();
    is_uniform_ = false;
    const auto copy = [&] {
        std::vector<std::uint32_t> list;
        io::reserve_large(list, positions_.capacity());
        list = positions_;
        return list;
    };
    normals_ = copy();
    io::reserve_large(next_, positions_.capacity());
    next_.resize(size_, none);
    for (std::size_t i = 0; i < stored_.size(); ++i)
        if (stored_[i]) lists_[i] = copy();
}

void VertexTable::begin_list(std::size_t attribute)
{
    if (is_uniform_ && size_ > 0) make_lists();
    stored_[attribute] = true;
    if (is_uniform_) return;
    io::reserve_large(lists_[attribute], positions_.capacity());
    lists_[attribute].resize(size_, none);
}

void VertexTable::release_lookup()
{
    std::vector<std::uint32_t>().swap(heads_);
    std::vector<std::uint32_t>().swap(next_);
    overflow_.clear();
}

std::vector<std::uint32_t> VertexTable::positions() const
{
    return is_in_order_ ? counted(size_, size_) : positions_;
}

std::vector<std::uint32_t> VertexTable::normals() const
{
    return is_uniform_ ? positions() : normals_;
}

std::uint32_t VertexTable::find_in_overflow(const CornerIndices& corner)
{
    const auto [found, is_new] = overflow_.try_emplace(corner, size());
    if (is_new) add(corner);
    return found->second;
}

} // namespace vitrine::dae
