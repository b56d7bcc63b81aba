#include "loaders/fbx/fbx.hpp"

#include "loaders/fbx/animation/transform_limits.hpp"
#include "loaders/fbx/clips/clips.hpp"
#include "loaders/fbx/document/file_space.hpp"
#include "loaders/fbx/materials/materials.hpp"
#include "loaders/fbx/meshes/geometry_caches.hpp"
#include "loaders/fbx/meshes/meshes.hpp"
#include "loaders/fbx/meshes/skeleton.hpp"
#include "loaders/fbx/nodes/extra_joints.hpp"
#include "loaders/fbx/nodes/node_tree.hpp"
#include "loaders/fbx/scene_checks.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine {
namespace {

LoadResult<void> fill(const fbx::LoadContext& context, const ExtrapolationOptions& extrapolation)
{
    if (auto sound = fbx::check_cycles(context); !sound) return sound;
    const auto materials = fbx::add_materials(context);
    if (!materials) return std::unexpected(materials.error());
    const auto ends =
        extrapolation.clamped ? fbx::ExtrapolationPolicy::clamped : fbx::ExtrapolationPolicy::as_stored;
    const auto animation = fbx::Animation::read(context.document, context.limits, context.warnings, ends);
    if (!animation) return std::unexpected(animation.error());
    const auto tree = fbx::add_nodes(context, *animation);
    if (!tree) return std::unexpected(tree.error());
    const auto meshes = fbx::add_meshes(context, tree->map, *materials);
    if (!meshes) return std::unexpected(meshes.error());
    if (auto added = fbx::add_unskinned_joints(context, tree->map); !added) return added;
    auto skin_visibilities = fbx::add_clips(context, *animation, *tree, *meshes, extrapolation.pose_time);
    if (!skin_visibilities) return std::unexpected(skin_visibilities.error());
    if (auto added = fbx::add_extra_joints(context, *meshes, std::move(*skin_visibilities)); !added)
        return added;
    fbx::add_cache_channels(context, *meshes);
    fbx::choose_uv_sets(context, *materials, *meshes);
    fbx::add_tangents(context.scene);
    fbx::warn_of_static_limits(context);
    fbx::warn_of_unshown(context);
    return {};
}

bool contains_text(Bytes file, std::string_view name)
{
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    return text.find(name) != text.npos;
}

} // namespace

LoadResult<scene::Scene> load_fbx(Source& source, const Limits& limits)
{
    return load_fbx(source, limits, {});
}

LoadResult<scene::Scene> load_fbx(Source& source, const Limits& limits,
                                  const ExtrapolationOptions& extrapolation)
{
    const auto file = source.open(source.main_name());
    if (!file) return fail(LoadErrc::missing_file, source.main_name(), "the file cannot be read");
    io::WarningLog warnings;
    const auto document = fbx::Document::parse(*file, limits, warnings);
    if (!document) return std::unexpected(document.error());
    scene::Scene scene;
    scene.format = "fbx";
    scene.generator = document->creator();
    const fbx::LoadContext context{*document, source, limits, warnings, scene};
    if (auto filled = fill(context, extrapolation); !filled) return std::unexpected(filled.error());
    scene::convert_to_scene_space(scene, fbx::file_space(*document, warnings));
    scene.warnings = warnings.take();
    return scene;
}

bool is_animation_only_fbx(Bytes file)
{
    const bool animates = contains_text(file, "AnimationCurve") || contains_text(file, "KeyCount");
    return animates && !contains_text(file, "PolygonVertexIndex");
}

} // namespace vitrine
