#include "loaders/dae/dae.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/dae/clips/clips.hpp"
#include "loaders/dae/document/archive.hpp"
#include "loaders/dae/document/authoring_tool.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine {
namespace dae {
namespace {

// The state of one load, shared by its steps.
class Loader {
public:
    Loader(Source& source, const Limits& limits, const ExtrapolationOptions& extrapolation)
        : source_(source), extrapolation_(extrapolation), budget_(limits),
          documents_(source, budget_, warnings_), sources_(documents_, budget_),
          materials_(source, budget_, documents_, warnings_, scene_)
    {
        scene_.format = "dae";
    }

    LoadResult<scene::Scene> run();

private:
    LoadResult<void> add_scene(NodeTree& tree);
    LoadResult<void> add_lone_geometries(Drawables& drawables);
    void warn_about_simulations();
    io::XmlNode shown_scene();
    void drop_unused_influences();

    Source& source_;
    ExtrapolationOptions extrapolation_;
    io::Budget budget_;
    io::WarningLog warnings_;
    scene::Scene scene_;
    Documents documents_;
    Sources sources_;
    Materials materials_;
    io::XmlNode root_;
};

LoadResult<scene::Scene> Loader::run()
{
    auto root = documents_.open_main();
    if (!root) return std::unexpected(root.error());
    root_ = *root;
    scene_.generator = generator_of(root_);
    scene_.attribution = attribution_of(root_);
    materials_.set_programs(programs_of(root_));
    const std::string name = io::to_utf8(io::stem_of(source_.main_name()));
    auto animations = read_animations(root_, name, documents_, sources_, budget_);
    if (!animations) return std::unexpected(animations.error());
    if (extrapolation_.policy == ExtrapolationPolicy::clamped) animations->clamp_ends();
    if (extrapolation_.single_clip) animations->join_clips(name);
    animations->pose_time = extrapolation_.pose_time;
    NodeTree tree(*animations, documents_, budget_.limits(), scene_);
    if (auto added = add_scene(tree); !added) return std::unexpected(added.error());
    Drawables drawables(tree, *animations, materials_, documents_, sources_, budget_, scene_);
    for (std::size_t i = 0; i < tree.drawn().size(); ++i) // adding a skeleton's joints may extend the list
        if (auto drawn = drawables.draw(DrawnInstance(tree.drawn()[i])); !drawn)
            return std::unexpected(drawn.error());
    if (scene_.nodes.empty())
        if (auto added = add_lone_geometries(drawables); !added) return std::unexpected(added.error());
    if (auto added = drawables.add_unused(root_); !added) return std::unexpected(added.error());
    if (auto added = add_clips(*animations, tree, drawables.morphed(), budget_, warnings_, scene_); !added)
        return std::unexpected(added.error());
    if (materials_.limit_error()) return std::unexpected(*materials_.limit_error());
    materials_.report_reduced_images();
    drop_unused_influences();
    const AssetSpace space = documents_.space_of(root_);
    scene::convert_to_scene_space(scene_, {.axes = space.axes, .unit_meters = space.unit_meters});
    scene_.warnings = warnings_.take();
    return std::move(scene_);
}

// Warns about animation other than curves.
void Loader::warn_about_simulations()
{
    const io::XmlNode scene = root_.child("scene");
    if (const io::XmlNode physics = scene.child("instance_physics_scene"); physics.exists())
        documents_.warn("physics_ignored", "physics scenes are not supported; bodies stay in the static pose",
                        physics);
    if (const io::XmlNode joints = scene.child("instance_kinematics_scene"); joints.exists())
        documents_.warn("kinematics_ignored",
                        "kinematics scenes are not supported; joints stay in the static pose", joints);
}

io::XmlNode Loader::shown_scene()
{
    const io::XmlNode instance = root_.child("scene").child("instance_visual_scene");
    const io::XmlNode named = documents_.find(instance, instance.attribute("url"));
    if (named.is("visual_scene")) return named;
    for (io::XmlNode l = root_.child("library_visual_scenes"); l.exists();
         l = l.next("library_visual_scenes"))
        if (const io::XmlNode first = l.child("visual_scene"); first.exists()) {
            documents_.warn("no_scene", "the file does not name its scene; the first is used", root_);
            return first;
        }
    return {};
}

// A file may contain a library of nodes only.
LoadResult<void> Loader::add_scene(NodeTree& tree)
{
    const AssetSpace space = documents_.space_of(root_);
    warn_about_simulations();
    if (const io::XmlNode shown = shown_scene(); shown.exists()) return tree.add_visual_scene(shown, space);
    for (io::XmlNode l = root_.child("library_nodes"); l.exists(); l = l.next("library_nodes")) {
        documents_.warn("no_scene", "the file has no scene; the nodes of its library are shown", l);
        for (io::XmlNode node = l.child("node"); node.exists(); node = node.next("node"))
            if (auto added = tree.add_node(node, node, scene::none, space); !added) return added;
    }
    return {};
}

LoadResult<void> Loader::add_lone_geometries(Drawables& drawables)
{
    for (io::XmlNode l = root_.child("library_geometries"); l.exists(); l = l.next("library_geometries"))
        for (io::XmlNode g = l.child("geometry"); g.exists(); g = g.next("geometry")) {
            documents_.warn("no_nodes", "the file has no nodes; its meshes are shown at the origin", l);
            if (auto drawn = drawables.draw_unreferenced(g); !drawn) return drawn;
        }
    return {};
}

// Influences without a skin are not used.
void Loader::drop_unused_influences()
{
    std::vector<bool> skinned(scene_.meshes.size(), false);
    for (const scene::Node& node : scene_.nodes)
        if (node.mesh != scene::none && node.skin != scene::none) skinned[node.mesh] = true;
    for (std::size_t m = 0; m < skinned.size(); ++m)
        if (!skinned[m]) scene_.meshes[m].influences = {};
}

LoadResult<scene::Scene> load_document(Source& source, const Limits& limits,
                                       const ExtrapolationOptions& extrapolation)
{
    return Loader(source, limits, extrapolation).run();
}

} // namespace
} // namespace dae

LoadResult<scene::Scene> load_dae(Source& source, const Limits& limits)
{
    return load_dae(source, limits, {});
}

LoadResult<scene::Scene> load_dae(Source& source, const Limits& limits,
                                  const ExtrapolationOptions& extrapolation)
{
    const auto bytes = source.open(source.main_name());
    if (bytes && dae::is_zip(*bytes)) {
        auto archive = dae::ArchiveSource::open(*bytes, limits);
        if (!archive) return std::unexpected(archive.error());
        auto scene = dae::load_document(*archive, limits, extrapolation);
        if (!scene) return scene;
        scene->format = "zae";
        scene->warnings.insert(scene->warnings.begin(), archive->warnings().begin(),
                               archive->warnings().end());
        return scene;
    }
    return dae::load_document(source, limits, extrapolation);
}

bool is_dae(Bytes bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                                std::min<std::size_t>(bytes.size(), 4096));
    return text.contains("<COLLADA") || text.contains(":COLLADA");
}

bool is_animation_only_dae(Bytes file)
{
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    return is_dae(file) && text.contains("<sampler ") && text.contains("<channel ") &&
           !text.contains("<mesh>") && !text.contains("<instance_geometry") &&
           !text.contains("<instance_controller");
}

} // namespace vitrine
