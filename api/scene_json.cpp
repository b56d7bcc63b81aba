#include "api/scene_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "api/json_text.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;
using scene::none;
using scene::Scene;

json::value index_or_null(std::uint32_t index)
{
    return index == none ? json::value(nullptr) : json::value(index);
}

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

const char* name_of(scene::Path path)
{
    constexpr std::array<const char*, 5> names{"translation", "rotation", "scale", "weights", "vertexFrame"};
    return names[static_cast<std::size_t>(path)];
}

const char* name_of(scene::Interpolation interpolation)
{
    constexpr std::array<const char*, 3> names{"step", "linear", "cubic"};
    return names[static_cast<std::size_t>(interpolation)];
}

json::value layers_json(const Scene& scene, const scene::MaterialExtensions& extensions)
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
            {"layers", layers_json(scene, material.extensions)}};
}

json::object mesh_json(const scene::Mesh& mesh)
{
    json::array targets;
    for (const auto& target : mesh.morph_targets)
        targets.emplace_back(target.name);
    return {{"name", mesh.name},
            {"renderVertices", mesh.positions.size()},
            {"primitives", mesh.primitives.size()},
            {"morphTargets", std::move(targets)},
            {"vertexFrames", mesh.frames.count}};
}

json::array weights_json(const scene::Pose& pose, std::size_t node)
{
    json::array out;
    for (auto i = pose.first_weight[node]; i < pose.first_weight[node + 1]; ++i)
        out.push_back(number(pose.morph_weights[i]));
    return out;
}

// Returns the node of each file node's mesh: its helper node, or the node itself.
std::vector<std::uint32_t> mesh_nodes(const Scene& scene)
{
    std::vector<std::uint32_t> at(scene.nodes.size());
    for (std::uint32_t i = 0; i < at.size(); ++i)
        at[i] = i;
    for (std::uint32_t i = 0; i < at.size(); ++i)
        if (const auto of = scene.nodes[i].helper_of;
            of != none && scene.nodes[i].mesh != none && scene.nodes[of].mesh == none && at[of] == of)
            at[of] = i;
    return at;
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
    const auto rest = scene::rest_bounds_from_origin(scene);
    return {{"format", scene.format},
            {"generator", scene.generator},
            {"counts", counts_json(scene)},
            {"bounds", bounds_json(rest)},
            {"fileSpace", file_space_json(scene, rest)},
            {"skeleton", skeleton_json(scene)},
            {"clips", clips_json(scene)},
            {"materials", materials_json(scene)},
            {"variants", variants_json(scene)},
            {"images", images_json(scene)},
            {"meshes", meshes_json(scene)},
            {"warnings", warnings_json(scene)}};
}

json::object counts_json(const Scene& scene)
{
    const auto moving =
        std::ranges::count_if(scene.clips, [](const auto& clip) { return key_count(clip) > 0; });
    const auto meshes =
        std::ranges::count_if(scene.meshes, [](const auto& mesh) { return !mesh.shares_geometry; });
    return {{"meshes", meshes},
            {"vertices", scene.source_vertices},
            {"polygons", scene.source_polygons},
            {"triangles", triangle_count(scene)},
            {"joints", count_listed_joints(scene)},
            {"clips", moving},
            {"materials", scene.materials.size()},
            {"images", scene.images.size()}};
}

json::value bounds_json(const scene::Aabb& box)
{
    if (box.empty()) return nullptr;
    return json::object{{"min", numbers(box.min)}, {"max", numbers(box.max)}};
}

json::value bounds_json(const scene::OffsetBox& offset)
{
    const auto& [box, origin] = offset;
    if (box.empty() || origin == glm::dvec3(0.0)) return bounds_json(box);
    return json::object{{"min", numbers(origin + glm::dvec3(box.min))},
                        {"max", numbers(origin + glm::dvec3(box.max))}};
}

json::object file_space_json(const Scene& scene, const scene::OffsetBox& rest)
{
    const auto& space = scene.file_space;
    return {{"upAxis", up_axis(space.axes)},
            {"unitMetres", number(space.unit_metres)},
            {"bounds", bounds_json(scene::to_file_space(space, rest))}};
}

json::object clip_json(const Scene& scene, std::uint32_t index)
{
    const auto& clip = scene.clips[index];
    std::uint64_t channels = 0, keys = 0;
    for (const auto& channel : clip.channels) {
        if (scene::channel_node(scene, channel) == none) continue;
        ++channels;
        keys += channel.times.size();
    }
    return {{"id", "c" + std::to_string(index)},
            {"index", index},
            {"name", clip.name},
            {"startTime", number(clip.start_time)},
            {"duration", number(clip.duration)},
            {"frameRate", number(clip.frame_rate)},
            {"frames", clip.frames},
            {"channels", channels},
            {"keys", keys}};
}

json::array clips_json(const Scene& scene)
{
    json::array out;
    for (std::uint32_t i = 0; i < scene.clips.size(); ++i)
        out.push_back(clip_json(scene, i));
    return out;
}

json::array channels_json(const Scene& scene, std::uint32_t clip)
{
    json::array out;
    for (const auto& channel : scene.clips[clip].channels) {
        const auto node = scene::channel_node(scene, channel);
        if (node == none) continue;
        out.push_back(json::object{{"node", node},
                                   {"name", scene.nodes[node].name},
                                   {"path", name_of(channel.path)},
                                   {"interpolation", name_of(channel.interpolation)},
                                   {"keys", channel.times.size()}});
    }
    return out;
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

json::array images_json(const Scene& scene)
{
    json::array out;
    for (const auto& image : scene.images)
        out.push_back(json::object{{"name", image.name}, {"width", image.width}, {"height", image.height}});
    return out;
}

json::array warnings_json(const Scene& scene)
{
    json::array out;
    for (const auto& warning : scene.warnings)
        out.push_back(
            json::object{{"code", warning.code}, {"message", warning.message}, {"where", warning.where}});
    return out;
}

json::object trs_json(const scene::Trs& trs)
{
    const auto& q = trs.rotation;
    return {{"translation", numbers(trs.translation)},
            {"rotation", json::array{number(q.x), number(q.y), number(q.z), number(q.w)}},
            {"scale", numbers(trs.scale)}};
}

json::array matrix_json(const glm::mat4& matrix)
{
    json::array out;
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            out.push_back(number(matrix[column][row]));
    return out;
}

json::array nodes_json(const Scene& scene, const scene::Pose& pose)
{
    json::array out;
    const auto parents = scene::file_parents(scene);
    const auto shown_at = mesh_nodes(scene);
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene::is_helper(scene.nodes[i])) continue;
        out.push_back(json::object{{"index", i},
                                   {"name", scene.nodes[i].name},
                                   {"parent", index_or_null(parents[i])},
                                   {"local", trs_json(scene::file_local(scene, &pose, i))},
                                   {"model", matrix_json(pose.model[i])},
                                   {"morphWeights", weights_json(pose, shown_at[i])}});
    }
    return out;
}

} // namespace vitrine::api
