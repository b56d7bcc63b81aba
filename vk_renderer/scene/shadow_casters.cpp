#include "vk_renderer/scene/shadow_casters.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "loaders/base/stop.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "vk_renderer/mesh/visible_backfaces.hpp"

namespace vitrine::render {
namespace {

// Relative to the mesh's radius: a shorter edge falls within a texel of the map or its neighbor, because the
// map is 128 texels wide and the model's shadow fills at most half of it.
constexpr float max_point_caster_edge_ratio = 1.0f / 48.0f;

// Palette entries whose triangles cast only if front-facing: each needs its own dispatch.
constexpr std::size_t max_front_face_entries = 64;

// Triangles per scene that are examined for connected components.
constexpr std::size_t max_component_triangles = 32768;

float longest_edge(const scene::Mesh& mesh)
{
    scene::Aabb box;
    for (const auto& p : mesh.positions)
        box.add(p);
    return max_point_caster_edge_ratio * 0.5f * glm::length(box.size());
}

class CasterCollector {
public:
    CasterCollector(const scene::Scene& scene, const PackedScene& packed)
        : scene_(scene), packed_(packed), translucent_(scene)
    {
    }

    Casters find()
    {
        for (const auto& item : packed_.draws) {
            if (!item.casts_shadow) continue;
            check_stop();
            const auto& front_facing_only = visible_backfaces_of(item);
            front_face_entry_ = scene::none;
            add(item, front_facing_only);
            if (front_facing_only.empty()) continue;
            front_face_entry_ = item.palette_entry;
            add(item, front_facing_only);
        }
        for (const auto& [key, list] : lists_) {
            const auto [front_face_entry, corners] = key;
            if (list.empty()) continue;
            out_.runs.push_back({static_cast<std::uint32_t>(out_.indices.size()),
                                 static_cast<std::uint32_t>(list.size() / corners), corners, 0,
                                 front_face_entry});
            out_.indices.insert(out_.indices.end(), list.begin(), list.end());
        }
        out_.translucent = translucent_.take_list();
        out_.opacity_masks = translucent_.take_masks();
        return std::move(out_);
    }

private:
    // By triangle of a draw: whether it casts only if front-facing. Empty: no triangle does.
    const std::vector<bool>& visible_backfaces_of(const DrawItem& item)
    {
        static const std::vector<bool> none;
        if (!item.cull || item.topology != scene::Topology::triangles) return none;
        if (front_face_entries_.size() == max_front_face_entries &&
            !front_face_entries_.contains(item.palette_entry))
            return none;
        const auto [at, added] = front_facing_only_.try_emplace(item.first_index);
        if (added) {
            const auto triangles = std::span(packed_.indices).subspan(item.first_index, item.index_count);
            const auto remaining =
                max_component_triangles - std::min(component_triangles_, max_component_triangles);
            at->second =
                visible_backfaces(scene_.meshes[packed_.instances[item.instance].mesh], triangles, remaining);
            if (item.index_count / 3 <= remaining) component_triangles_ += item.index_count / 3;
        }
        if (!at->second.empty()) front_face_entries_.insert(item.palette_entry);
        return at->second;
    }

    // Adds the triangles of a draw that cast only if front-facing, or the others, depending on
    // `front_face_entry_`. Fine ones cast by their vertices: one run from the lowest to the highest.
    void add(const DrawItem& item, const std::vector<bool>& front_facing_only)
    {
        const bool fronts = front_face_entry_ != scene::none;
        const auto& mesh = scene_.meshes[packed_.instances[item.instance].mesh];
        const auto corners = corners_of(item.topology);
        const bool may_be_translucent = (item.alpha != scene::AlphaMode::opaque || item.transmissive) &&
                                        item.topology == scene::Topology::triangles;
        const float fine = corners == 1 ? 0.0f : find_longest_edge(packed_.instances[item.instance].mesh);
        const auto offset = static_cast<std::uint32_t>(item.vertex_offset);
        const auto indices = std::span(packed_.indices).subspan(item.first_index, item.index_count);
        auto& list = lists_[{front_face_entry_, corners}];
        Fine cast_by_vertices{.has_gaps = !front_facing_only.empty()};
        for (std::size_t i = 0; i + corners <= indices.size(); i += corners) {
            const auto element = indices.subspan(i, corners);
            if (!front_facing_only.empty() && front_facing_only[i / 3] != fronts) continue;
            const bool by_vertices = !fronts && is_fine(mesh, element, fine);
            if (by_vertices && corners == 3 && is_flat(mesh, element)) continue;
            if (may_be_translucent && add_translucent(mesh, element, item, by_vertices)) {
                cast_by_vertices.has_gaps = true;
                continue;
            }
            if (by_vertices) {
                cast_by_vertices.add(element, may_be_translucent || !front_facing_only.empty());
                continue;
            }
            for (const auto vertex : element)
                list.push_back(vertex + offset);
        }
        add_fine(cast_by_vertices, offset);
    }

    // The vertices of a draw's fine elements.
    struct Fine {
        void add(std::span<const std::uint32_t> element, bool one_by_one)
        {
            const auto [min_vertex, max_vertex] = std::ranges::minmax(element);
            low = std::min(low, min_vertex);
            high = std::max(high, max_vertex);
            if (one_by_one) vertices.insert(vertices.end(), element.begin(), element.end());
        }

        std::uint32_t low = UINT32_MAX, high = 0;
        bool has_gaps = false; // some vertices in the range do not cast
        std::vector<std::uint32_t> vertices;
    };

    void add_fine(Fine& fine, std::uint32_t offset)
    {
        if (!fine.has_gaps) {
            if (fine.low <= fine.high) add_vertices(fine.low + offset, fine.high + 1 - fine.low);
            return;
        }
        std::ranges::sort(fine.vertices);
        const auto back_to_back = std::ranges::unique(fine.vertices);
        fine.vertices.erase(back_to_back.begin(), back_to_back.end());
        for (const auto vertex : fine.vertices)
            lists_[{front_face_entry_, 1}].push_back(vertex + offset);
    }

    // Returns true if the triangle is handled: it lets some or all light through.
    bool add_translucent(const scene::Mesh& mesh, std::span<const std::uint32_t> triangle,
                         const DrawItem& item, bool fine)
    {
        const auto node = packed_.instances[item.instance].node;
        const TranslucentCasters::CasterSurface surface{mesh, item.material, scene_.nodes[node].color.w};
        const auto coverage = translucent_.coverage_over(surface, triangle);
        if (coverage == OpacityMask::Coverage::some) {
            translucent_.add(surface, triangle, static_cast<std::uint32_t>(item.vertex_offset), fine);
            auto& runs = out_.translucent_runs;
            if (runs.empty() || runs.back().front_face_entry != front_face_entry_)
                runs.push_back({.first = static_cast<std::uint32_t>(translucent_.size() - 1),
                                .front_face_entry = front_face_entry_});
            ++runs.back().count;
        }
        return coverage != OpacityMask::Coverage::all;
    }

    // Degenerate in every pose; shadow_cast.comp tests large triangles in the current pose.
    static bool is_flat(const scene::Mesh& mesh, std::span<const std::uint32_t> triangle)
    {
        if (!mesh.morph_targets.empty() || mesh.frames.count > 0) return false;
        const glm::dvec3 a = mesh.positions[triangle[0]];
        const auto along = glm::dvec3(mesh.positions[triangle[1]]) - a;
        const auto other = glm::dvec3(mesh.positions[triangle[2]]) - a;
        const auto n = glm::cross(along, other);
        return glm::dot(n, n) <= 1e-10 * glm::dot(along, along) * glm::dot(other, other);
    }

    static bool is_fine(const scene::Mesh& mesh, std::span<const std::uint32_t> element, float longest)
    {
        for (std::size_t i = 0; i < element.size(); ++i) {
            const auto edge = mesh.positions[element[i]] - mesh.positions[element[(i + 1) % element.size()]];
            if (!(glm::dot(edge, edge) < longest * longest)) return false;
        }
        return true;
    }

    float find_longest_edge(std::uint32_t mesh)
    {
        const auto [at, added] = longest_edges_.try_emplace(mesh, 0.0f);
        if (added) at->second = longest_edge(scene_.meshes[mesh]);
        return at->second;
    }

    void add_vertices(std::uint32_t first, std::uint32_t count)
    {
        auto& runs = out_.runs;
        if (!runs.empty() && runs.back().first_vertex + runs.back().count == first)
            runs.back().count += count;
        else
            runs.push_back({.count = count, .first_vertex = first});
    }

    const scene::Scene& scene_;
    const PackedScene& packed_;
    std::uint32_t front_face_entry_ = scene::none; // Caster::front_face_entry of the current elements
    std::set<std::uint32_t> front_face_entries_;   // all entries in use
    std::map<std::uint32_t, std::vector<bool>> front_facing_only_; // by DrawItem::first_index
    std::size_t component_triangles_ = 0;
    // By front_face_entry and corners.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> lists_;
    std::map<std::uint32_t, float> longest_edges_; // by mesh
    TranslucentCasters translucent_;
    Casters out_;
};

} // namespace

Casters find_casters(const scene::Scene& scene, const PackedScene& packed)
{
    return CasterCollector(scene, packed).find();
}

} // namespace vitrine::render
