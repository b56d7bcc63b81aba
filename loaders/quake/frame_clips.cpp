#include "loaders/quake/frame_clips.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::quake {
namespace {

constexpr std::uint64_t max_faces = 40'000'000; // limit for all frames; about three seconds

} // namespace

scene::Clip make_clip(std::string name, const FrameRange& range)
{
    return {.name = std::move(name),
            .start_time = range.first / range.rate,
            .duration = (range.count - (range.loops ? 0 : 1)) / range.rate,
            .frame_rate = range.rate,
            .frames = range.count,
            .channels = {}};
}

scene::Channel frame_channel(std::uint32_t node, const FrameRange& range, std::uint32_t available)
{
    scene::Channel channel{.node = node, .path = scene::Path::vertex_frame, .times = {}, .values = {}};
    const std::uint32_t last = available - 1;
    for (std::uint32_t f = 0; f < range.count; ++f) {
        channel.times.push_back(key_time(range, f));
        channel.values.push_back(static_cast<float>(std::min(range.first + f, last)));
    }
    if (range.loops) {
        channel.times.push_back(key_time(range, range.count));
        channel.values.push_back(channel.values[0]);
    }
    return channel;
}

void compute_frame_normals(scene::Mesh& mesh, std::span<const std::uint32_t> groups)
{
    const std::size_t n = mesh.positions.size();
    scene::Array<glm::vec3> rest = std::move(mesh.positions), first;
    mesh.frames.normals.clear();
    mesh.frames.normals.reserve(n * mesh.frames.count);
    const bool every = std::uint64_t{mesh.indices.size() / 3} * mesh.frames.count <= max_faces;
    for (std::size_t f = 0; f < mesh.frames.count; ++f) {
        const auto at = mesh.frames.positions.begin() + static_cast<std::ptrdiff_t>(f * n);
        mesh.positions.assign(at, at + static_cast<std::ptrdiff_t>(n));
        if (every || f == 0) scene::compute_normals(mesh, groups);
        mesh.frames.normals.insert(mesh.frames.normals.end(), mesh.normals.begin(), mesh.normals.end());
        if (f == 0) first = mesh.normals;
    }
    mesh.positions = std::move(rest);
    mesh.normals = std::move(first);
}

} // namespace vitrine::quake
