#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loaders/base/quake_normals.hpp"
#include "loaders/md2/file.hpp"
#include "loaders/quake/frame_clips.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::md2 {
namespace {

// The scene's vertices, sorted by file vertex, each with its file vertex and texture coordinate. Pairs are
// compared by coordinate value, because some exporters write one coordinate per corner.
struct SplitVertices {
    std::vector<std::uint32_t> sources;
    std::vector<TexCoord> coords;
    std::vector<std::uint32_t> corners; // by triangle corner: index of the scene's vertex
};

std::uint32_t packed(TexCoord coord)
{
    return std::uint32_t{static_cast<std::uint16_t>(coord.s)} << 16 | static_cast<std::uint16_t>(coord.t);
}

// One corner of a triangle: vertex, coordinate and index, the sort key.
struct SortedCorner {
    std::uint16_t vertex;
    TexCoord coord;
    std::uint32_t number;

    std::uint64_t key() const { return std::uint64_t{vertex} << 32 | packed(coord); }
};

// Sorts by vertex with a counting sort, then each vertex's few corners by coordinate.
std::vector<SortedCorner> sorted_corners(const Md2File& file)
{
    std::vector<std::uint32_t> ends(std::size_t{file.vertex_count} + 1,
                                    0); // by vertex: end of its range; start while filling
    for (const Md2Triangle& triangle : file.triangles)
        for (const std::uint16_t vertex : triangle.vertices)
            ++ends[vertex + std::size_t{1}];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<SortedCorner> corners(file.triangles.size() * 3);
    std::uint32_t number = 0;
    for (const Md2Triangle& triangle : file.triangles) {
        for (std::size_t c = 0; c < 3; ++c) {
            const TexCoord coord = file.coords.empty() ? TexCoord{} : file.coords[triangle.coords[c]];
            corners[ends[triangle.vertices[c]]++] = {triangle.vertices[c], coord, number++};
        }
    }
    for (std::uint32_t v = 0, first = 0; v < file.vertex_count; first = ends[v++]) {
        const std::span same(corners.begin() + first, corners.begin() + ends[v]);
        std::ranges::sort(same, {}, [](const SortedCorner& corner) { return packed(corner.coord); });
    }
    return corners;
}

SplitVertices split_vertices(const Md2File& file)
{
    SplitVertices split;
    split.corners.resize(file.triangles.size() * 3);
    const std::vector<SortedCorner> corners = sorted_corners(file);
    std::size_t at = 0;
    const auto add = [&](std::uint32_t source, TexCoord coord) {
        split.sources.push_back(source);
        split.coords.push_back(coord);
    };
    for (std::uint32_t v = 0; v < file.vertex_count; ++v) {
        if (at == corners.size() || corners[at].vertex != v) add(v, {}); // not used by a triangle
        for (; at < corners.size() && corners[at].vertex == v; ++at) {
            if (at == 0 || corners[at].key() != corners[at - 1].key()) add(v, corners[at].coord);
            split.corners[corners[at].number] = static_cast<std::uint32_t>(split.sources.size() - 1);
        }
    }
    return split;
}

Md2FrameVertex vertex_of(const VertexFrameRecord& frame, std::uint32_t index)
{
    Md2FrameVertex vertex;
    std::memcpy(&vertex, frame.vertices.data() + std::size_t{index} * sizeof(Md2FrameVertex), sizeof vertex);
    return vertex;
}

// Returns whether normals are meaningful: exporters without the normal table write one index for all
// vertices. Indices outside the table count as missing.
bool has_normals(const Md2File& file)
{
    bool differ = false;
    const std::uint8_t first = file.vertex_count == 0 ? 0 : vertex_of(file.frames[0], 0).normal;
    for (const VertexFrameRecord& frame : file.frames) {
        for (std::uint32_t v = 0; v < file.vertex_count; ++v) {
            const std::uint8_t normal = vertex_of(frame, v).normal;
            if (normal >= quake_normals.size()) return false;
            differ |= normal != first;
        }
    }
    return differ;
}

scene::VertexFrames frames_of(const Md2File& file, std::span<const std::uint32_t> sources, bool with_normals)
{
    const std::size_t count = sources.size() * file.frames.size();
    std::vector<glm::vec3> positions(count), normals(with_normals ? count : 0);
    std::size_t at = 0;
    for (const VertexFrameRecord& frame : file.frames) {
        for (const std::uint32_t source : sources) {
            const Md2FrameVertex vertex = vertex_of(frame, source);
            const glm::vec3 position(vertex.position[0], vertex.position[1], vertex.position[2]);
            positions[at] = position * frame.scale + frame.translate;
            if (with_normals) normals[at] = quake_normals[vertex.normal];
            ++at;
        }
    }
    scene::VertexFrames frames;
    frames.count = static_cast<std::uint32_t>(file.frames.size());
    frames.positions = std::move(positions);
    frames.normals = std::move(normals);
    return frames;
}

void add_coords(std::span<const TexCoord> coords, SkinSize skin, scene::Array<glm::vec2>& out)
{
    const glm::vec2 texel(1.0f / static_cast<float>(std::max(skin.width, 1u)),
                          1.0f / static_cast<float>(std::max(skin.height, 1u)));
    out.reserve(coords.size());
    for (const TexCoord coord : coords)
        out.push_back(glm::vec2(coord.s, coord.t) * texel);
}

} // namespace

LoadResult<scene::Mesh> make_mesh(const Md2File& file, SkinSize skin, const Limits& limits)
{
    SplitVertices split = split_vertices(file);
    const std::uint64_t vertices = std::uint64_t{split.sources.size()} * file.frames.size();
    if (vertices > limits.vertices) {
        return fail(
            LoadErrc::limit_exceeded, "",
            fmt::format("{} vertices in each of {} frames are more than the limit vertices = {} in all",
                        split.sources.size(), file.frames.size(), limits.vertices));
    }
    scene::Mesh mesh;
    const bool with_normals = has_normals(file);
    mesh.frames = frames_of(file, split.sources, with_normals);
    const auto first = static_cast<std::ptrdiff_t>(split.sources.size());
    mesh.positions.assign(mesh.frames.positions.begin(), mesh.frames.positions.begin() + first);
    if (!file.coords.empty()) add_coords(split.coords, skin, mesh.uv0);
    mesh.indices = std::move(split.corners);
    const auto count = static_cast<std::uint32_t>(mesh.indices.size());
    if (count > 0) mesh.primitives.push_back({scene::Topology::triangles, 0, count, scene::none});
    scene::flip_winding(mesh);
    if (with_normals)
        mesh.normals.assign(mesh.frames.normals.begin(), mesh.frames.normals.begin() + first);
    else
        quake::compute_frame_normals(mesh, split.sources);
    return mesh;
}

} // namespace vitrine::md2
