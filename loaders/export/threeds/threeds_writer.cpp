#include "loaders/export/threeds/threeds_writer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "loaders/export/png/png.hpp"
#include "loaders/export/threeds/threeds_chunks.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/sample_poses.hpp"
#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

constexpr double frames_per_second = 30.0;
constexpr std::uint16_t no_parent = 0xFFFF;

class ThreedsWriter {
public:
    ThreedsWriter(const scene::Scene& scene, const std::string& stem) : scene_(scene), stem_(stem) {}
    std::string run();
    std::string image_file_name(std::uint32_t image) const { return fmt::format("{}_{}.png", stem_, image); }

private:
    std::string unique(std::set<std::string>& taken, const std::string& name);
    void write_meshes();
    void bake(const scene::Instance& instance, const scene::SkinnedMesh& skinned);
    void place(const scene::Instance& instance);
    std::string node(std::uint16_t id, const std::string& object, const std::string& instance,
                     std::uint16_t parent, const std::string& tracks) const;
    std::string tracks(std::uint32_t index) const;
    std::string keyframer();
    std::vector<scene::Trs> keys_of(std::uint32_t index) const;

    const scene::Scene& scene_;
    const std::string& stem_;
    scene::Pose rest_;
    std::set<std::string> object_names_;
    std::vector<std::string> material_names_;
    std::string objects_;                                       // chunks
    std::map<std::uint32_t, std::vector<std::string>> of_mesh_; // objects of the rigid meshes written
    std::map<std::uint32_t, std::vector<std::string>> of_node_; // objects by node
    std::set<std::uint32_t> baked_;                             // nodes whose objects are in world space
    std::vector<scene::Pose> poses_;                            // of the clip, by frame
};

std::string ThreedsWriter::unique(std::set<std::string>& taken, const std::string& name)
{
    const std::string wanted = name.empty() ? "unnamed" : name;
    std::string made = wanted;
    for (int i = 2; !taken.insert(made).second; ++i)
        made = fmt::format("{}.{}", wanted, i);
    return made;
}

// Writes the static pose in world space.
void ThreedsWriter::bake(const scene::Instance& instance, const scene::SkinnedMesh& skinned)
{
    const auto name = unique(object_names_, scene_.nodes[scene::file_node(scene_, instance.node)].name);
    for (const auto& object : write_3ds_mesh(scene_.meshes[instance.mesh], name, skinned.positions,
                                             glm::mat4(1.0f), material_names_)) {
        objects_ += object.chunk;
        of_node_[instance.node].push_back(object.name);
    }
    baked_.insert(instance.node);
}

// A mesh is stored at its first node; a mirroring matrix is mirrored in x, as readers reverse it.
void ThreedsWriter::place(const scene::Instance& instance)
{
    auto& objects = of_mesh_[instance.mesh];
    if (objects.empty()) {
        glm::mat4 world = rest_.model[instance.node];
        const float determinant = glm::determinant(glm::mat3(world));
        if (determinant == 0.0f) world = glm::mat4(1.0f);
        const glm::vec3 mirror(determinant < 0.0f ? -1.0f : 1.0f, 1.0f, 1.0f);
        const auto& mesh = scene_.meshes[instance.mesh];
        std::vector<glm::vec3> positions;
        for (const glm::vec3& p : mesh.positions)
            positions.emplace_back(world * glm::vec4(p * mirror, 1.0f));
        const auto name = unique(object_names_, scene_.nodes[scene::file_node(scene_, instance.node)].name);
        for (const auto& object : write_3ds_mesh(mesh, name, positions, world, material_names_)) {
            objects_ += object.chunk;
            objects.push_back(object.name);
        }
    }
    of_node_[instance.node] = objects;
}

void ThreedsWriter::write_meshes()
{
    scene::static_pose(scene_, rest_);
    const auto instances = scene::find_instances(scene_);
    std::vector<scene::PaletteEntry> palette(scene::palette_size(instances));
    scene::joint_palette(scene_, instances, rest_, palette);
    scene::SkinnedMesh skinned;
    for (const auto& instance : instances) {
        const auto& mesh = scene_.meshes[instance.mesh];
        if (instance.skin == none && mesh.morph_targets.empty() && mesh.frames.count == 0) {
            place(instance);
        } else {
            scene::skin_instance(scene_, instance, rest_, palette, skinned);
            bake(instance, skinned);
        }
    }
}

// Returns one value per frame when the clip animates the node, else the static one.
std::vector<scene::Trs> ThreedsWriter::keys_of(std::uint32_t index) const
{
    std::vector<scene::Trs> keys;
    const bool moves =
        !poses_.empty() && std::ranges::any_of(scene_.clips[0].channels,
                                               [&](const auto& channel) { return channel.node == index; });
    if (moves)
        for (const auto& pose : poses_)
            keys.push_back(pose.local[index]);
    else if (scene_.nodes[index].matrix)
        keys.push_back(scene::decompose(*scene_.nodes[index].matrix));
    else
        keys.push_back(scene_.nodes[index].local);
    return keys;
}

std::string track(std::uint16_t id, const std::vector<std::string>& values)
{
    constexpr std::uint16_t continuity = 0x02;
    std::string out = raw(std::uint16_t{0}, std::uint64_t{0}, static_cast<std::uint32_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) // continuity -1: linear to the next key
        out += raw(static_cast<std::uint32_t>(i), continuity, -1.0f) + values[i];
    return threeds_chunk(id, out);
}

// Clockwise about an axis, relative to the previous key.
std::string turn(const glm::quat& from, const glm::quat& to)
{
    glm::quat turned = glm::normalize(to * glm::conjugate(from));
    if (turned.w < 0.0f) turned = -turned;
    const glm::vec3 axis = to_3ds({turned.x, turned.y, turned.z});
    const float sine = glm::length(axis);
    return raw(-2.0f * std::atan2(sine, turned.w), sine > 0.0f ? axis / sine : glm::vec3(0.0f, 0.0f, 1.0f));
}

std::string ThreedsWriter::tracks(std::uint32_t index) const
{
    std::vector<std::string> positions, rotations, scales;
    glm::quat before(1.0f, 0.0f, 0.0f, 0.0f);
    for (const scene::Trs& key : keys_of(index)) {
        positions.push_back(raw(to_3ds(key.translation)));
        rotations.push_back(turn(before, key.rotation));
        scales.push_back(raw(key.scale.x, key.scale.z, key.scale.y));
        before = key.rotation;
    }
    return track(0xB020, positions) + track(0xB021, rotations) + track(0xB022, scales);
}

std::string ThreedsWriter::node(std::uint16_t id, const std::string& object, const std::string& instance,
                                std::uint16_t parent, const std::string& tracks) const
{
    std::string out = threeds_chunk(0xB030, raw(id)) +
                      threeds_chunk(0xB010, zero_terminated(object) +
                                                raw(std::uint16_t{0x4000}, std::uint16_t{0}, parent)) +
                      threeds_chunk(0xB013, raw(glm::vec3(0.0f)));
    if (!instance.empty()) out += threeds_chunk(0xB011, zero_terminated(instance));
    return threeds_chunk(0xB002, out + tracks);
}

std::string static_tracks()
{
    return track(0xB020, {raw(glm::vec3(0.0f))}) + track(0xB021, {raw(glm::vec4(0.0f))}) +
           track(0xB022, {raw(glm::vec3(1.0f))});
}

std::string ThreedsWriter::keyframer()
{
    double duration = 0.0;
    if (!scene_.clips.empty()) duration = scene_.clips[0].duration;
    const auto last = static_cast<std::uint32_t>(std::ceil(duration * frames_per_second - 1e-6));
    std::vector<double> times;
    for (std::uint32_t frame = 0; !scene_.clips.empty() && frame <= last; ++frame)
        times.push_back(frame / frames_per_second);
    poses_.resize(times.size());
    if (!times.empty()) scene::sample_poses(scene_, 0, times, poses_);
    std::string out = threeds_chunk(0xB00A, raw(std::uint16_t{5}) + zero_terminated("VITRINE") + raw(last)) +
                      threeds_chunk(0xB008, raw(std::uint32_t{0}, last));
    auto next_id = static_cast<std::uint16_t>(scene_.nodes.size());
    for (std::uint32_t i = 0; i < scene_.nodes.size(); ++i) {
        const auto id = static_cast<std::uint16_t>(i);
        const auto parent =
            scene_.nodes[i].parent == none ? no_parent : static_cast<std::uint16_t>(scene_.nodes[i].parent);
        const std::string& name = scene_.nodes[i].name;
        const auto objects = of_node_.find(i);
        const bool shows = objects != of_node_.end() && !objects->second.empty();
        const bool baked = baked_.contains(i);
        if (!shows || baked) {
            out += node(id, "$$$DUMMY", name, parent, tracks(i));
            if (!shows) continue;
        } else {
            out += node(id, objects->second[0], "", parent, tracks(i));
        }
        for (std::size_t part = baked ? 0 : 1; part < objects->second.size(); ++part)
            out += node(next_id++, objects->second[part], "", baked ? no_parent : id, static_tracks());
    }
    return threeds_chunk(0xB000, out);
}

std::string ThreedsWriter::run()
{
    std::set<std::string> taken;
    std::string editor = threeds_chunk(0x3D3E, raw(std::uint32_t{3}));
    for (const auto& each : scene_.materials) {
        material_names_.push_back(unique(taken, each.name));
        const auto image = each.base_color_texture.image;
        const bool has_texture = image != none && !scene_.images[image].pixels.empty();
        editor += threeds_material(each, material_names_.back(),
                                   has_texture ? image_file_name(image) : std::string());
    }
    write_meshes();
    editor += threeds_chunk(0x0100, raw(1.0f)) + objects_;
    return threeds_chunk(0x4D4D, threeds_chunk(0x0002, raw(std::uint32_t{3})) +
                                     threeds_chunk(0x3D3D, editor) + keyframer());
}

} // namespace

std::vector<NamedFile> write_3ds(const scene::Scene& scene, const std::string& stem)
{
    if (const auto shaded = scene::with_normals(scene)) return write_3ds(*shaded, stem);
    ThreedsWriter writer(scene, stem);
    std::vector<NamedFile> files{{stem + ".3ds", to_bytes(writer.run())}};
    for (std::uint32_t i = 0; i < scene.images.size(); ++i)
        if (!scene.images[i].pixels.empty())
            files.push_back({writer.image_file_name(i), write_png(scene.images[i])});
    return files;
}

} // namespace vitrine::exporting
