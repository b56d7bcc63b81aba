#include "loaders/fbx/fbx.hpp"

#include "loaders/fbx/clips.hpp"
#include "loaders/fbx/extra_joints.hpp"
#include "loaders/fbx/finish.hpp"
#include "loaders/fbx/geometry_caches.hpp"
#include "loaders/fbx/materials.hpp"
#include "loaders/fbx/meshes.hpp"
#include "loaders/fbx/node_tree.hpp"
#include "loaders/fbx/skeleton.hpp"
#include "loaders/fbx/space.hpp"
#include "loaders/scene/geometry.hpp"

namespace vitrine {
namespace {

LoadResult<void> fill(const fbx::Import& import, fbx::CurveEnds ends)
{
    const auto materials = fbx::add_materials(import);
    if (!materials) return std::unexpected(materials.error());
    const auto animation = fbx::Animation::read(import.document, import.limits, import.warnings, ends);
    if (!animation) return std::unexpected(animation.error());
    const auto tree = fbx::add_nodes(import, *animation);
    if (!tree) return std::unexpected(tree.error());
    const auto meshes = fbx::add_meshes(import, tree->map, materials->material_of);
    if (!meshes) return std::unexpected(meshes.error());
    if (auto added = fbx::add_loose_joints(import, tree->map); !added) return added;
    auto gates = fbx::add_clips(import, *animation, *tree, *meshes);
    if (!gates) return std::unexpected(gates.error());
    if (auto added = fbx::add_extra_joints(import, *meshes, std::move(*gates)); !added) return added;
    fbx::add_cache_channels(import, *meshes);
    fbx::choose_uv_sets(import.scene, *materials, *meshes);
    fbx::add_tangents(import.scene);
    fbx::warn_of_unshown(import);
    return {};
}

bool holds(Bytes file, std::string_view name)
{
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    return text.find(name) != text.npos;
}

LoadResult<scene::Scene> load(Source& source, const Limits& limits, fbx::CurveEnds ends)
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
    if (auto filled = fill(import, ends); !filled) return std::unexpected(filled.error());
    scene::convert_to_scene_space(scene, fbx::file_space(*document, warnings));
    scene.warnings = warnings.take();
    return scene;
}

} // namespace

LoadResult<scene::Scene> load_fbx(Source& source, const Limits& limits)
{
    return load(source, limits, fbx::CurveEnds::as_stored);
}

LoadResult<scene::Scene> load_fbx_held(Source& source, const Limits& limits)
{
    return load(source, limits, fbx::CurveEnds::held);
}

bool fbx_only_animates(Bytes file)
{
    const bool animates = holds(file, "AnimationCurve") || holds(file, "KeyCount");
    return animates && !holds(file, "PolygonVertexIndex");
}

} // namespace vitrine
