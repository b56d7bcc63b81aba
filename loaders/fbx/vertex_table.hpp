#pragma once
// A control point with different normals, texture coordinates or colours around it becomes several vertices:
// finds or makes the one with the same bits. A chain of the vertices per control point, which in practice is
// one or a few long.

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

struct Vertex {
    std::uint32_t control_point = 0;
    glm::vec3 normal{0.0f};
    glm::vec2 uv0{0.0f};
    glm::vec2 uv1{0.0f};
    glm::vec4 colour{1.0f};
};

class VertexTable {
public:
    VertexTable(std::size_t control_points, bool has_uv0, bool has_uv1, bool has_colours)
        : heads_(control_points, scene::none), has_uv0_(has_uv0), has_uv1_(has_uv1), has_colours_(has_colours)
    {
        const std::size_t expected = control_points + control_points / 4;
        next_.reserve(expected);
        control_points_.reserve(expected);
        mesh_.normals.reserve(expected);
        if (has_uv0) mesh_.uv0.reserve(expected);
    }

    std::uint32_t find_or_add(const Vertex& vertex)
    {
        std::uint32_t& head = heads_[vertex.control_point];
        unsigned steps = 0;
        for (std::uint32_t at = head; at != scene::none; at = next_[at]) {
            if (is_same(at, vertex)) return at;
            if (++steps == longest_chain) return find_in_overflow(vertex);
        }
        next_.push_back(head);
        return head = add(vertex);
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(control_points_.size()); }
    // By vertex.
    std::vector<std::uint32_t>& control_points() { return control_points_; }
    // Moves normals, texture coordinates and colours into the mesh.
    void take_streams(scene::Mesh& mesh)
    {
        mesh.normals = std::move(mesh_.normals);
        mesh.uv0 = std::move(mesh_.uv0);
        mesh.uv1 = std::move(mesh_.uv1);
        mesh.colours = std::move(mesh_.colours);
    }

private:
    static constexpr unsigned longest_chain = 48; // beyond it a hash; chains are O(n * n) in a hostile file
    using Key = std::array<std::uint32_t, 12>;

    struct Hash {
        std::size_t operator()(const Key& key) const
        {
            std::uint64_t hash = 0x9E37'79B9'7F4A'7C15u;
            for (const std::uint32_t part : key)
                hash = (hash ^ part ^ hash >> 29) * 0xBF58'476D'1CE4'E5B9u;
            return hash ^ hash >> 32;
        }
    };

    template <class T>
    static bool same_bits(const T& a, const T& b)
    {
        return std::bit_cast<std::array<std::byte, sizeof(T)>>(a) ==
               std::bit_cast<std::array<std::byte, sizeof(T)>>(b);
    }
    bool is_same(std::uint32_t at, const Vertex& v) const
    {
        return same_bits(mesh_.normals[at], v.normal) && (!has_uv0_ || same_bits(mesh_.uv0[at], v.uv0)) &&
               (!has_uv1_ || same_bits(mesh_.uv1[at], v.uv1)) &&
               (!has_colours_ || same_bits(mesh_.colours[at], v.colour));
    }
    std::uint32_t add(const Vertex& vertex)
    {
        control_points_.push_back(vertex.control_point);
        mesh_.normals.push_back(vertex.normal);
        if (has_uv0_) mesh_.uv0.push_back(vertex.uv0);
        if (has_uv1_) mesh_.uv1.push_back(vertex.uv1);
        if (has_colours_) mesh_.colours.push_back(vertex.colour);
        return size() - 1;
    }
    std::uint32_t find_in_overflow(const Vertex& vertex)
    {
        static_assert(sizeof(Vertex) == sizeof(Key));
        const auto [found, is_new] = overflow_.try_emplace(std::bit_cast<Key>(vertex), size());
        if (is_new) {
            next_.push_back(scene::none);
            add(vertex);
        }
        return found->second;
    }

    std::vector<std::uint32_t> heads_; // by control point: its newest vertex
    std::vector<std::uint32_t> next_;  // by vertex
    std::vector<std::uint32_t> control_points_;
    scene::Mesh mesh_; // its streams
    std::unordered_map<Key, std::uint32_t, Hash> overflow_;
    bool has_uv0_, has_uv1_, has_colours_;
};

} // namespace vitrine::fbx
