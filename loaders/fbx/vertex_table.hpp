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
    VertexTable(std::size_t control_points, bool has_uv1, bool has_colours)
        : heads_(control_points, scene::none), has_uv1_(has_uv1), has_colours_(has_colours)
    {
        entries_.reserve(control_points + control_points / 4);
    }

    std::uint32_t find_or_add(const Vertex& vertex)
    {
        std::uint32_t& head = heads_[vertex.control_point];
        unsigned steps = 0;
        for (std::uint32_t at = head; at != scene::none; at = entries_[at].next) {
            if (is_same(at, vertex)) return at;
            if (++steps == longest_chain) return find_in_overflow(vertex);
        }
        add(vertex, head);
        return head = size() - 1;
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
    std::uint32_t control_point(std::uint32_t vertex) const { return entries_[vertex].control_point; }
    // Moves everything into the mesh's streams and returns the control point of each vertex.
    std::vector<std::uint32_t> take_streams(bool has_uv0, scene::Mesh& mesh)
    {
        std::vector<std::uint32_t>().swap(heads_);
        std::vector<std::uint32_t> control_points;
        control_points.reserve(entries_.size());
        mesh.normals.reserve(entries_.size());
        mesh.uv0.reserve(has_uv0 ? entries_.size() : 0);
        for (const Entry& entry : entries_) {
            control_points.push_back(entry.control_point);
            mesh.normals.push_back(entry.normal);
            if (has_uv0) mesh.uv0.push_back(entry.uv0);
        }
        std::vector<Entry>().swap(entries_);
        mesh.uv1 = std::move(uv1_);
        mesh.colours = std::move(colours_);
        return control_points;
    }

private:
    static constexpr unsigned longest_chain = 48; // beyond it a hash; chains are O(n * n) in a hostile file
    using Key = std::array<std::uint32_t, 12>;

    struct Entry {
        glm::vec3 normal;
        glm::vec2 uv0;
        std::uint32_t control_point;
        std::uint32_t next; // of the same control point
    };
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
        using Bits = std::array<std::uint32_t, sizeof(T) / 4>;
        return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
    }
    bool is_same(std::uint32_t at, const Vertex& v) const
    {
        const Entry& entry = entries_[at];
        return same_bits(entry.normal, v.normal) && same_bits(entry.uv0, v.uv0) &&
               (!has_uv1_ || same_bits(uv1_[at], v.uv1)) &&
               (!has_colours_ || same_bits(colours_[at], v.colour));
    }
    void add(const Vertex& vertex, std::uint32_t next)
    {
        entries_.push_back({vertex.normal, vertex.uv0, vertex.control_point, next});
        if (has_uv1_) uv1_.push_back(vertex.uv1);
        if (has_colours_) colours_.push_back(vertex.colour);
    }
    std::uint32_t find_in_overflow(const Vertex& vertex)
    {
        static_assert(sizeof(Vertex) == sizeof(Key));
        const auto [found, is_new] = overflow_.try_emplace(std::bit_cast<Key>(vertex), size());
        if (is_new) add(vertex, scene::none);
        return found->second;
    }

    std::vector<std::uint32_t> heads_; // by control point: its newest vertex
    std::vector<Entry> entries_;
    std::vector<glm::vec2> uv1_;
    std::vector<glm::vec4> colours_;
    std::unordered_map<Key, std::uint32_t, Hash> overflow_;
    bool has_uv1_, has_colours_;
};

} // namespace vitrine::fbx
