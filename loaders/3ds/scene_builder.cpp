#include "loaders/3ds/scene_builder.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

#include "loaders/3ds/chunk.hpp"
#include "loaders/3ds/clip.hpp"
#include "loaders/3ds/meshes.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::threeds {
namespace {

// Limits sampling, which takes longer than reading keys.
constexpr std::uint64_t max_key_values = 8'000'000;

// The splines of one node's tracks.
struct NodeSplines {
    Spline<glm::dvec3> position, scale;
    Spline<glm::dquat> rotation;

    explicit NodeSplines(const KeyframerNode& node)
        : position(node.position), scale(node.scale), rotation(node.rotation)
    {
    }
    bool empty() const { return position.empty() && scale.empty() && rotation.empty(); }
    scene::Trs at(double frame) const
    {
        scene::Trs trs;
        if (!position.empty()) trs.translation = glm::vec3(position.at(frame));
        if (!rotation.empty()) trs.rotation = glm::quat(rotation.at(frame));
        if (!scale.empty()) trs.scale = glm::vec3(scale.at(frame));
        return trs;
    }
};

// A mesh in the Scene, and the pivot its points are relative to.
struct ObjectMesh {
    std::uint32_t mesh = scene::none;
    glm::dvec3 pivot{0.0};
    bool made = false;
};

class Builder {
public:
    Builder(const Document& document, io::TextEncoding encoding, const Limits& limits,
            io::WarningLog& warnings, scene::Scene& scene)
        : document_(document), encoding_(encoding), limits_(limits), warnings_(warnings), scene_(scene),
          context_{limits, warnings}, object_meshes_(document.objects.size())
    {
    }

    LoadResult<void> build(std::string clip_name);

private:
    std::string text(std::string_view name) const { return io::to_utf8(name, encoding_); }
    std::string name_of(const KeyframerNode& node) const;
    void name_materials();
    std::vector<std::uint32_t> materials_of(const NamedObject& object) const;
    LoadResult<void> make(std::size_t object, const glm::dmat4& transform);
    LoadResult<void> add_node(const KeyframerNode& node, std::size_t object);
    void attach_mesh(std::uint32_t to, const KeyframerNode& node, std::size_t object);
    LoadResult<void> add_objects_without_node();
    void set_segment();
    void animate(std::uint32_t index, const KeyframerNode& node);
    void add_clip(std::string clip_name);

    const Document& document_;
    io::TextEncoding encoding_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    scene::Scene& scene_;
    MeshContext context_;
    std::vector<ObjectMesh> object_meshes_; // by object
    std::unordered_map<std::string_view, std::uint32_t, io::StringHash, std::equal_to<>>
        material_of_; // by name
    std::vector<StaticNode> static_nodes_;
    std::optional<ClipBuilder> clip_;
    double first_ = 0.0, last_ = 0.0;
};

std::string Builder::name_of(const KeyframerNode& node) const
{
    constexpr std::string_view dummy = "$$$DUMMY";
    if (node.name == dummy) return node.instance.empty() ? "dummy" : text(node.instance);
    std::string name = text(node.name);
    if (node.kind == NodeKind::camera_target || node.kind == NodeKind::light_target) return name + ".target";
    return node.instance.empty() ? name : name + "." + text(node.instance);
}

void Builder::name_materials()
{
    for (std::size_t i = 0; i < document_.materials.size(); ++i)
        material_of_.try_emplace(document_.materials[i].name, static_cast<std::uint32_t>(i));
}

std::vector<std::uint32_t> Builder::materials_of(const NamedObject& object) const
{
    std::vector<std::uint32_t> materials(object.face_count, scene::none);
    for (const FaceMaterial& group : object.materials) {
        const auto found = material_of_.find(group.name);
        if (found == material_of_.end()) {
            warnings_.add("missing_material",
                          fmt::format("the material {} is missing", io::shown(text(group.name))),
                          place(group.at));
            continue;
        }
        ChunkReader faces(group.faces, group.at, warnings_);
        std::size_t beyond = group.missing;
        while (faces.remaining() >= 2) {
            const auto face = faces.read<std::uint16_t>();
            if (face < materials.size())
                materials[face] = found->second;
            else
                ++beyond;
        }
        if (beyond > 0)
            warnings_.add("invalid_face",
                          fmt::format("the material {} has {} invalid face indices",
                                      io::shown(text(group.name)), beyond),
                          place(group.at));
    }
    return materials;
}

LoadResult<void> Builder::make(std::size_t index, const glm::dmat4& transform)
{
    const NamedObject& object = document_.objects[index];
    object_meshes_[index].made = true;
    auto mesh = make_mesh(object, transform, materials_of(object), context_);
    if (!mesh) return std::unexpected(mesh.error());
    if (!*mesh) {
        warnings_.add("empty_mesh", fmt::format("the mesh {} has no faces", io::shown(text(object.name))),
                      place(object.at));
        return {};
    }
    (*mesh)->name = text(object.name);
    object_meshes_[index].mesh = static_cast<std::uint32_t>(scene_.meshes.size());
    scene_.meshes.push_back(std::move(**mesh));
    return {};
}

LoadResult<void> Builder::add_node(const KeyframerNode& node, std::size_t object)
{
    const NodeSplines motion(node);
    const auto index = static_cast<std::uint32_t>(scene_.nodes.size());
    scene::Node added;
    added.name = name_of(node);
    added.local = motion.at(0.0);
    added.visible = !node.hidden;
    scene_.nodes.push_back(std::move(added));
    if (object == no_object) return {};
    if (document_.objects[object].hidden) scene_.nodes[index].visible = false;
    if (!motion.empty() && object_meshes_[object].made) return {};
    const glm::dmat4 from_world =
        glm::translate(glm::dmat4(1.0), -node.pivot) * world_to_mesh(document_.objects[object], warnings_);
    if (motion.empty()) static_nodes_.push_back({index, glm::inverse(from_world)});
    if (object_meshes_[object].made) return {};
    object_meshes_[object].pivot = node.pivot;
    return make(object, from_world);
}

// Attaches the mesh itself, or a child with it when it has an offset or animated visibility.
void Builder::attach_mesh(std::uint32_t to, const KeyframerNode& node, std::size_t object)
{
    if (object == no_object || object_meshes_[object].mesh == scene::none) return;
    std::vector<double> turns;
    for (const auto& key : node.hide.keys)
        turns.push_back(key.frame);
    const bool hides = !turns.empty() && turns.back() > first_ && turns.front() <= last_;
    if (!hides && turns.size() % 2 == 1 && turns.back() <= first_) scene_.nodes[to].visible = false;
    const glm::dvec3 offset = object_meshes_[object].pivot - node.pivot;
    if (offset == glm::dvec3(0.0) && !hides) {
        scene_.nodes[to].mesh = object_meshes_[object].mesh;
        return;
    }
    scene::Node child;
    child.name = scene_.nodes[to].name + ".mesh";
    child.parent = to;
    child.helper_of = to;
    child.local.translation = glm::vec3(offset);
    child.mesh = object_meshes_[object].mesh;
    child.visible = scene_.nodes[to].visible;
    if (hides) clip_->add_visibility(static_cast<std::uint32_t>(scene_.nodes.size()), turns);
    scene_.nodes.push_back(std::move(child));
}

// In world space, as stored.
LoadResult<void> Builder::add_objects_without_node()
{
    for (std::size_t i = 0; i < object_meshes_.size(); ++i) {
        const NamedObject& object = document_.objects[i];
        if (!object.is_mesh || object_meshes_[i].made) continue;
        if (auto done = make(i, glm::dmat4(1.0)); !done) return done;
        scene::Node node;
        node.name = text(object.name);
        node.mesh = object_meshes_[i].mesh;
        node.visible = !object.hidden;
        scene_.nodes.push_back(std::move(node));
    }
    return {};
}

// The frames that 3D Studio plays, or else all frames.
void Builder::set_segment()
{
    if (document_.segment) {
        first_ = (*document_.segment)[0];
        last_ = (*document_.segment)[1];
    }
    if (last_ > first_) return;
    first_ = 0.0;
    last_ = std::max(document_.length, 0);
    for (const KeyframerNode& node : document_.nodes) {
        const auto reach = [&](const auto& track) {
            if (!track.keys.empty()) last_ = std::max(last_, static_cast<double>(track.keys.back().frame));
        };
        reach(node.position);
        reach(node.rotation);
        reach(node.scale);
        reach(node.hide);
    }
}

void Builder::animate(std::uint32_t index, const KeyframerNode& node)
{
    const NodeSplines motion(node);
    clip_->add(index, scene::Path::translation, motion.position);
    clip_->add(index, motion.rotation);
    clip_->add(index, scene::Path::scale, motion.scale);
}

LoadResult<void> Builder::build(std::string clip_name)
{
    name_materials();
    set_segment();
    clip_.emplace(first_, std::min(limits_.key_values, max_key_values));
    const auto hierarchy = find_hierarchy(document_, limits_, warnings_);
    if (!hierarchy) return std::unexpected(hierarchy.error());
    for (std::size_t i = 0; i < document_.nodes.size(); ++i)
        if (auto done = add_node(document_.nodes[i], hierarchy->objects[i]); !done) return done;
    for (std::uint32_t i = 0; i < document_.nodes.size(); ++i) {
        scene_.nodes[i].parent = hierarchy->parents[i];
        animate(i, document_.nodes[i]);
        aim_camera(document_, *hierarchy, i, scene_, *clip_, warnings_);
    }
    place_static_nodes(static_nodes_, scene_);
    for (std::uint32_t i = 0; i < document_.nodes.size(); ++i)
        attach_mesh(i, document_.nodes[i], hierarchy->objects[i]);
    if (auto done = add_objects_without_node(); !done) return done;
    if (clip_->exceeds_limit())
        return io::limit_exceeded_error("", "the numbers of all keys", "key_values",
                                        std::min(limits_.key_values, max_key_values));
    add_clip(std::move(clip_name));
    return {};
}

void Builder::add_clip(std::string clip_name)
{
    scene::Clip clip;
    clip.name = std::move(clip_name);
    clip.frame_rate = frames_per_second;
    clip.start_time = first_ / frames_per_second;
    clip.duration = (last_ - first_) / frames_per_second;
    clip.frames = static_cast<std::uint32_t>(std::min(last_ - first_, 4e9)) + 1;
    clip.channels = clip_->take();
    if (!clip.channels.empty()) scene_.clips.push_back(std::move(clip));
}

} // namespace

LoadResult<void> build_scene(const Document& document, io::TextEncoding encoding, std::string clip_name,
                             const Limits& limits, io::WarningLog& warnings, scene::Scene& scene)
{
    return Builder(document, encoding, limits, warnings, scene).build(std::move(clip_name));
}

} // namespace vitrine::threeds
