#include "loaders/scene/preview/decimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "loaders/base/stop.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {
namespace {

constexpr glm::vec3 up(0.0f, 1.0f, 0.0f); // instead of the normals of flat meshes; they are not drawn
constexpr std::size_t max_meshes_with_extremes = 64; // further meshes are small parts of the drawn whole

constexpr std::size_t corners(Topology topology)
{
    return topology == Topology::triangles ? 3 : topology == Topology::lines ? 2 : 1;
}

std::size_t count_elements(const Mesh& mesh)
{
    std::size_t count = 0;
    for (const auto& primitive : mesh.primitives)
        count += primitive.count / corners(primitive.topology);
    return count;
}

// The vertices that reach farthest along the seven axes through a box's faces and corners, in both
// directions.
std::array<std::uint32_t, 14> extreme_vertices(const Mesh& mesh)
{
    constexpr std::array<std::array<float, 3>, 7> axes{
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}}};
    std::array<std::uint32_t, 14> found{};
    std::array<float, 14> best;
    best.fill(-std::numeric_limits<float>::infinity());
    std::vector<bool> seen(mesh.positions.size(), false); // a vertex of a scan is a corner of six triangles
    for (const auto index : mesh.indices) {
        if (seen[index]) continue;
        seen[index] = true;
        const auto& p = mesh.positions[index];
        for (std::size_t a = 0; a < axes.size(); ++a) {
            const float along = axes[a][0] * p.x + axes[a][1] * p.y + axes[a][2] * p.z;
            if (along > best[2 * a]) best[2 * a] = along, found[2 * a] = index;
            if (-along > best[2 * a + 1]) best[2 * a + 1] = -along, found[2 * a + 1] = index;
        }
    }
    return found;
}

// Copies vertices of one mesh on demand.
class MeshDecimator {
public:
    explicit MeshDecimator(const Mesh& mesh) : from_(mesh), place_(mesh.positions.size(), none)
    {
        to_.morph_weights = mesh.morph_weights;
    }

    void take(const Primitive& primitive, std::size_t step, std::size_t offset)
    {
        const auto size = corners(primitive.topology);
        Primitive reduced{.topology = primitive.topology,
                          .first = static_cast<std::uint32_t>(to_.indices.size()),
                          .material = primitive.material,
                          .has_normals = primitive.has_normals,
                          .variants = primitive.variants};
        for (std::size_t e = offset; e < primitive.count / size; e += step)
            for (std::size_t c = 0; c < size; ++c)
                to_.indices.push_back(new_index_of(from_.indices[primitive.first + e * size + c]));
        reduced.count = static_cast<std::uint32_t>(to_.indices.size()) - reduced.first;
        to_.primitives.push_back(reduced);
    }

    // Adds the vertices as points.
    void take_vertices(std::span<const std::uint32_t> vertices)
    {
        Primitive points{.topology = Topology::points,
                         .first = static_cast<std::uint32_t>(to_.indices.size()),
                         .count = static_cast<std::uint32_t>(vertices.size())};
        for (const auto vertex : vertices)
            to_.indices.push_back(new_index_of(vertex));
        to_.primitives.push_back(points);
    }

    Mesh finish()
    {
        copy_influences();
        copy_morph_targets();
        copy_frames();
        return std::move(to_);
    }

private:
    std::uint32_t new_index_of(std::uint32_t vertex)
    {
        if (place_[vertex] == none) {
            place_[vertex] = static_cast<std::uint32_t>(vertices_.size());
            vertices_.push_back(vertex);
            to_.positions.push_back(from_.positions[vertex]);
            to_.normals.push_back(is_flat(from_) ? up : from_.normals[vertex]);
        }
        return place_[vertex];
    }

    void copy_influences()
    {
        const auto& from = from_.influences;
        auto& to = to_.influences;
        if (from.first.empty()) return;
        to.first.push_back(0);
        for (const auto vertex : vertices_) {
            const auto begin = from.first[vertex], end = from.first[vertex + 1];
            to.joints.insert(to.joints.end(), from.joints.begin() + begin, from.joints.begin() + end);
            to.weights.insert(to.weights.end(), from.weights.begin() + begin, from.weights.begin() + end);
            if (!from.positions.empty())
                to.positions.insert(to.positions.end(), from.positions.begin() + begin,
                                    from.positions.begin() + end);
            if (!from.dual_quaternion_weights.empty())
                to.dual_quaternion_weights.push_back(from.dual_quaternion_weights[vertex]);
            to.first.push_back(static_cast<std::uint32_t>(to.joints.size()));
        }
    }

    // Keeps the number of targets, because a pose has one weight for each.
    void copy_morph_targets()
    {
        for (const auto& from : from_.morph_targets) {
            auto& to = to_.morph_targets.emplace_back();
            for (std::size_t i = 0; i < from.vertices.size(); ++i) {
                const auto place = place_[from.vertices[i]];
                if (place == none) continue;
                to.vertices.push_back(place);
                to.position_deltas.push_back(from.position_deltas[i]);
                if (!from.normal_deltas.empty()) to.normal_deltas.push_back(from.normal_deltas[i]);
            }
        }
    }

    void copy_frames()
    {
        const auto stride = from_.positions.size();
        to_.frames.count = from_.frames.count;
        for (std::size_t frame = 0; frame < from_.frames.count; ++frame)
            for (const auto vertex : vertices_) {
                to_.frames.positions.push_back(from_.frames.positions[frame * stride + vertex]);
                to_.frames.normals.push_back(from_.frames.normals[frame * stride + vertex]);
            }
    }

    const Mesh& from_;
    Mesh to_;
    std::vector<std::uint32_t> place_;    // index in to_, by original vertex
    std::vector<std::uint32_t> vertices_; // original vertex, by index in to_
};

Mesh decimated(const Mesh& mesh, std::size_t step, bool keep_extremes)
{
    MeshDecimator decimator(mesh);
    std::size_t passed = 0; // elements of the preceding primitives
    for (const auto& primitive : mesh.primitives) {
        decimator.take(primitive, step, (step - passed % step) % step);
        passed += primitive.count / corners(primitive.topology);
    }
    if (keep_extremes && !mesh.indices.empty()) decimator.take_vertices(extreme_vertices(mesh));
    return decimator.finish();
}

Material without_textures(const Material& material)
{
    Material plain;
    plain.base_color = material.base_color;
    plain.alpha_mode = material.alpha_mode;
    plain.double_sided = material.double_sided;
    return plain;
}

} // namespace

Scene decimated(const Scene& scene, std::size_t elements)
{
    Scene reduced;
    reduced.format = scene.format;
    reduced.file_space = scene.file_space;
    reduced.nodes = scene.nodes;
    reduced.skins = scene.skins;
    std::ranges::transform(scene.materials, std::back_inserter(reduced.materials), without_textures);
    std::vector<bool> drawn(scene.meshes.size());
    std::size_t all = 0;
    for (const auto& instance : find_instances(scene)) {
        drawn[instance.mesh] = true;
        all += count_elements(scene.meshes[instance.mesh]);
    }
    const auto step = std::max<std::size_t>((all + elements - 1) / std::max<std::size_t>(elements, 1), 1);
    const bool keep_extremes =
        step > 1 && std::ranges::count(drawn, true) <= std::ptrdiff_t{max_meshes_with_extremes};
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
        check_stop();
        reduced.meshes.push_back(drawn[m] ? decimated(scene.meshes[m], step, keep_extremes) : Mesh{});
    }
    return reduced;
}

} // namespace vitrine::scene
