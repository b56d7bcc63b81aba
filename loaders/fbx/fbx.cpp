#include "loaders/fbx/fbx.hpp"

#include "loaders/fbx/animation/motion_limits.hpp"
#include "loaders/fbx/clips/clips.hpp"
#include "loaders/fbx/document/space.hpp"
#include "loaders/fbx/finish.hpp"
#include "loaders/fbx/materials/materials.hpp"
#include "loaders/fbx/meshes/geometry_caches.hpp"
#include "loaders/fbx/meshes/meshes.hpp"
#include "loaders/fbx/meshes/skeleton.hpp"
#include "loaders/fbx/nodes/extra_joints.hpp"
#include "loaders/fbx/nodes/node_tree.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine {
namespace {

LoadResult<void> fill(const fbx::Import& import, const OutsideKeys& outside)
{
    if (auto sound = fbx::refuse_circles(import); !sound) return sound;
    const auto materials = fbx::add_materials(import);
    if (!materials) return std::unexpected(materials.error());
    const auto ends = outside.held ? fbx::CurveEnds::held : fbx::CurveEnds::as_stored;
    const auto animation = fbx::Animation::read(import.document, import.limits, import.warnings, ends);
    if (!animation) return std::unexpected(animation.error());
    const auto tree = fbx::add_nodes(import, *animation);
    if (!tree) return std::unexpected(tree.error());
    const auto meshes = fbx::add_meshes(import, tree->map, *materials);
    if (!meshes) return std::unexpected(meshes.error());
    if (auto added = fbx::add_loose_joints(import, tree->map); !added) return added;
    auto gates = fbx::add_clips(import, *animation, *tree, *meshes, outside.moment);
    if (!gates) return std::unexpected(gates.error());
    if (auto added = fbx::add_extra_joints(import, *meshes, std::move(*gates)); !added) return added;
    fbx::add_cache_channels(import, *meshes);
    fbx::choose_uv_sets(import, *materials, *meshes);
    fbx::add_tangents(import.scene);
    fbx::warn_of_static_limits(import);
    fbx::warn_of_unshown(import);
    return {};
}

bool holds(Bytes file, std::string_view name)
{
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    return text.find(name) != text.npos;
}

} // namespace

LoadResult<scene::Scene> load_fbx(Source& source, const Limits& limits)
{
    return load_fbx_outside(source, limits, {});
}

LoadResult<scene::Scene> load_fbx_outside(Source& source, const Limits& limits, const OutsideKeys& outside)
{
    const auto file = source.open(source.main_name());
    if (!file) return fail(LoadErrc::missing_file, source.main_name(), "the file cannot be read");
    io::WarningLog warnings;
    const auto document = fbx::Document::parse(*file, limits, warnings);
    if (!document) return std::unexpected(document.error());
    scene::Scene scene;
    scene.format = "fbx";
    scene.generator = document->creator();
    const fbx::Import import{*document, source, limits, warnings, scene};
    if (auto filled = fill(import, outside); !filled) return std::unexpected(filled.error());
    scene::convert_to_scene_space(scene, fbx::file_space(*document, warnings));
    scene.warnings = warnings.take();
    return scene;
}

bool fbx_only_animates(Bytes file)
{
    const bool animates = holds(file, "AnimationCurve") || holds(file, "KeyCount");
    return animates && !holds(file, "PolygonVertexIndex");
}

} // namespace vitrine
