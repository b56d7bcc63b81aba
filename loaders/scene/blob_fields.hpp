#pragma once
// Lists the fields of the model once, in blob order. The writing and the reading archive use the same list.
// Private to loaders/scene.

#include <concepts>
#include <type_traits>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// T or const T, so that one description both writes a const Scene and fills a new one.
template <class S, class T>
concept Of = std::same_as<std::remove_const_t<S>, T>;

void describe(auto& archive, Of<Trs> auto& trs)
{
    archive(trs.translation, trs.rotation.x, trs.rotation.y, trs.rotation.z, trs.rotation.w, trs.scale);
}

void describe(auto& archive, Of<LevelRange> auto& levels)
{
    archive(levels.first, levels.last);
}

void describe(auto& archive, Of<Node> auto& node)
{
    archive(node.name, node.parent, node.local, node.matrix, node.mesh, node.skin, node.morph_weights,
            node.visible, node.color, node.helper_of, node.human_bone, node.levels);
}

void describe(auto& archive, Of<VariantMaterial> auto& entry)
{
    archive(entry.variant, entry.material);
}

void describe(auto& archive, Of<Primitive> auto& primitive)
{
    archive(primitive.topology, primitive.first, primitive.count, primitive.material, primitive.has_normals,
            primitive.variants);
}

void describe(auto& archive, Of<Influences> auto& influences)
{
    archive(influences.first, influences.joints, influences.weights, influences.positions,
            influences.dual_quaternion_weights);
}

void describe(auto& archive, Of<MorphTarget> auto& target)
{
    archive(target.name, target.vertices, target.position_deltas, target.normal_deltas,
            target.tangent_deltas);
}

void describe(auto& archive, Of<VertexFrames> auto& frames)
{
    archive(frames.count, frames.positions, frames.normals);
}

void describe(auto& archive, Of<Mesh> auto& mesh)
{
    archive(mesh.name, mesh.positions, mesh.normals, mesh.tangents, mesh.uv0, mesh.uv1, mesh.more_uvs,
            mesh.colors, mesh.influences, mesh.indices, mesh.primitives, mesh.morph_targets,
            mesh.morph_weights, mesh.frames, mesh.shares_geometry);
}

void describe(auto& archive, Of<Skin> auto& skin)
{
    archive(skin.name, skin.joints, skin.inverse_bind, skin.method);
}

void describe(auto& archive, Of<Extrapolation> auto& extrapolation)
{
    archive(extrapolation.mode, extrapolation.repeats);
}

void describe(auto& archive, Of<Channel> auto& channel)
{
    archive(channel.node, channel.path, channel.interpolation, channel.times, channel.values, channel.before,
            channel.after, channel.is_placeholder);
}

void describe(auto& archive, Of<DeclaredBox> auto& box)
{
    archive(box.min, box.max);
}

void describe(auto& archive, Of<Clip> auto& clip)
{
    archive(clip.name, clip.start_time, clip.duration, clip.frame_rate, clip.frames, clip.channels,
            clip.declared_boxes);
}

void describe(auto& archive, Of<Texture> auto& texture)
{
    archive(texture.image, texture.uv_set, texture.wrap_s, texture.wrap_t, texture.nearest, texture.offset,
            texture.scale, texture.rotation);
}

void describe(auto& archive, Of<MaterialExtensions> auto& l)
{
    archive(l.ior, l.specular, l.specular_texture, l.specular_color, l.specular_color_texture, l.clearcoat,
            l.clearcoat_texture, l.clearcoat_roughness, l.clearcoat_roughness_texture, l.sheen,
            l.sheen_texture, l.sheen_roughness, l.sheen_roughness_texture, l.transmission,
            l.transmission_texture, l.thickness, l.attenuation_distance, l.attenuation_color);
}

void describe(auto& archive, Of<Material> auto& m)
{
    archive(m.name, m.base_color, m.base_color_texture, m.metallic, m.roughness, m.metallic_roughness_texture,
            m.normal_texture, m.normal_scale, m.occlusion_texture, m.occlusion_strength, m.emissive,
            m.emissive_texture, m.alpha_mode, m.alpha_cutoff, m.double_sided, m.unlit, m.extensions);
}

void describe(auto& archive, Of<Image> auto& image)
{
    archive(image.name, image.width, image.height, image.pixels);
}

void describe(auto& archive, Of<Warning> auto& warning)
{
    archive(warning.code, warning.message, warning.where);
}

void describe(auto& archive, Of<FileSpace> auto& space)
{
    archive(space.axes, space.unit_meters, space.front);
}

void describe(auto& archive, Of<FirstPersonMesh> auto& mesh)
{
    archive(mesh.node, mesh.flag);
}

void describe(auto& archive, Of<ExpressionWeight> auto& weight)
{
    archive(weight.node, weight.target, weight.weight);
}

void describe(auto& archive, Of<VrmExpression> auto& expression)
{
    archive(expression.name, expression.is_preset, expression.is_binary, expression.weights,
            expression.material_changes);
}

void describe(auto& archive, Of<VrmTerm> auto& term)
{
    archive(term.name, term.value);
}

void describe(auto& archive, Of<VrmFacts> auto& vrm)
{
    archive(vrm.version, vrm.title, vrm.model_version, vrm.authors, vrm.license, vrm.terms, vrm.look_at,
            vrm.first_person, vrm.expressions, vrm.springs, vrm.spring_joints, vrm.spring_colliders,
            vrm.constraints);
}

void describe(auto& archive, Of<Attribution> auto& attribution)
{
    archive(attribution.title, attribution.subject, attribution.author, attribution.copyright,
            attribution.license, attribution.source, attribution.keywords, attribution.revision,
            attribution.comment);
}

void describe(auto& archive, Of<Scene> auto& scene)
{
    archive(scene.format, scene.generator, scene.file_space, scene.source_vertices, scene.source_polygons,
            scene.nodes, scene.meshes, scene.skins, scene.clips, scene.materials, scene.variants,
            scene.images, scene.vrm, scene.attribution, scene.warnings);
}

} // namespace vitrine::scene
