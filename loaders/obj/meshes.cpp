#include "loaders/obj/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "loaders/base/srgb.hpp"
#include "loaders/base/unit_vector.hpp"
#include "loaders/io/huge_pages.hpp"

namespace vitrine::obj {
namespace {

glm::vec3 normal_of(const Document& document, std::uint32_t index)
{
    if (index == scene::none) return {0.0f, 1.0f, 0.0f}; // lines and points
    if (index < flat_normal) return unit_or_up(document.normals[index]);
    const std::uint32_t slot = index & ~smooth_normal;
    return unit_or_up(index < smooth_normal ? document.flat_normals[slot] : document.smooth_sums[slot]);
}

// Some programs write colors as bytes; in others a fraction slightly exceeds 1 by rounding or lighting, which
// is not a byte.
float color_scale(const Document& document)
{
    float largest = 0.0f;
    for (const glm::vec4& color : document.colors) {
        for (const float part : {color.x, color.y, color.z}) {
            if (part != std::trunc(part)) return 1.0f;
            largest = std::max(largest, part);
        }
    }
    return largest > 2.0f ? 1.0f / 255.0f : 1.0f;
}

glm::vec4 color_of(const glm::vec4& color, float scale)
{
    if (color.x < 0.0f) return glm::vec4(1.0f);
    const auto part = [&](float value) { return linear_from_srgb(std::clamp(value * scale, 0.0f, 1.0f)); };
    return {part(color.x), part(color.y), part(color.z), std::clamp(color.w, 0.0f, 1.0f)};
}

template <class T>
void free_memory(std::vector<T>& list)
{
    std::vector<T>().swap(list);
}

// The vertices of one part.
struct PartVertices {
    std::uint32_t first = 0, end = 0;
    bool is_last = false; // of the document: each attribute is freed as soon as it is no longer needed
};

// value(corner) for each vertex.
template <class T, class Value>
void fill(scene::Array<T>& list, const CornerTable& vertices, const PartVertices& range, Value value)
{
    io::resize_large(list, range.end - range.first);
    for (std::uint32_t v = range.first; v < range.end; ++v)
        list[v - range.first] = value(vertices[v]);
}

void fill_vertices(Document& document, const PartVertices& range, float scale, scene::Mesh& mesh)
{
    const CornerTable& vertices = document.vertices;
    bool has_uv = false;
    for (std::uint32_t v = range.first; v < range.end && !has_uv; ++v)
        has_uv = vertices[v].uv != scene::none;
    fill(mesh.positions, vertices, range, [&](const Corner& at) { return document.positions[at.position]; });
    if (range.is_last) free_memory(document.positions);
    fill(mesh.normals, vertices, range, [&](const Corner& at) { return normal_of(document, at.normal); });
    if (range.is_last) free_memory(document.normals);
    if (has_uv)
        fill(mesh.uv0, vertices, range,
             [&](const Corner& at) { return at.uv == scene::none ? glm::vec2(0.0f) : document.uvs[at.uv]; });
    if (range.is_last) free_memory(document.uvs);
    if (!document.colors.empty())
        fill(mesh.colors, vertices, range,
             [&](const Corner& at) { return color_of(document.colors[at.position], scale); });
}

// Ranges of equal topology and material are combined, in order of first use.
void fill_indices(Document& document, std::span<const PrimitiveRun> primitive_runs, bool is_only_part,
                  scene::Mesh& mesh)
{
    std::map<std::pair<std::uint32_t, scene::Topology>, std::vector<const PrimitiveRun*>> groups;
    std::vector<std::vector<const PrimitiveRun*>*> order;
    for (const PrimitiveRun& run : primitive_runs) {
        auto& group = groups[{run.material, run.topology}];
        if (group.empty()) order.push_back(&group);
        group.push_back(&run);
    }
    const bool in_order = std::ranges::all_of(order, [](const auto* group) { return group->size() == 1; });
    if (in_order && is_only_part) mesh.indices = std::move(document.indices);
    std::uint64_t first = 0;
    for (const auto* group : order) {
        scene::Primitive primitive{group->front()->topology, static_cast<std::uint32_t>(first), 0,
                                   group->front()->material};
        for (const PrimitiveRun* run : *group) {
            primitive.count += static_cast<std::uint32_t>(run->count);
            first += run->count;
            if (in_order && is_only_part) continue;
            const auto begin = document.indices.begin() + static_cast<std::ptrdiff_t>(run->first);
            mesh.indices.insert(mesh.indices.end(), begin, begin + static_cast<std::ptrdiff_t>(run->count));
        }
        mesh.primitives.push_back(primitive);
    }
}

} // namespace

void add_meshes(Document& document, scene::Scene& scene)
{
    if (document.parts.back().first_index == document.indices.size()) document.parts.pop_back();
    const float scale = color_scale(document);
    const std::size_t count = document.parts.size();
    document.vertices.finish();
    for (std::size_t p = 0; p < count; ++p) {
        const MeshPart& part = document.parts[p];
        const bool last = p + 1 == count;
        const std::uint32_t vertex_end = last ? document.vertices.size() : document.parts[p + 1].first_vertex;
        const std::size_t run_end =
            last ? document.primitive_runs.size() : document.parts[p + 1].first_primitive_run;
        scene::Mesh mesh;
        mesh.name = part.name;
        fill_vertices(document, {part.first_vertex, vertex_end, last}, scale, mesh);
        fill_indices(document,
                     std::span(document.primitive_runs)
                         .subspan(part.first_primitive_run, run_end - part.first_primitive_run),
                     count == 1, mesh);
        scene::Node node;
        node.name = part.name;
        node.local.translation = glm::vec3(document.origin);
        node.mesh = static_cast<std::uint32_t>(scene.meshes.size());
        scene.nodes.push_back(std::move(node));
        scene.meshes.push_back(std::move(mesh));
    }
}

} // namespace vitrine::obj
