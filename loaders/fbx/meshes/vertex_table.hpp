#pragma once
// Deduplicates vertices. A control point with different normals, texture coordinates or colors becomes
// several vertices; finds or adds the one with equal bits. Uses one chain of vertices per control point,
// typically one or a few long.

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "loaders/fbx/meshes/mesh_source.hpp"
#include "loaders/io/huge_pages.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

struct CornerValues {
    std::uint32_t control_point = 0;
    glm::vec3 normal{0.0f};
    glm::vec2 uv0{0.0f};
    glm::vec2 uv1{0.0f};
    glm::vec4 color{1.0f};
    std::uint32_t more_uvs = 0;     // number of the values of the sets beyond the second (MoreUvValues)
    std::uint32_t normal_group = 0; // separates corners whose normals differ only in a shape
};

// The distinct values of the sets of texture coordinates beyond the second, numbered.
class MoreUvValues {
public:
    using SetCoordinates = std::array<glm::vec2, scene::max_uv_sets - 2>;

    // The values at a corner; `layers`: by number of the Scene's set, null: 0.
    std::uint32_t find_or_add(std::span<const ValueLayer* const> layers, const CornerPlace& place);
    // Writes the sets of vertices whose values have these numbers.
    void write(std::span<const std::uint32_t> numbers, std::size_t sets, scene::Mesh& mesh) const;

private:
    struct Hash {
        std::size_t operator()(const SetCoordinates& values) const;
    };

    std::vector<SetCoordinates> values_;
    std::unordered_map<SetCoordinates, std::uint32_t, Hash> numbers_;
};

// Vertices are written directly to the streams of the final mesh, so nothing is copied at the end.
class VertexTable {
public:
    struct VertexStreams {
        bool uv0 = false, uv1 = false, colors = false, normal_groups = false, more_uvs = false;
    };

    VertexTable(std::size_t control_points, const VertexStreams& has) : has_(has)
    {
        io::reserve_large(heads_, control_points);
        heads_.resize(control_points, scene::none);
        const std::size_t expected = control_points + control_points / 4;
        io::reserve_large(next_, expected);
        io::reserve_large(control_points_, expected);
        io::reserve_large(normals_, expected);
        if (has.uv0) io::reserve_large(uv0_, expected);
    }

    // Returns whether vertices have attributes other than a normal and the first texture coordinate.
    bool has_more() const { return has_.uv1 || has_.colors || has_.normal_groups || has_.more_uvs; }

    // Forced inline so that a vertex stays in registers: writing parts of it one by one and loading them
    // together would stall on store forwarding.
    [[gnu::always_inline]] std::uint32_t find_or_add(const CornerValues& vertex)
    {
        return find_or_add(
            vertex.control_point, vertex.normal, vertex.uv0,
            [&](std::uint32_t at) {
                return (!has_.uv1 || same_bits(uv1_[at], vertex.uv1)) &&
                       (!has_.colors || same_bits(colors_[at], vertex.color)) &&
                       (!has_.normal_groups || normal_groups_[at] == vertex.normal_group) &&
                       (!has_.more_uvs || more_uvs_[at] == vertex.more_uvs);
            },
            [&] { return vertex; });
    }
    // For tables without further attributes.
    [[gnu::always_inline]] std::uint32_t find_or_add(std::uint32_t control_point, const glm::vec3& normal,
                                                     const glm::vec2& uv)
    {
        return find_or_add(
            control_point, normal, uv, [](std::uint32_t) { return true; },
            [&] { return CornerValues{.control_point = control_point, .normal = normal, .uv0 = uv}; });
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(next_.size()); }
    std::uint32_t control_point(std::uint32_t vertex) const { return control_points_[vertex]; }
    // By vertex: CornerValues::more_uvs. Empty without.
    std::span<const std::uint32_t> more_uvs() const { return more_uvs_; }
    // Moves the data to the mesh's streams, with unit normals and linear colors, and returns the control
    // point of each vertex. `points`: the positions of the control points. The table must not be used
    // afterwards.
    std::vector<std::uint32_t> take_streams(std::vector<glm::vec3> points, scene::Mesh& mesh);

private:
    static constexpr unsigned max_chain_length =
        48; // longer chains use a hash table; chains alone would be O(n * n) in a hostile file
    using VertexKey = std::array<std::uint32_t, 14>;

    struct Hash {
        std::size_t operator()(const VertexKey& key) const
        {
            std::uint64_t hash = io::hash_seed();
            for (const std::uint32_t part : key)
                hash = (hash ^ part ^ hash >> 29) * 0xBF58'476D'1CE4'E5B9u;
            return hash ^ hash >> 32;
        }
    };

    template <class T>
    static bool same_bits(const T& a, const T& b)
    {
        using FloatBits = std::array<std::uint32_t, sizeof(T) / 4>;
        return std::bit_cast<FloatBits>(a) == std::bit_cast<FloatBits>(b);
    }
    template <class HasSameRest, class MakeVertex>
    [[gnu::always_inline]] std::uint32_t find_or_add(std::uint32_t control_point, const glm::vec3& normal,
                                                     const glm::vec2& uv, HasSameRest has_same_rest,
                                                     MakeVertex vertex)
    {
        std::uint32_t& head = heads_[control_point];
        unsigned steps = 0;
        for (std::uint32_t at = head; at != scene::none; at = next_[at]) {
            if (same_bits(normals_[at], normal) && (!has_.uv0 || same_bits(uv0_[at], uv)) &&
                has_same_rest(at))
                return at;
            if (++steps == max_chain_length) return find_in_overflow(vertex());
        }
        add(vertex(), head);
        return head = size() - 1;
    }
    [[gnu::noinline]] void add(const CornerValues& vertex, std::uint32_t next)
    {
        next_.push_back(next);
        control_points_.push_back(vertex.control_point);
        normals_.push_back(vertex.normal);
        if (has_.uv0) uv0_.push_back(vertex.uv0);
        if (has_.uv1) uv1_.push_back(vertex.uv1);
        if (has_.colors) colors_.push_back(vertex.color);
        if (has_.normal_groups) normal_groups_.push_back(vertex.normal_group);
        if (has_.more_uvs) more_uvs_.push_back(vertex.more_uvs);
    }
    [[gnu::noinline]] std::uint32_t find_in_overflow(CornerValues vertex)
    {
        static_assert(sizeof(CornerValues) == sizeof(VertexKey));
        const auto [found, is_new] = overflow_.try_emplace(std::bit_cast<VertexKey>(vertex), size());
        if (is_new) add(vertex, scene::none);
        return found->second;
    }

    std::vector<std::uint32_t> heads_; // by control point: its newest vertex
    std::vector<std::uint32_t> next_;  // by vertex: an older one of the same control point
    std::vector<std::uint32_t> control_points_;
    std::vector<glm::vec3> normals_;
    std::vector<glm::vec2> uv0_, uv1_;
    std::vector<glm::vec4> colors_;
    std::vector<std::uint32_t> normal_groups_, more_uvs_;
    std::unordered_map<VertexKey, std::uint32_t, Hash> overflow_;
    VertexStreams has_;
};

} // namespace vitrine::fbx
