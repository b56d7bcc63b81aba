#include "loaders/scene/layers/attach.hpp"

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/layers/layer_text.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/material_textures.hpp"
#include "loaders/scene/motion/pose.hpp"

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

// Lengths of the axes of the node's space in the static pose, in meters.
glm::vec3 units_of(const Scene& scene, std::uint32_t node)
{
    Pose pose;
    static_pose(scene, pose);
    glm::vec3 lengths;
    for (int i = 0; i < 3; ++i) {
        lengths[i] = glm::length(glm::vec3(pose.model[node][i]));
        if (!(lengths[i] > 1e-12f)) lengths[i] = 1.0f;
    }
    return lengths;
}

// Appends copies of the parts of a scene, with indices that refer to the copies.
class Appender {
public:
    Appender(Scene& scene, const Scene& other) : scene_(scene), other_(other) {}

    // `below`: the parent of nodes without one.
    void append(std::uint32_t below)
    {
        const std::uint32_t nodes = count_of(scene_.nodes), meshes = count_of(scene_.meshes),
                            skins = count_of(scene_.skins), materials = count_of(scene_.materials),
                            images = count_of(scene_.images);
        for (Node node : other_.nodes) {
            node.parent = node.parent == none ? below : node.parent + nodes;
            node.mesh = shifted(node.mesh, meshes);
            node.skin = shifted(node.skin, skins);
            node.helper_of = shifted(node.helper_of, nodes);
            node.human_bone = HumanBone::none; // roles are those of the scene that it is attached to
            scene_.nodes.push_back(std::move(node));
        }
        append_meshes(materials);
        for (Skin skin : other_.skins) {
            for (auto& joint : skin.joints)
                joint += nodes;
            scene_.skins.push_back(std::move(skin));
        }
        for (Material material : other_.materials) {
            for (Texture* texture : textures_of(material))
                texture->image = shifted(texture->image, images);
            scene_.materials.push_back(std::move(material));
        }
        scene_.images.insert(scene_.images.end(), other_.images.begin(), other_.images.end());
        scene_.source_vertices += other_.source_vertices;
        scene_.source_polygons += other_.source_polygons;
    }

private:
    void append_meshes(std::uint32_t materials)
    {
        for (Mesh mesh : other_.meshes) {
            for (Primitive& primitive : mesh.primitives) {
                primitive.material = shifted(primitive.material, materials);
                primitive.variants.clear();
            }
            scene_.meshes.push_back(std::move(mesh));
        }
    }

    Scene& scene_;
    const Scene& other_;
};

} // namespace

std::string place_key(const AttachText& text)
{
    return text.joint + ":" + triple_text(text.offset) + "," + triple_text(text.degrees);
}

std::expected<void, std::string> attach(Scene& scene, const Scene& other, const AttachText& place,
                                        std::string name)
{
    const auto joint = find_joint(scene, place.joint);
    if (!joint) return std::unexpected("there is no joint '" + place.joint + "'");
    const glm::vec3 units = units_of(scene, *joint);
    const auto holder = count_of(scene.nodes);
    scene.nodes.push_back({.name = std::move(name),
                           .parent = *joint,
                           .local = {.translation = glm::vec3(place.offset) / units,
                                     .rotation = rotation_of_degrees(place.degrees),
                                     .scale = 1.0f / units}});
    Appender(scene, other).append(holder);
    return {};
}

} // namespace vitrine::scene
