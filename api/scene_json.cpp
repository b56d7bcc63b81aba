#include "api/scene_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/bounds_json.hpp"
#include "api/json_text.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/parts/levels.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;
using scene::none;
using scene::Scene;

std::uint64_t triangle_count(const Scene& scene)
{
    std::uint64_t indices = 0;
    for (const auto& mesh : scene.meshes)
        for (const auto& primitive : mesh.primitives)
            if (!mesh.shares_geometry && primitive.topology == scene::Topology::triangles)
                indices += primitive.count;
    return indices / 3;
}

std::uint64_t key_count(const scene::Clip& clip)
{
    std::uint64_t keys = 0;
    for (const auto& channel : clip.channels)
        keys += channel.times.size();
    return keys;
}

std::string up_axis(const glm::mat3& axes)
{
    constexpr std::array<const char*, 3> names{"X", "Y", "Z"};
    for (int axis = 0; axis < 3; ++axis)
        if (std::abs(axes[axis].y) > 0.5f)
            return std::string(axes[axis].y < 0 ? "-" : "") + names[static_cast<std::size_t>(axis)];
    return "Y";
}

json::value texture_json(const Scene& scene, const scene::Texture& texture)
{
    if (texture.image == none) return nullptr;
    return json::object{
        {"image", texture.image}, {"name", scene.images[texture.image].name}, {"uvSet", texture.uv_set}};
}

const char* name_of(scene::AlphaMode mode)
{
    constexpr std::array<const char*, 3> names{"opaque", "mask", "blend"};
    return names[static_cast<std::size_t>(mode)];
}

json::value extensions_json(const Scene& scene, const scene::MaterialExtensions& extensions)
{
    if (extensions == scene::MaterialExtensions{}) return nullptr;
    return json::object{
        {"ior", number(extensions.ior)},
        {"specular", number(extensions.specular)},
        {"specularTexture", texture_json(scene, extensions.specular_texture)},
        {"specularColor", numbers(extensions.specular_color)},
        {"specularColorTexture", texture_json(scene, extensions.specular_color_texture)},
        {"clearcoat", number(extensions.clearcoat)},
        {"clearcoatTexture", texture_json(scene, extensions.clearcoat_texture)},
        {"clearcoatRoughness", number(extensions.clearcoat_roughness)},
        {"clearcoatRoughnessTexture", texture_json(scene, extensions.clearcoat_roughness_texture)},
        {"sheen", numbers(extensions.sheen)},
        {"sheenTexture", texture_json(scene, extensions.sheen_texture)},
        {"sheenRoughness", number(extensions.sheen_roughness)},
        {"sheenRoughnessTexture", texture_json(scene, extensions.sheen_roughness_texture)},
        {"transmission", number(extensions.transmission)},
        {"transmissionTexture", texture_json(scene, extensions.transmission_texture)},
        {"thickness", number(extensions.thickness)},
        {"attenuationDistance", extensions.attenuation_distance > 0.0f
                                    ? number(extensions.attenuation_distance)
                                    : json::value(nullptr)},
        {"attenuationColor", numbers(extensions.attenuation_color)}};
}

json::object material_json(const Scene& scene, const scene::Material& material)
{
    return {{"name", material.name},
            {"baseColor", numbers(material.base_color)},
            {"baseColorTexture", texture_json(scene, material.base_color_texture)},
            {"metallic", number(material.metallic)},
            {"roughness", number(material.roughness)},
            {"metallicRoughnessTexture", texture_json(scene, material.metallic_roughness_texture)},
            {"normalTexture", texture_json(scene, material.normal_texture)},
            {"occlusionTexture", texture_json(scene, material.occlusion_texture)},
            {"emissive", numbers(material.emissive)},
            {"emissiveTexture", texture_json(scene, material.emissive_texture)},
            {"alphaMode", name_of(material.alpha_mode)},
            {"alphaCutoff", number(material.alpha_cutoff)},
            {"doubleSided", material.double_sided},
            {"unlit", material.unlit},
            {"extensions", extensions_json(scene, material.extensions)}};
}

json::object mesh_json(const scene::Mesh& mesh)
{
    json::array targets;
    for (const auto& target : mesh.morph_targets)
        targets.emplace_back(target.name);
    return {{"name", mesh.name},
            {"renderVertices", scene::shaded_vertices(mesh)},
            {"primitives", mesh.primitives.size()},
            {"morphTargets", std::move(targets)},
            {"vertexFrames", mesh.frames.count}};
}

json::array meshes_json(const Scene& scene)
{
    json::array out;
    for (const auto& mesh : scene.meshes)
        out.push_back(mesh_json(mesh));
    return out;
}

} // namespace

json::object inspect_json(const Scene& scene)
{
    const auto rest = scene::static_bounds_from_origin(scene);
    return {{"format", scene.format},
            {"generator", scene.generator},
            {"counts", to_json(count_contents(scene))},
            {"bounds", bounds_json(rest)},
            {"fileSpace", file_space_json(scene, rest)},
            {"skeleton", skeleton_json(scene)},
            {"clips", clips_with_facts_json(scene)},
            {"materials", materials_json(scene)},
            {"variants", variants_json(scene)},
            {"skins", variants_json(scene)},
            {"levels", levels_json(scene)},
            {"frames", scene::count_file_frames(scene)},
            {"images", images_json(scene)},
            {"meshes", meshes_json(scene)},
            {"vrm", vrm_json(scene, VrmWeights::listed)},
            {"attribution", attribution_json(scene)},
            {"warnings", warnings_json(scene.warnings)}};
}

Counts count_contents(const Scene& scene)
{
    const auto distinct = [](const scene::Mesh& mesh) { return !mesh.shares_geometry; };
    const auto has_keys = [](const scene::Clip& clip) { return key_count(clip) > 0; };
    return {.meshes = static_cast<std::uint64_t>(std::ranges::count_if(scene.meshes, distinct)),
            .vertices = scene.source_vertices,
            .polygons = scene.source_polygons,
            .triangles = triangle_count(scene),
            .joints = count_listed_joints(scene),
            .clips = static_cast<std::uint64_t>(std::ranges::count_if(scene.clips, has_keys)),
            .materials = scene.materials.size(),
            .images = scene.images.size()};
}

json::object file_space_json(const Scene& scene, const scene::OffsetBox& rest)
{
    const auto& space = scene.file_space;
    return {{"upAxis", up_axis(space.axes)},
            {"unitMetres", number(space.unit_meters)},
            {"bounds", bounds_json(scene::to_file_space(space, rest))}};
}

json::array materials_json(const Scene& scene)
{
    json::array out;
    for (const auto& material : scene.materials)
        out.push_back(material_json(scene, material));
    return out;
}

std::string materials_text(const Scene& scene)
{
    std::string out = "[";
    for (const auto& material : scene.materials)
        out += (out.size() > 1 ? "," : "") + to_text(material_json(scene, material));
    return out + "]";
}

json::array variants_json(const Scene& scene)
{
    json::array out;
    for (const auto& name : scene.variants)
        out.emplace_back(name);
    return out;
}

std::string materials_list_text(std::string_view materials, std::string_view variants)
{
    return fmt::format(R"({{"items":{},"next":null,"variants":{}}})", materials, variants);
}

json::array levels_json(const Scene& scene)
{
    json::array out;
    for (const auto& level : scene::count_levels(scene))
        out.push_back(
            json::object{{"level", out.size()}, {"nodes", level.nodes}, {"triangles", level.triangles}});
    return out;
}

namespace {

// By node of the file: the triangles that it and its helpers draw; none if neither it nor a node below draws.
std::vector<std::optional<std::uint64_t>> drawn_triangles(const Scene& scene,
                                                          const std::vector<std::uint32_t>& parents)
{
    std::vector<std::optional<std::uint64_t>> drawn(scene.nodes.size());
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        if (scene.nodes[node].mesh == none) continue;
        auto& triangles = drawn[scene::file_node(scene, node)];
        triangles = triangles.value_or(0);
        for (const auto& primitive : scene.meshes[scene.nodes[node].mesh].primitives)
            if (primitive.topology == scene::Topology::triangles) *triangles += primitive.count / 3;
    }
    for (std::size_t node = drawn.size(); node-- > 0;)
        if (drawn[node] && parents[node] != none) drawn[parents[node]] = drawn[parents[node]].value_or(0);
    return drawn;
}

json::object part_json(const Scene& scene, std::uint32_t node, std::uint32_t parent, std::uint64_t triangles)
{
    const auto& part = scene.nodes[node];
    return {{"node", node},
            {"name", part.name},
            {"parent", index_or_null(parent)},
            {"mesh", part.mesh == none ? json::value(nullptr) : json::value(scene.meshes[part.mesh].name)},
            {"triangles", triangles},
            {"visible", part.visible},
            {"levels", json::array{part.levels.first, index_or_null(part.levels.last)}}};
}

} // namespace

json::object parts_json(const Scene& scene)
{
    const auto parents = scene::file_parents(scene);
    const auto drawn = drawn_triangles(scene, parents);
    json::array nodes;
    std::size_t omitted = 0;
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        if (!drawn[node] || scene::is_helper(scene.nodes[node])) continue;
        if (nodes.size() < max_parts)
            nodes.push_back(part_json(scene, node, parents[node], *drawn[node]));
        else
            ++omitted;
    }
    return {{"skins", variants_json(scene)},
            {"levels", levels_json(scene)},
            {"frames", scene::count_file_frames(scene)},
            {"nodes", std::move(nodes)},
            {"omitted", omitted}};
}

json::array images_json(const Scene& scene)
{
    json::array out;
    for (const auto& image : scene.images)
        out.push_back(json::object{{"name", image.name}, {"width", image.width}, {"height", image.height}});
    return out;
}

json::array warnings_json(std::span<const scene::Warning> warnings)
{
    json::array out;
    for (const auto& warning : warnings)
        out.push_back(
            json::object{{"code", warning.code}, {"message", warning.message}, {"where", warning.where}});
    return out;
}

json::object warnings_list_json(const scene::Warning& first, std::string_view stored)
{
    auto items = warnings_json(std::span(&first, 1));
    if (!stored.empty())
        for (auto& warning : json::parse(stored).as_array())
            items.push_back(std::move(warning));
    return list_json(std::move(items));
}

json::value index_or_null(std::uint32_t index)
{
    return index == none ? json::value(nullptr) : json::value(index);
}

} // namespace vitrine::api
