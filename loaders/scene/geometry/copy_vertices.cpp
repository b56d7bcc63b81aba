#include "loaders/scene/geometry/copy_vertices.hpp"

#include <algorithm>
#include <vector>

namespace vitrine::scene {
namespace {

using Vertices = std::span<const std::uint32_t>;

template <class T>
void append_to_stream(Array<T>& stream, std::size_t count, Vertices vertices)
{
    if (stream.size() != count) return;
    stream.reserve(count + vertices.size());
    for (const std::uint32_t v : vertices)
        stream.push_back(stream[v]);
}

void append_to_influences(Influences& in, std::size_t count, Vertices vertices)
{
    append_to_stream(in.dual_quaternion_weights, count, vertices);
    if (in.first.size() != count + 1) return;
    for (const std::uint32_t v : vertices) {
        for (std::uint32_t i = in.first[v]; i < in.first[v + 1]; ++i) {
            in.joints.push_back(in.joints[i]);
            in.weights.push_back(in.weights[i]);
            if (!in.positions.empty()) in.positions.push_back(in.positions[i]);
        }
        in.first.push_back(static_cast<std::uint32_t>(in.joints.size()));
    }
}

// `copy_of`: by vertex, the index of its copy or none.
void append_to_target(MorphTarget& target, Vertices copy_of)
{
    const auto again = [](Array<glm::vec3>& deltas, std::size_t i) {
        if (!deltas.empty()) deltas.push_back(deltas[i]);
    };
    for (std::size_t i = 0, moved = target.vertices.size(); i < moved; ++i) {
        const std::uint32_t copy = copy_of[target.vertices[i]];
        if (copy == none) continue;
        target.vertices.push_back(copy);
        again(target.position_deltas, i);
        again(target.normal_deltas, i);
        again(target.tangent_deltas, i);
    }
}

void append_to_frames(Array<glm::vec3>& frames, std::size_t count, Vertices vertices)
{
    if (frames.size() % count != 0) return;
    Array<glm::vec3> longer;
    longer.reserve(frames.size() / count * (count + vertices.size()));
    for (auto frame = frames.begin(); frame != frames.end(); frame += static_cast<std::ptrdiff_t>(count)) {
        longer.insert(longer.end(), frame, frame + static_cast<std::ptrdiff_t>(count));
        for (const std::uint32_t v : vertices)
            longer.push_back(frame[v]);
    }
    frames = std::move(longer);
}

} // namespace

void append_copies(Mesh& mesh, std::span<const std::uint32_t> vertices)
{
    if (vertices.empty()) return;
    const std::size_t count = mesh.positions.size();
    std::vector<std::uint32_t> copy_of(count, none);
    for (std::size_t i = 0; i < vertices.size(); ++i)
        copy_of[vertices[i]] = static_cast<std::uint32_t>(count + i);
    for (MorphTarget& target : mesh.morph_targets)
        append_to_target(target, copy_of);
    append_to_influences(mesh.influences, count, vertices);
    append_to_frames(mesh.frames.positions, count, vertices);
    append_to_frames(mesh.frames.normals, count, vertices);
    append_to_stream(mesh.normals, count, vertices);
    append_to_stream(mesh.tangents, count, vertices);
    append_to_stream(mesh.uv0, count, vertices);
    append_to_stream(mesh.uv1, count, vertices);
    for (auto& uvs : mesh.more_uvs)
        append_to_stream(uvs, count, vertices);
    append_to_stream(mesh.colors, count, vertices);
    append_to_stream(mesh.positions, count, vertices);
}

} // namespace vitrine::scene
