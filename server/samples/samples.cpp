#include "server/samples/samples.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "loaders/export/bvh/bvh_writer.hpp"
#include "loaders/export/dae/dae_writer.hpp"
#include "loaders/export/fbx/fbx_writer.hpp"
#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/export/obj/mesh_files.hpp"
#include "loaders/export/obj/obj_writer.hpp"
#include "loaders/export/quake/md2_writer.hpp"
#include "loaders/export/quake/md3_writer.hpp"
#include "loaders/export/quake/md5_writer.hpp"
#include "loaders/export/threeds/threeds_writer.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "server/samples/models.hpp"

namespace vitrine::samples {

namespace {

void write_file(const std::filesystem::path& path, const std::vector<std::byte>& bytes)
{
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

BakedMesh at_rest(const scene::Scene& scene)
{
    scene::Pose pose;
    scene::static_pose(scene, pose);
    return bake_mesh(scene, pose, BakeSpace::scene).value();
}

void add_vrm(const std::string& name, const std::string& extension, const scene::Scene& scene,
             scene::VrmKind kind, std::vector<SampleFile>& out)
{
    const std::string file = name + "." + extension;
    out.push_back({name + "-" + extension, file, {{file, exporting::write_vrm(scene, kind).value()}}});
}

} // namespace

const std::vector<Sample>& all_samples()
{
    static const std::vector<Sample> samples{{"robot", make_robot},
                                             {"koi", make_koi},
                                             {"tentacle", make_tentacle},
                                             {"flag", make_flag},
                                             {"vase", make_vase}};
    return samples;
}

std::vector<SampleFile> write_formats(const std::string& name, const scene::Scene& scene)
{
    std::vector<SampleFile> formats;
    formats.push_back({name + "-dae", name + ".dae", exporting::write_dae(scene, name)});
    formats.push_back({name + "-glb", name + ".glb", {{name + ".glb", exporting::write_glb(scene).value()}}});
    formats.push_back({name + "-gltf", name + ".gltf", exporting::write_gltf(scene, name)});
    formats.push_back({name + "-fbx", name + ".fbx", exporting::write_fbx(scene, name)});
    if (auto files = exporting::write_md2(scene, name); !files.empty())
        formats.push_back({name + "-md2", name + ".md2", std::move(files)});
    formats.push_back({name + "-md3", name + ".md3", exporting::write_md3(scene, name)});
    const bool is_static = scene.skins.empty() && scene.clips.empty();
    if (scene.skins.size() == 1 || is_static)
        formats.push_back({name + "-md5", name + ".md5mesh", exporting::write_md5(scene, name)});
    formats.push_back({name + "-obj", name + ".obj", exporting::write_obj(scene, name)});
    formats.push_back({name + "-3ds", name + ".3ds", exporting::write_3ds(scene, name)});
    return formats;
}

std::vector<SampleFile> write_partial_formats()
{
    std::vector<SampleFile> files{
        {"vase-ply", "vase.ply", {{"vase.ply", exporting::to_bytes(write_mesh_ply(at_rest(make_vase())))}}},
        {"vase-stl", "vase.stl", {{"vase.stl", exporting::to_bytes(write_mesh_stl(at_rest(make_vase())))}}}};
    const scene::Scene robot = make_robot();
    for (std::uint32_t clip = 0; clip < robot.clips.size(); ++clip) {
        const std::string& name = robot.clips[clip].name;
        files.push_back({name + "-bvh",
                         name + ".bvh",
                         {{name + ".bvh", exporting::to_bytes(exporting::write_bvh(robot, clip))}}});
    }
    add_vrm("avatar", "vrm", make_avatar(), scene::VrmKind::version_1, files);
    add_vrm("avatar0", "vrm", make_avatar(), scene::VrmKind::version_0, files);
    add_vrm("bow", "vrma", make_avatar_motion(), scene::VrmKind::animation, files);
    return files;
}

std::vector<std::filesystem::path> write_samples(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> written;
    const auto write = [&](const SampleFile& sample) {
        const auto place = folder / sample.folder;
        std::filesystem::create_directories(place);
        for (const auto& file : sample.files)
            write_file(place / file.name, file.bytes);
        written.push_back(place / sample.main_name);
    };
    for (const auto& sample : all_samples())
        std::ranges::for_each(write_formats(sample.name, sample.make()), write);
    std::ranges::for_each(write_partial_formats(), write);
    return written;
}

} // namespace vitrine::samples
