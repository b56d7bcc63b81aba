#include "loaders/fbx/fbx.hpp"

#include <cmath>

#include "loaders/base/utf8.hpp"
#include "loaders/fbx/animation/transform_limits.hpp"
#include "loaders/fbx/clips/clips.hpp"
#include "loaders/fbx/materials/materials.hpp"
#include "loaders/fbx/meshes/meshes.hpp"
#include "loaders/fbx/meshes/uv_sets.hpp"
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
    const auto animation =
        fbx::AnimationStacks::read(context.document, context.limits, context.warnings, extrapolation.policy);
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
    fbx::resolve_uv_sets(context, *materials, *meshes);
    fbx::add_tangents(context.scene);
    fbx::warn_about_static_limits(context);
    fbx::warn_about_unsupported(context);
    return {};
}

struct Axis {
    std::int64_t index;
    float sign;
};

Axis read_axis(const fbx::Properties& settings, std::string_view name, std::string_view sign_name,
               std::int64_t fallback)
{
    return {settings.integer(name, fallback), settings.integer(sign_name, 1) < 0 ? -1.0f : 1.0f};
}

// Reads UpAxis, FrontAxis and CoordAxis with their signs, and UnitScaleFactor (centimeters). Where they do
// not define a valid space: Y up, front +Z, centimeters, with a warning.
//
// CoordAxis points to the right (the scene's x), UpAxis up (y); FrontAxis points towards the viewer (z),
// whose sign makes the system right- or left-handed.
scene::FileSpace file_space(const fbx::Document& document, io::WarningLog& warnings)
{
    const fbx::Properties& settings = document.global_settings();
    scene::FileSpace space;
    const double unit = settings.real("UnitScaleFactor", 1.0);
    const bool is_unit = unit > 1e-12 && unit < 1e12;
    space.unit_meters = is_unit ? unit / 100.0 : 0.01;
    if (!is_unit)
        warnings.add("fbx_unit_invalid", "the file's unit is invalid; centimeters are used",
                     "GlobalSettings");
    const Axis right = read_axis(settings, "CoordAxis", "CoordAxisSign", 0);
    const Axis up = read_axis(settings, "UpAxis", "UpAxisSign", 1);
    const Axis front = read_axis(settings, "FrontAxis", "FrontAxisSign", 2);
    const auto is_axis = [](const Axis& a) { return a.index >= 0 && a.index <= 2; };
    const bool is_space = is_axis(right) && is_axis(up) && is_axis(front) && right.index != up.index &&
                          up.index != front.index && front.index != right.index;
    if (!is_space) {
        warnings.add("fbx_axes_invalid", "the file's axes are not a coordinate system; Y is used as up",
                     "GlobalSettings");
        return space;
    }
    space.axes = glm::mat3(0.0f); // columns: scene directions of the file's x, y, z
    space.axes[static_cast<glm::length_t>(right.index)].x = right.sign;
    space.axes[static_cast<glm::length_t>(up.index)].y = up.sign;
    space.axes[static_cast<glm::length_t>(front.index)].z = front.sign;
    return space;
}

bool contains_text(Bytes file, std::string_view name)
{
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    return text.find(name) != text.npos;
}

// The document's summary, in which programs write what their users have entered. FBX has no license.
scene::Attribution attribution_of(const fbx::Document& document)
{
    fbx::Element info = document.root()["FBXHeaderExtension"]["SceneInfo"];
    if (!info.exists()) info = document.root()["Objects"]["SceneInfo"]; // version 6
    const fbx::Element summary = info["MetaData"];
    const auto text = [&](std::string_view name) {
        return document.decoded(truncate_utf8(summary.text(name), scene::max_declared_bytes));
    };
    return {.title = text("Title"),
            .subject = text("Subject"),
            .author = text("Author"),
            .keywords = text("Keywords"),
            .revision = text("Revision"),
            .comment = text("Comment")};
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
    scene.attribution = attribution_of(*document);
    const fbx::LoadContext context{*document, source, limits, warnings, scene};
    if (auto filled = fill(context, extrapolation); !filled) return std::unexpected(filled.error());
    scene::convert_to_scene_space(scene, file_space(*document, warnings));
    scene.warnings = warnings.take();
    return scene;
}

bool is_animation_only_fbx(Bytes file)
{
    const bool animates = contains_text(file, "AnimationCurve") || contains_text(file, "KeyCount");
    return animates && !contains_text(file, "PolygonVertexIndex");
}

} // namespace vitrine
