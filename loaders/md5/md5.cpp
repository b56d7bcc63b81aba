#include "loaders/md5/md5.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/file_opener.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/md5/scene_builder.hpp"
#include "loaders/quake/space.hpp"
#include "loaders/quake/texture_picker.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine {
namespace md5 {
namespace {

std::string_view folder_above(std::string_view folder)
{
    return io::folder_of(folder.substr(0, folder.size() - 1));
}

// Returns the animations next to the model. In a whole upload also those in folders without a model: they
// apply to the models of the nearest ancestor folder, or to all models when there is none.
std::vector<std::string> find_companions(const Source& source)
{
    std::set<std::string_view> folders; // folders with a model
    for (const std::string& name : source.names())
        if (io::extension_of(name) == ".md5mesh") folders.insert(io::folder_of(name));
    const std::string_view own = io::folder_of(source.main_name());
    const auto is_ours = [&](std::string_view folder) {
        if (folder == own || !source.is_whole_upload()) return folder == own;
        while (!folder.empty() && !folders.contains(folder))
            folder = folder_above(folder);
        return folder == own || !folders.contains(folder);
    };
    std::vector<std::string> companions;
    for (const std::string& name : source.names())
        if (io::extension_of(name) == ".md5anim" && is_ours(io::folder_of(name))) companions.push_back(name);
    return companions;
}

// The state of one load, shared by its steps.
class Loader {
public:
    Loader(Source& source, const Limits& limits) : source_(source), limits_(limits), files_(source, limits)
    {
        scene_.format = "md5";
    }

    LoadResult<scene::Scene> mesh_file();
    LoadResult<scene::Scene> animation_file();

private:
    LoadResult<void> add_meshes();
    void add_mesh_node(scene::Mesh mesh, const Md5Mesh& parsed);
    LoadResult<void> add_materials();
    void add_companion_clips();
    LoadResult<void> add_clip(const std::string& name);
    LoadResult<void> add_clip(const Md5Animation& animation, const std::string& name);
    scene::Scene finish();

    Source& source_;
    const Limits& limits_;
    io::FileOpener files_;
    io::WarningLog warnings_;
    scene::Scene scene_;
    Md5Model model_;
    std::vector<std::string> shaders_; // by mesh of the scene
    Skeleton skeleton_;
    std::uint64_t key_values_ = 0;             // in the clips so far
    std::uint64_t bounds_budget_ = 20'000'000; // weights; about one second
};

LoadResult<scene::Scene> Loader::mesh_file()
{
    const auto bytes = files_.open(source_.main_name());
    if (!bytes) return std::unexpected(bytes.error());
    auto model = parse_mesh_file(*bytes, limits_, warnings_);
    if (!model) return std::unexpected(model.error());
    model_ = std::move(*model);
    auto skeleton = make_skeleton(model_.joints, limits_);
    if (!skeleton) return std::unexpected(skeleton.error());
    skeleton_ = std::move(*skeleton);
    if (!model_.joints.empty())
        add_skeleton(scene_, skeleton_, io::to_utf8(io::stem_of(source_.main_name())));
    if (auto added = add_meshes(); !added) return std::unexpected(added.error());
    if (auto added = add_materials(); !added) return std::unexpected(added.error());
    add_companion_clips();
    return finish();
}

LoadResult<scene::Scene> Loader::animation_file()
{
    const auto bytes = files_.open(source_.main_name());
    if (!bytes) return std::unexpected(bytes.error());
    const auto animation = parse_animation_file(*bytes, limits_, warnings_);
    if (!animation) return std::unexpected(animation.error());
    auto skeleton = make_skeleton(*animation, limits_);
    if (!skeleton) return std::unexpected(skeleton.error());
    skeleton_ = std::move(*skeleton);
    add_skeleton(scene_, skeleton_, io::to_utf8(io::stem_of(source_.main_name())));
    if (auto added = add_clip(*animation, source_.main_name()); !added) return std::unexpected(added.error());
    return finish();
}

LoadResult<void> Loader::add_meshes()
{
    std::vector<std::vector<glm::dvec3>> positions;
    glm::dvec3 low(1e30), high(-1e30);
    for (const Md5Mesh& mesh : model_.meshes) {
        positions.push_back(bind_positions(skeleton_, mesh));
        for (const glm::dvec3& position : positions.back()) {
            low = glm::min(low, position);
            high = glm::max(high, position);
        }
    }
    const double size = glm::distance(low, high);
    for (std::size_t m = 0; m < model_.meshes.size(); ++m) {
        Md5Mesh& parsed = model_.meshes[m];
        scene_.source_vertices += parsed.vertices.size();
        scene_.source_polygons += parsed.triangles.size();
        if (parsed.vertices.empty() || parsed.triangles.empty()) {
            warnings_.add("md5_empty_mesh", "a mesh has no triangles; it is ignored",
                          fmt::format("mesh {}", m));
            continue;
        }
        auto mesh = make_mesh(skeleton_, parsed, std::move(positions[m]), size);
        if (!mesh) return std::unexpected(mesh.error());
        add_mesh_node(std::move(*mesh), parsed);
    }
    if (scene_.nodes.size() <= limits_.nodes) return {};
    return io::limit_exceeded_error("", "joints and meshes", "nodes", limits_.nodes);
}

void Loader::add_mesh_node(scene::Mesh mesh, const Md5Mesh& parsed)
{
    if (mesh.name.empty()) mesh.name = io::to_utf8(io::stem_of(parsed.shader));
    if (mesh.name.empty()) mesh.name = fmt::format("mesh {}", scene_.meshes.size());
    scene::Node node;
    node.name = mesh.name;
    node.mesh = static_cast<std::uint32_t>(scene_.meshes.size());
    node.skin = scene_.skins.empty() ? scene::none : 0;
    scene_.nodes.push_back(std::move(node));
    scene_.meshes.push_back(std::move(mesh));
    shaders_.push_back(parsed.shader);
}

// Meshes with the same shader share a material; each mesh with an empty shader name has its own.
LoadResult<void> Loader::add_materials()
{
    images::TextureLibrary textures(source_, limits_, scene_, warnings_);
    quake::TexturePicker picker(source_, textures, warnings_, "md5");
    std::map<std::pair<std::string, std::string>, std::uint32_t> known;
    for (std::size_t m = 0; m < scene_.meshes.size(); ++m)
        picker.claim({&shaders_[m], 1}, scene_.meshes[m].name);
    for (std::size_t m = 0; m < scene_.meshes.size(); ++m) {
        scene::Mesh& mesh = scene_.meshes[m];
        const auto next = static_cast<std::uint32_t>(scene_.materials.size());
        const auto [found, is_new] = known.try_emplace({shaders_[m], mesh.name}, next);
        mesh.primitives[0].material = found->second;
        if (!is_new) continue;
        if (next >= limits_.materials) {
            return io::limit_exceeded_error("", "shaders", "materials", limits_.materials);
        }
        scene_.materials.push_back(picker.material({&shaders_[m], 1}, mesh.name));
    }
    textures.report_reduced();
    return {};
}

void Loader::add_companion_clips()
{
    for (const std::string& name : find_companions(source_)) {
        const auto added = add_clip(name);
        if (added) continue;
        const LoadError& error = added.error();
        warnings_.add("md5_animation_skipped",
                      fmt::format("the animation is ignored: {}{}{}", error.where,
                                  error.where.empty() ? "" : ": ", error.detail),
                      name);
    }
}

LoadResult<void> Loader::add_clip(const std::string& name)
{
    if (scene_.clips.size() >= limits_.clips) {
        return io::limit_exceeded_error("", "clips", limits_.clips);
    }
    const auto bytes = files_.open(name);
    if (!bytes) return std::unexpected(bytes.error());
    warnings_.enter_file(name);
    const auto animation = parse_animation_file(*bytes, limits_, warnings_);
    warnings_.enter_file("");
    if (!animation) return std::unexpected(animation.error());
    return add_clip(*animation, name);
}

LoadResult<void> Loader::add_clip(const Md5Animation& animation, const std::string& name)
{
    std::vector<std::uint32_t> parents;
    for (const AnimatedJoint& joint : animation.joints)
        parents.push_back(joint.parent);
    auto order = parents_first(parents, limits_.depth);
    if (!order) return std::unexpected(order.error());
    const ClipBinding binding(skeleton_, animation, std::move(*order));
    if (binding.empty()) return fail(LoadErrc::empty, "", "it animates no joint of the model");
    if (key_values_ + binding.key_values() > limits_.key_values) {
        return io::limit_exceeded_error("", "the numbers of all keys", "key_values", limits_.key_values);
    }
    key_values_ += binding.key_values();
    binding.warn(warnings_, name);
    check_frame_bounds(skeleton_, model_, animation, binding, name, bounds_budget_, warnings_);
    scene_.clips.push_back(binding.make_clip(io::to_utf8(io::stem_of(name))));
    return {};
}

scene::Scene Loader::finish()
{
    quake::finish(scene_, warnings_);
    return std::move(scene_);
}

} // namespace
} // namespace md5

LoadResult<scene::Scene> load_md5(Source& source, const Limits& limits)
{
    md5::Loader load(source, limits);
    const bool animation_alone = io::extension_of(source.main_name()) == ".md5anim";
    return animation_alone ? load.animation_file() : load.mesh_file();
}

} // namespace vitrine
