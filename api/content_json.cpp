// What a model consists of, as lists: nodes, meshes with their primitives, images.
#include <algorithm>
#include <string>

#include "api/json_text.hpp"
#include "api/pose_json.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;

// Calls `row(i)` for the rows of the range.
template <class Row>
RowPage page_of(std::size_t total, const RowRange& range, const Row& row)
{
    RowPage page{.items = {}, .total = total};
    const auto first = std::min(range.first, total);
    const auto end = first + std::min(range.count, total - first);
    for (auto i = first; i < end; ++i)
        page.items.push_back(row(i));
    return page;
}

std::string_view name_of(scene::Topology topology)
{
    switch (topology) {
    case scene::Topology::triangles: return "triangles";
    case scene::Topology::lines: return "lines";
    case scene::Topology::points: break;
    }
    return "points";
}

json::array attributes_json(const scene::Mesh& mesh)
{
    json::array names;
    const auto add = [&](bool has, std::string_view name) {
        if (has) names.emplace_back(name);
    };
    add(!mesh.positions.empty(), "positions");
    add(!mesh.normals.empty(), "normals");
    add(!mesh.tangents.empty(), "tangents");
    for (std::uint32_t set = 0; set < scene::uv_set_count(mesh); ++set)
        add(!scene::uvs_of(mesh, set).empty(), "uv" + std::to_string(set));
    add(!mesh.colors.empty(), "colors");
    add(!mesh.influences.first.empty(), "weights");
    return names;
}

json::object primitive_json(const scene::Primitive& primitive, std::size_t index)
{
    json::array variants;
    for (const auto& [variant, material] : primitive.variants)
        variants.push_back(json::object{{"variant", variant}, {"material", index_or_null(material)}});
    return {{"index", index},
            {"topology", name_of(primitive.topology)},
            {"count", primitive.count / scene::corners_of(primitive.topology)},
            {"material", index_or_null(primitive.material)},
            {"variants", std::move(variants)}};
}

json::object mesh_row(const scene::Mesh& mesh, std::size_t index)
{
    json::array targets, primitives;
    for (const auto& target : mesh.morph_targets)
        targets.emplace_back(target.name);
    for (const auto& primitive : mesh.primitives)
        primitives.push_back(primitive_json(primitive, primitives.size()));
    return {{"index", index},
            {"name", mesh.name},
            {"renderVertices", scene::shaded_vertices(mesh)},
            {"vertexFrames", mesh.frames.count},
            {"morphTargets", std::move(targets)},
            {"attributes", attributes_json(mesh)},
            {"primitives", std::move(primitives)}};
}

} // namespace

RowPage nodes_page(const scene::Scene& scene, const RowRange& range)
{
    const auto listed = listed_nodes(scene);
    const auto parents = parents_in(scene, listed);
    const auto shown_at = mesh_nodes(scene);
    return page_of(listed.size(), range, [&](std::size_t index) {
        const auto i = listed[index];
        const auto& node = scene.nodes[i];
        const auto& drawn = scene.nodes[shown_at[i]];
        return json::object{{"index", index},
                            {"node", i},
                            {"name", node.name},
                            {"parent", index_or_null(parents[index])},
                            {"local", trs_json(scene::file_local(scene, nullptr, i))},
                            {"matrix", node.matrix ? json::value(matrix_json(*node.matrix)) : json::value()},
                            {"mesh", index_or_null(drawn.mesh)},
                            {"skin", index_or_null(drawn.skin)},
                            {"visible", drawn.visible}};
    });
}

RowPage meshes_page(const scene::Scene& scene, const RowRange& range)
{
    return page_of(scene.meshes.size(), range, [&](std::size_t i) { return mesh_row(scene.meshes[i], i); });
}

RowPage images_page(const scene::Scene& scene, const RowRange& range)
{
    return page_of(scene.images.size(), range, [&](std::size_t i) {
        const auto& image = scene.images[i];
        return json::object{{"index", i},
                            {"name", image.name},
                            {"width", image.width},
                            {"height", image.height},
                            {"available", image.is_available()}};
    });
}

} // namespace vitrine::api
