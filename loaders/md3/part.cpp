#include "loaders/md3/player.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/md3/skin_file.hpp"
#include "loaders/md3/tags.hpp"
#include "loaders/quake/equal_vertices.hpp"
#include "loaders/quake/frame_clips.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::md3 {
namespace {

constexpr float stored_unit = 1.0f / 64.0f; // of a stored position

struct SineCosine {
    float sine = 0.0f;
    float cosine = 1.0f;
};

// Returns sines and cosines of 256ths of a turn.
std::array<SineCosine, 256> make_sines()
{
    std::array<SineCosine, 256> sines;
    for (std::size_t i = 0; i < sines.size(); ++i) {
        const double angle = static_cast<double>(i) * std::numbers::pi / 128.0;
        sines[i] = {static_cast<float>(std::sin(angle)), static_cast<float>(std::cos(angle))};
    }
    return sines;
}

glm::vec3 normal_of(const Md3FrameVertex& vertex)
{
    static const std::array<SineCosine, 256> sines = make_sines();
    const SineCosine longitude = sines[vertex.longitude], latitude = sines[vertex.latitude];
    return {latitude.cosine * longitude.sine, latitude.sine * longitude.sine, longitude.cosine};
}

// Constant normals are placeholders of exporters that do not write normals.
bool has_normals(const Md3Surface& surface)
{
    return std::ranges::any_of(surface.vertices, [&](const Md3FrameVertex& vertex) {
        return vertex.longitude != surface.vertices[0].longitude ||
               vertex.latitude != surface.vertices[0].latitude;
    });
}

// Vertices at one position in the first frame share a group, so that texture seams stay smooth.
std::vector<std::uint32_t> groups_by_place(const Md3Surface& surface)
{
    std::vector<std::uint64_t> places;
    places.reserve(surface.vertex_count);
    for (std::uint32_t v = 0; v < surface.vertex_count; ++v) {
        const auto [x, y, z] = std::bit_cast<std::array<std::uint16_t, 3>>(surface.vertices[v].position);
        places.push_back(std::uint64_t{x} << 32 | std::uint64_t{y} << 16 | z);
    }
    std::vector<std::uint32_t> groups(surface.vertex_count);
    std::iota(groups.begin(), groups.end(), 0u);
    const std::vector<quake::KeyedVertex> sharing = quake::find_equal_keys(places);
    for (std::size_t i = 1; i < sharing.size(); ++i) {
        if (sharing[i].key == sharing[i - 1].key) groups[sharing[i].vertex] = groups[sharing[i - 1].vertex];
    }
    return groups;
}

scene::Mesh make_mesh(const Md3Surface& surface)
{
    scene::Mesh mesh;
    mesh.name = io::to_utf8(surface.name);
    mesh.uv0 = surface.coords;
    mesh.frames.count = surface.frame_count;
    std::vector<glm::vec3> positions(surface.vertices.size());
    std::ranges::transform(surface.vertices, positions.begin(), [](const Md3FrameVertex& vertex) {
        const auto& p = vertex.position;
        return glm::vec3(p[0], p[1], p[2]) * stored_unit;
    });
    mesh.frames.positions = std::move(positions);
    const auto first = static_cast<std::ptrdiff_t>(surface.vertex_count);
    mesh.positions.assign(mesh.frames.positions.begin(), mesh.frames.positions.begin() + first);
    mesh.indices.reserve(surface.triangles.size() * 3);
    for (const auto& [a, b, c] : surface.triangles)
        mesh.indices.insert(mesh.indices.end(), {a, c, b}); // converts to counter-clockwise front faces
    const auto count = static_cast<std::uint32_t>(mesh.indices.size());
    if (count > 0) mesh.primitives.push_back({scene::Topology::triangles, 0, count, scene::none});
    if (!has_normals(surface)) {
        quake::compute_frame_normals(mesh, groups_by_place(surface));
        return mesh;
    }
    std::vector<glm::vec3> normals(surface.vertices.size());
    std::ranges::transform(surface.vertices, normals.begin(), normal_of);
    mesh.frames.normals = std::move(normals);
    mesh.normals.assign(mesh.frames.normals.begin(), mesh.frames.normals.begin() + first);
    return mesh;
}

std::uint32_t add_node(scene::Scene& scene, std::string name, std::uint32_t parent)
{
    scene::Node node;
    node.name = std::move(name);
    node.parent = parent;
    scene.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(scene.nodes.size() - 1);
}

} // namespace

ModelPart::ModelPart(scene::Scene& scene, Md3File file, std::string name, std::uint32_t parent,
                     io::WarningLog& warnings)
    : surfaces_{std::move(file)}, name_(std::move(name)), node_(add_node(scene, name_, parent))
{
    for (const Md3Surface& surface : surfaces_.file.surfaces) {
        scene.source_vertices += surface.vertex_count;
        scene.source_polygons += surface.triangles.size();
    }
    add_surfaces(scene, surfaces_, warnings);
    for (std::uint32_t t = 0; t < surfaces_.file.tag_count; ++t)
        add_tag(scene, t, warnings);
}

void ModelPart::add_surfaces(scene::Scene& scene, Level& level, io::WarningLog& warnings) const
{
    for (Md3Surface& surface : level.file.surfaces) {
        level.nodes.push_back(add_surface(scene, surface, warnings));
        surface.vertices = {}; // frees what the meshes contain
        surface.triangles = {};
        surface.coords = {};
    }
}

std::uint32_t ModelPart::add_surface(scene::Scene& scene, const Md3Surface& surface,
                                     io::WarningLog& warnings) const
{
    const std::string where = fmt::format("surface {}", io::shown(surface.name));
    if (surface.vertex_count == 0) {
        warnings.add("md3_empty_surface", "a surface has no vertices; it is ignored", where);
        return scene::none;
    }
    if (surface.frame_count != file().frame_count) {
        warnings.add("md3_frames_differ",
                     fmt::format("the surface has {} frames and the model {}; its last one is held",
                                 surface.frame_count, file().frame_count),
                     where);
    }
    const std::uint32_t node = add_node(scene, io::to_utf8(surface.name), node_);
    scene.nodes[node].mesh = static_cast<std::uint32_t>(scene.meshes.size());
    scene.meshes.push_back(make_mesh(surface));
    return node;
}

// Returns the name that the surface of a level has in the most detailed one: "h_head" for "h_head_1".
std::string_view ModelPart::name_of_detailed(std::string_view name) const
{
    const auto& surfaces = file().surfaces;
    const bool is_there = std::ranges::find(surfaces, name, &Md3Surface::name) != surfaces.end();
    return is_there ? name : name_without_level(name);
}

void ModelPart::add_levels(scene::Scene& scene, std::vector<Md3File> files, io::WarningLog& warnings)
{
    const auto last = static_cast<std::uint32_t>(files.size());
    const auto set = [&](std::uint32_t node, const scene::LevelRange& range) {
        if (node == scene::none || !scene.nodes[node].visible) return;
        scene.nodes[node].levels = range;
        scene.nodes[node].visible = range.first == 0;
    };
    for (const std::uint32_t node : surfaces_.nodes)
        set(node, {0, 0});
    for (std::uint32_t number = 1; Md3File & file : files) {
        Level& level = levels_.emplace_back(Level{std::move(file)});
        add_surfaces(scene, level, warnings);
        for (std::size_t s = 0; s < level.nodes.size(); ++s) {
            if (level.nodes[s] == scene::none) continue;
            scene::Node& node = scene.nodes[level.nodes[s]];
            node.name = io::to_utf8(name_of_detailed(level.file.surfaces[s].name));
            scene.meshes[node.mesh].name = node.name;
            scene.meshes[node.mesh].shares_geometry = true;
            set(level.nodes[s], {number, number < last ? number : scene::none});
        }
        ++number;
    }
}

void ModelPart::add_tag(scene::Scene& scene, std::uint32_t tag, io::WarningLog& warnings)
{
    const TagPlacement placement = place(file().tag(0, tag));
    const std::uint32_t node = add_node(scene, io::to_utf8(file().tag(0, tag).name), node_);
    scene.nodes[node].local = placement.trs;
    tag_nodes_.push_back(node);
    if (!placement.sheared) return;
    warnings.add("md3_tag_sheared", "the tag's axes are not perpendicular; they are orthogonalized",
                 fmt::format("tag {}", io::shown(file().tag(0, tag).name)));
}

std::uint32_t ModelPart::find_tag(std::string_view name) const
{
    for (std::uint32_t t = 0; t < file().tag_count; ++t)
        if (ascii::equal_ignoring_case(file().tag(0, t).name, name)) return tag_nodes_[t];
    return scene::none;
}

std::uint64_t ModelPart::key_values(std::size_t frames) const
{
    std::uint64_t surfaces = file().surfaces.size();
    for (const Level& level : levels_)
        surfaces += level.file.surfaces.size();
    return frames * (surfaces + std::uint64_t{file().tag_count} * 10);
}

namespace {

void add_surface_channels(scene::Clip& clip, const ModelPart::Level& level, const FrameSchedule& schedule)
{
    for (std::size_t s = 0; s < level.nodes.size(); ++s) {
        if (level.nodes[s] == scene::none) continue;
        scene::Channel channel{
            .node = level.nodes[s], .path = scene::Path::vertex_frame, .times = schedule.times, .values = {}};
        const std::uint32_t last = level.file.surfaces[s].frame_count - 1;
        for (const std::uint32_t frame : schedule.frames)
            channel.values.push_back(static_cast<float>(std::min(frame, last)));
        clip.channels.push_back(std::move(channel));
    }
}

} // namespace

void ModelPart::add_channels(scene::Clip& clip, const FrameSchedule& schedule, bool is_placeholder) const
{
    const std::size_t first = clip.channels.size();
    add_surface_channels(clip, surfaces_, schedule);
    for (std::uint32_t t = 0; t < file().tag_count; ++t)
        for (auto& channel : tag_channels(file(), t, tag_nodes_[t], schedule.frames, schedule.times))
            clip.channels.push_back(std::move(channel));
    for (const Level& level : levels_)
        add_surface_channels(clip, level, schedule);
    for (scene::Channel& channel : std::span(clip.channels).subspan(first))
        channel.is_placeholder = is_placeholder;
}

} // namespace vitrine::md3
