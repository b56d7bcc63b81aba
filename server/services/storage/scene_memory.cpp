// The size of a Scene in memory.
#include "server/services/storage/scene_store.hpp"

namespace vitrine::server {
namespace {

template <class Container>
std::uint64_t bytes_of(const Container& values)
{
    return values.size() * sizeof(*values.data());
}

std::uint64_t bytes_of(const scene::Mesh& mesh)
{
    std::uint64_t bytes = bytes_of(mesh.positions) + bytes_of(mesh.normals) + bytes_of(mesh.tangents) +
                          bytes_of(mesh.uv0) + bytes_of(mesh.uv1) + bytes_of(mesh.colors) +
                          bytes_of(mesh.indices) + bytes_of(mesh.frames.positions) +
                          bytes_of(mesh.frames.normals);
    bytes += bytes_of(mesh.influences.first) + bytes_of(mesh.influences.joints) +
             bytes_of(mesh.influences.weights) + bytes_of(mesh.influences.positions);
    for (const auto& uvs : mesh.more_uvs)
        bytes += bytes_of(uvs);
    for (const auto& primitive : mesh.primitives)
        bytes += bytes_of(primitive.variants);
    for (const auto& target : mesh.morph_targets)
        bytes += bytes_of(target.vertices) + bytes_of(target.position_deltas) +
                 bytes_of(target.normal_deltas) + bytes_of(target.tangent_deltas);
    return bytes;
}

} // namespace

std::uint64_t memory_bytes(const scene::Scene& scene)
{
    std::uint64_t bytes = sizeof scene + bytes_of(scene.nodes) + bytes_of(scene.materials);
    for (const auto& mesh : scene.meshes)
        bytes += bytes_of(mesh);
    for (const auto& skin : scene.skins)
        bytes += bytes_of(skin.joints) + bytes_of(skin.inverse_bind);
    for (const auto& clip : scene.clips)
        for (const auto& channel : clip.channels)
            bytes += sizeof channel + bytes_of(channel.times) + bytes_of(channel.values);
    for (const auto& image : scene.images)
        bytes += sizeof image + bytes_of(image.pixels);
    return bytes;
}

} // namespace vitrine::server
