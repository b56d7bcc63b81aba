#include "loaders/scene/layers/append_scene.hpp"

#include "loaders/base/stop.hpp"
#include "loaders/scene/material_textures.hpp"

namespace vitrine::scene {
namespace {

template <class T>
std::uint32_t count_of(const std::vector<T>& list)
{
    return static_cast<std::uint32_t>(list.size());
}

std::uint32_t shifted(std::uint32_t index, std::uint32_t by)
{
    return index == none ? none : index + by;
}

void append_nodes(Scene& scene, const Scene& other, std::uint32_t below, const AppendedParts& parts)
{
    for (Node node : other.nodes) {
        node.parent = node.parent == none ? below : node.parent + parts.nodes;
        node.mesh = shifted(node.mesh, parts.meshes);
        node.skin = shifted(node.skin, parts.skins);
        node.helper_of = shifted(node.helper_of, parts.nodes);
        node.human_bone = HumanBone::none; // roles are those of the scene that it is appended to
        scene.nodes.push_back(std::move(node));
    }
    for (Skin skin : other.skins) {
        for (auto& joint : skin.joints)
            joint += parts.nodes;
        scene.skins.push_back(std::move(skin));
    }
}

void append_surfaces(Scene& scene, const Scene& other, const AppendedParts& parts)
{
    for (const Mesh& original : other.meshes) {
        check_stop();
        Mesh mesh = original;
        for (Primitive& primitive : mesh.primitives) {
            primitive.material = shifted(primitive.material, parts.materials);
            primitive.variants.clear();
        }
        scene.meshes.push_back(std::move(mesh));
    }
    for (Material material : other.materials) {
        for (Texture* texture : textures_of(material))
            texture->image = shifted(texture->image, parts.images);
        scene.materials.push_back(std::move(material));
    }
    scene.images.insert(scene.images.end(), other.images.begin(), other.images.end());
    scene.source_vertices += other.source_vertices;
    scene.source_polygons += other.source_polygons;
}

} // namespace

AppendedParts append_scene(Scene& scene, const Scene& other, std::uint32_t below,
                           const AppendedParts* earlier)
{
    AppendedParts parts{.nodes = count_of(scene.nodes),
                        .meshes = count_of(scene.meshes),
                        .skins = count_of(scene.skins),
                        .materials = count_of(scene.materials),
                        .images = count_of(scene.images)};
    if (earlier != nullptr) {
        parts.meshes = earlier->meshes;
        parts.materials = earlier->materials;
        parts.images = earlier->images;
    } else {
        append_surfaces(scene, other, parts);
    }
    append_nodes(scene, other, below, parts);
    return parts;
}

} // namespace vitrine::scene
