#include "loaders/dae/vertex_table.hpp"

#include <algorithm>

namespace vitrine::dae {

std::size_t VertexTable::Hash::operator()(const Corner& corner) const
{
    std::uint64_t hash = 0;
    for (const std::uint32_t index : corner.indices())
        hash = (hash ^ index ^ hash >> 31) * 0x9E37'79B9'7F4A'7C15u;
    return hash ^ hash >> 32;
}

void VertexTable::reserve(std::size_t positions, std::size_t vertices)
{
    heads_.reserve(positions);
    for (auto* list : {&next_, &positions_, &normals_})
        list->reserve(vertices);
}

void VertexTable::begin_segment(const Kept& kept)
{
    first_ = size();
    overflow_.clear();
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (kept[i] && !kept_[i]) begin_list(i);
}

void VertexTable::begin_to_keep(std::size_t attribute)
{
    if (!kept_[attribute]) begin_list(attribute);
    std::copy(positions_.begin() + first_, positions_.end(), lists_[attribute].begin() + first_);
}

void VertexTable::begin_list(std::size_t attribute)
{
    kept_[attribute] = true;
    lists_[attribute].reserve(positions_.capacity());
    lists_[attribute].resize(positions_.size(), none);
}

void VertexTable::finish_looking_up()
{
    std::vector<std::uint32_t>().swap(heads_);
    std::vector<std::uint32_t>().swap(next_);
    overflow_.clear();
}

std::uint32_t VertexTable::find_in_overflow(const Corner& corner)
{
    const auto [found, is_new] = overflow_.try_emplace(corner, size());
    if (is_new) add(corner);
    return found->second;
}

} // namespace vitrine::dae
