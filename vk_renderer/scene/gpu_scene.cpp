#include "vk_renderer/scene/gpu_scene.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "vk_renderer/textures/material_extensions.hpp"
#include "vk_renderer/textures/uv_transform.hpp"

namespace vitrine::render {
namespace {

constexpr VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

// Format of an array's texel view.
constexpr VkFormat texel_format = VK_FORMAT_R32G32B32A32_UINT;
constexpr VkFormat words = VK_FORMAT_R32_UINT;

// Returns the size of the largest array that shaders can read; `format`: of its texel view.
VkDeviceSize max_array_bytes(const Device& device, VkFormat format)
{
    if (format == VK_FORMAT_UNDEFINED || !device.traits.prefers_texel_buffers)
        return device.limits.maxStorageBufferRange;
    const VkDeviceSize texel_bytes = format == texel_format ? 16 : 4;
    return device.limits.maxTexelBufferElements * texel_bytes;
}

// Uploads an array and frees its host memory.
template <class T>
Buffer upload(const Device& device, Uploader& uploader, std::vector<T>& array, VkBufferUsageFlags usage,
              std::string_view name, VkFormat format = VK_FORMAT_UNDEFINED)
{
    const auto bytes = std::as_bytes(std::span(array));
    if (usage == storage && bytes.size() > max_array_bytes(device, format))
        throw TooLargeForDevice(fmt::format("the model's {} need {} MiB; the device can bind {} MiB", name,
                                            bytes.size() >> 20, max_array_bytes(device, format) >> 20));
    auto buffer = uploader.buffer(bytes, {MemoryDomain::device, usage, format}, name);
    std::vector<T>().swap(array);
    return buffer;
}

shared::MaterialParams material_params(const scene::Material& m)
{
    return {.base_color = m.base_color,
            .emissive = glm::vec4(m.unlit ? glm::vec3(0.0f) : m.emissive, m.alpha_cutoff),
            .metallic_roughness = {m.metallic, m.roughness, m.normal_scale, m.occlusion_strength},
            .base_uv = uv_transform(m.base_color_texture),
            .surface_uv = uv_transform(m.metallic_roughness_texture),
            .normal_uv = uv_transform(m.normal_texture),
            .occlusion_uv = uv_transform(m.occlusion_texture),
            .emissive_uv = uv_transform(m.emissive_texture),
            .extensions = material_extension_params(m)};
}

std::vector<shared::MaterialParams> material_table(const scene::Scene& scene)
{
    std::vector<shared::MaterialParams> table;
    for (const auto& material : scene.materials)
        table.push_back(material_params(material));
    table.push_back(material_params(scene::Material{}));
    return table;
}

Buffer upload_materials(const Device& device, const scene::Scene& scene, Uploader& uploader)
{
    auto table = material_table(scene);
    return upload(device, uploader, table, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, "materials");
}

} // namespace

PreparedScene::PreparedScene(const scene::Scene& scene)
    : packed(pack(scene)), casters(find_casters(scene, packed))
{
}

GpuScene::GpuScene(const Device& device, const scene::Scene& scene, PreparedScene prepared, Uploader& up)
    : packed(std::move(prepared.packed)), casters(std::move(prepared.casters)),
      vertices_total(static_cast<std::uint32_t>(packed.vertices.size())), has_unused(!packed.used.empty()),
      vertices(upload(device, up, packed.vertices, storage, "vertices", texel_format)),
      tangents(upload(device, up, packed.tangents, storage, "tangents", words)),
      attributes(
          upload(device, up, packed.attributes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | storage, "attributes")),
      more_uvs(upload(device, up, packed.more_uvs, storage, "UV sets beyond the second")),
      indices(upload(device, up, packed.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT | storage, "indices")),
      caster_indices(
          upload(device, up, casters.indices, storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, "casters")),
      translucent_casters(upload(device, up, casters.translucent, storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 "translucent casters")),
      opacity_masks(upload(device, up, casters.opacity_masks, storage, "opacity masks")),
      used(upload(device, up, packed.used, storage, "mask of used vertices", words)),
      skin1_joints(upload(device, up, packed.skin1_joints, storage, "skin1 joints", words)),
      skin4_joints(upload(device, up, packed.skin4_joints, storage, "skin4 joints", words)),
      skin4_weights(upload(device, up, packed.skin4_weights, storage, "skin4 weights", texel_format)),
      skinN_vertices(upload(device, up, packed.skinN_vertices, storage, "skinN vertices", texel_format)),
      skinN_instances(upload(device, up, packed.skinN_instances, storage, "skinN instances", texel_format)),
      blocks(upload(device, up, packed.blocks, storage, "influences", texel_format)),
      influence_positions(
          upload(device, up, packed.influence_positions, storage, "influence positions", texel_format)),
      deltas(upload(device, up, packed.deltas, storage, "morph deltas", texel_format)),
      tangent_deltas(upload(device, up, packed.tangent_deltas, storage, "tangent deltas", texel_format)),
      frame_vertices(upload(device, up, packed.frame_vertices, storage, "vertex frames", texel_format)),
      materials(upload_materials(device, scene, up)), textures(device, scene, up)
{
    up.submit(); // the last step: an exception would free what the device uses
}

void GpuScene::upload_lod(const Device& device, SceneLod& to, const LodIndices& coarse,
                          Uploader& uploader) const
{
    if (to.indices) return;
    std::vector<Range> ranges;
    for (const auto& item : packed.draws) {
        const auto mesh = packed.instances[item.instance].mesh;
        if (mesh >= coarse.primitives.size() || item.primitive >= coarse.primitives[mesh].size())
            throw RenderError("the level of detail belongs to another scene");
        const auto& runs = coarse.primitives[mesh][item.primitive];
        const auto& run = item.back_to_back ? runs.back_to_back : runs.single;
        ranges.push_back(item.first_part ? Range{run.first, run.count} : Range{});
    }
    auto list = coarse.indices;
    auto buffer = upload(device, uploader, list, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "coarse indices");
    uploader.submit();
    to = {std::move(buffer), std::move(ranges)};
}

VkDeviceSize GpuScene::size_bytes() const
{
    VkDeviceSize sum = textures.size_bytes();
    for (const auto& [triangles, level] : crowd_lods)
        sum += level.indices.size();
    for (const auto* buffer : {&vertices,
                               &tangents,
                               &attributes,
                               &more_uvs,
                               &indices,
                               &lod.indices,
                               &caster_indices,
                               &translucent_casters,
                               &opacity_masks,
                               &used,
                               &skin1_joints,
                               &skin4_joints,
                               &skin4_weights,
                               &skinN_vertices,
                               &skinN_instances,
                               &blocks,
                               &influence_positions,
                               &deltas,
                               &tangent_deltas,
                               &frame_vertices,
                               &materials,
                               &weight_colors})
        sum += buffer->size();
    return sum;
}

VkDeviceSize upload_bytes(const Device& device, const scene::Scene& scene, const PackedScene& packed)
{
    const auto bytes = [](const auto&... arrays) {
        return (VkDeviceSize{0} + ... + std::as_bytes(std::span(arrays)).size());
    };
    return texture_bytes(scene, device.traits.texture_limit) +
           bytes(packed.vertices, packed.tangents, packed.attributes, packed.more_uvs, packed.indices,
                 packed.used, packed.skin1_joints, packed.skin4_joints, packed.skin4_weights,
                 packed.skinN_vertices, packed.skinN_instances, packed.blocks, packed.influence_positions,
                 packed.deltas, packed.tangent_deltas, packed.frame_vertices);
}

} // namespace vitrine::render
