#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "loaders/md5/scene_builder.hpp"
#include "loaders/quake/equal_vertices.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::md5 {
namespace {

// Beyond this distance floats are too imprecise; squares remain finite.
constexpr double max_vertex_distance = 1e9;
// Relative to the model's extent: closer placements are equal. Exporters print 6 digits.
constexpr double relative_position_tolerance = 5e-6;

std::span<const Md5Weight> weights_of(const Md5Mesh& mesh, const Md5Vertex& vertex)
{
    if (vertex.weight_count == 0) return {};
    return std::span(mesh.weights).subspan(vertex.first_weight, vertex.weight_count);
}

// Calls f(weight, its bind-pose position, vertex) for each nonzero weight.
template <class Function>
void for_each_placement(const Skeleton& skeleton, const Md5Mesh& mesh, Function f)
{
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        for (const Md5Weight& weight : weights_of(mesh, mesh.vertices[v]))
            if (weight.bias != 0.0) f(weight, apply(skeleton.model[weight.joint], weight.position), v);
    }
}

void add_influences(const Skeleton& skeleton, const Md5Mesh& mesh, std::span<const glm::dvec3> positions,
                    double size, scene::Influences& out)
{
    std::size_t count = 0;
    for (const Md5Vertex& vertex : mesh.vertices)
        count += vertex.weight_count;
    out.first.assign(mesh.vertices.size() + 1, 0);
    out.joints.reserve(count);
    out.weights.reserve(count);
    bool agree = true;
    for_each_placement(skeleton, mesh, [&](const Md5Weight& weight, const glm::dvec3& placed, std::size_t v) {
        agree = agree && glm::distance(placed, positions[v]) <= relative_position_tolerance * size;
        out.joints.push_back(static_cast<std::uint16_t>(weight.joint));
        out.weights.push_back(static_cast<float>(weight.bias));
        ++out.first[v + 1];
    });
    std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
    if (agree) return;
    out.positions.reserve(out.joints.size());
    for_each_placement(skeleton, mesh, [&](const Md5Weight&, const glm::dvec3& placed, std::size_t) {
        out.positions.emplace_back(placed);
    });
}

std::uint64_t mixed(std::uint64_t hash, double value)
{
    hash ^= std::bit_cast<std::uint64_t>(value + 0.0); // -0 becomes 0
    hash *= 0x9E37'79B9'7F4A'7C15u;
    return hash ^ hash >> 29;
}

// Equal for vertices with equal weights. A collision only smooths one edge too many.
std::uint64_t weight_hash(const Md5Mesh& mesh, const Md5Vertex& vertex)
{
    std::uint64_t hash = vertex.weight_count;
    for (const Md5Weight& weight : weights_of(mesh, vertex)) {
        hash = mixed(mixed(hash, weight.joint), weight.bias);
        for (int i = 0; i < 3; ++i)
            hash = mixed(hash, weight.position[i]);
    }
    return hash;
}

std::vector<quake::KeyedVertex> vertices_at_one_place(const Md5Mesh& mesh)
{
    std::vector<std::uint64_t> hashes;
    hashes.reserve(mesh.vertices.size());
    for (const Md5Vertex& vertex : mesh.vertices)
        hashes.push_back(weight_hash(mesh, vertex));
    return quake::find_equal_keys(hashes);
}

// One group per position and direction: vertices split along a texture seam are averaged, but the two sides
// of a sheet, with equal weights and opposite normals, are not. `none` for vertices without a partner.
std::vector<std::uint32_t> smoothing_groups(const Md5Mesh& mesh, std::span<const glm::vec3> normals)
{
    constexpr float min_cosine = -0.2f; // of two normals; below, they belong to the two sides of a sheet
    const std::vector<quake::KeyedVertex> sharing = vertices_at_one_place(mesh);
    std::vector<std::uint32_t> groups(mesh.vertices.size(), scene::none);
    std::vector<std::uint32_t> leaders; // of the groups at this position; few, facing different directions
    std::uint32_t group_count = 0;
    for (std::size_t i = 0; i < sharing.size(); ++i) {
        if (i == 0 || sharing[i].key != sharing[i - 1].key) leaders.clear();
        const std::uint32_t v = sharing[i].vertex;
        const auto leader = std::ranges::find_if(
            leaders, [&](std::uint32_t other) { return glm::dot(normals[v], normals[other]) > min_cosine; });
        if (leader == leaders.end()) {
            leaders.push_back(v);
            continue;
        }
        if (groups[*leader] == scene::none) groups[*leader] = group_count++;
        groups[v] = groups[*leader];
    }
    return groups;
}

} // namespace

std::vector<glm::dvec3> bind_positions(const Skeleton& skeleton, const Md5Mesh& mesh)
{
    std::vector<glm::dvec3> positions;
    positions.reserve(mesh.vertices.size());
    for (const Md5Vertex& vertex : mesh.vertices) {
        glm::dvec3 sum{0.0};
        for (const Md5Weight& weight : weights_of(mesh, vertex)) {
            sum += weight.bias * apply(skeleton.model[weight.joint], weight.position);
        }
        positions.push_back(sum);
    }
    return positions;
}

LoadResult<scene::Mesh> make_mesh(const Skeleton& skeleton, Md5Mesh& mesh, std::vector<glm::dvec3> positions,
                                  double size)
{
    scene::Mesh out;
    out.name = mesh.name;
    out.positions.reserve(mesh.vertices.size());
    out.uv0.reserve(mesh.vertices.size());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (!(glm::length(positions[v]) <= max_vertex_distance)) {
            return fail(LoadErrc::out_of_range, fmt::format("line {}", mesh.vertices[v].line),
                        fmt::format("the vertex is {:.3g} units from the origin", glm::length(positions[v])));
        }
        out.positions.emplace_back(positions[v]);
        out.uv0.push_back(mesh.vertices[v].uv);
    }
    add_influences(skeleton, mesh, positions, size, out.influences);
    positions = {};
    out.indices.reserve(mesh.triangles.size() * 3);
    for (const auto& [a, b, c] : std::exchange(mesh.triangles, {}))
        out.indices.insert(out.indices.end(), {a, c, b}); // converts to counter-clockwise front faces
    const auto count = static_cast<std::uint32_t>(out.indices.size());
    out.primitives.push_back({scene::Topology::triangles, 0, count, scene::none});
    scene::compute_normals(out);
    scene::compute_normals(out, smoothing_groups(mesh, out.normals));
    return out;
}

} // namespace vitrine::md5
