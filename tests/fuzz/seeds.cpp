// fuzz_seeds DIR: what each target starts from, DIR/TARGET/N, made by the writers and the tests' builders.

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "loaders/export/fbx/fbx_writer.hpp"
#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/export/obj/obj_writer.hpp"
#include "loaders/export/quake/md5_writer.hpp"
#include "tests/fuzz/server_seeds.hpp"
#include "tests/support/blob.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/variant_triangle.hpp"
#include "tests/support/zip_builder.hpp"
#include "tests/unit/3ds/every_chunk.hpp"
#include "tests/unit/bvh/samples.hpp"
#include "tests/unit/dae/samples.hpp"
#include "tests/unit/fbx/blender_shape_keys.hpp"
#include "tests/unit/fbx/samples.hpp"
#include "tests/unit/gltf/compressed.hpp"
#include "tests/unit/gltf/pictures.hpp"
#include "tests/unit/images/jpeg_samples.hpp"
#include "tests/unit/images/samples.hpp"
#include "tests/unit/images/tiff_samples.hpp"
#include "tests/unit/md2/samples.hpp"
#include "tests/unit/md3/samples.hpp"
#include "tests/unit/md5/samples.hpp"
#include "tests/unit/ply/samples.hpp"
#include "tests/unit/stl/samples.hpp"
#include "tests/unit/vrm/samples.hpp"

namespace fs = std::filesystem;
using namespace vitrine;
using namespace vitrine::test;

namespace {

class Seeds {
public:
    explicit Seeds(fs::path folder) : folder_(std::move(folder)) {}

    void add(const std::string& target, std::string_view bytes)
    {
        fs::create_directories(folder_ / target);
        const auto name = std::to_string(count_++);
        std::ofstream(folder_ / target / name, std::ios::binary) << bytes;
    }
    void add(const std::string& target, std::span<const std::byte> bytes)
    {
        add(target, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    // Each file goes to the target that is called as its extension.
    void add(const std::vector<exporting::NamedFile>& files)
    {
        for (const auto& file : files)
            if (const auto target = fs::path(file.name).extension().string();
                target != ".bin" && target != ".png")
                add(target.substr(1), file.bytes);
    }

private:
    fs::path folder_;
    int count_ = 0;
};

// Small scenes in every format of the writers that is a target.
void add_exported_scenes(Seeds& seeds)
{
    for (const auto& scene : {skinned_bar(), morphing_quad(), textured_cube()}) {
        seeds.add("gltf", exporting::write_glb(scene).value());
        seeds.add(exporting::write_gltf(scene, "m"));
        seeds.add(exporting::write_obj(scene, "m"));
        seeds.add(exporting::write_md5(scene, "m"));
        for (const auto container : {exporting::FbxContainer::binary, exporting::FbxContainer::text})
            seeds.add(exporting::write_fbx(scene, "m", container));
    }
}

// Models that the builders of the unit tests make.
void add_built_models(Seeds& seeds)
{
    seeds.add("dae", dae::test::everything_document);
    const Grid grid(4);
    seeds.add("gltf", std::string_view(variant_triangle));
    seeds.add("gltf", meshopt_document(grid).glb());
    seeds.add("gltf", meshopt_document(grid, meshopt_vertices_1).glb());
    seeds.add("gltf", draco_document(grid, draco_bytes(grid)).glb());
    for (const auto container : {exporting::FbxContainer::binary, exporting::FbxContainer::text})
        seeds.add("fbx", blender_shape_keys(container));
    for (const std::string_view sample : {moving_fbx_7, moving_fbx_6, moving_fbx_5})
        seeds.add("fbx", sample);
    seeds.add("3ds", threeds::every_chunk());
    seeds.add("md2", Md2Model().write());
    seeds.add("md3", Md3Model().write());
    seeds.add("ply", square_ply);
    for (const bool big_endian : {false, true})
        seeds.add("ply", every_type_ply(big_endian));
    seeds.add("ply", rich_ply);
    for (const GltfBuilder& builder : {vrm_0(), vrm_1(), vrma()}) {
        seeds.add("vrm", builder.glb());
        seeds.add("vrm", builder.json(false));
    }
    seeds.add("stl", square_stl);
    seeds.add("stl", binary_stl({{lower_half, 0xFC00}, {upper_half}}));
    seeds.add("stl", binary_stl({{lower_half, 0x1F}, {upper_half, 0x8000}}, "COLOR=\x10\x20\x30\x80"));
}

// Files next to models: configurations, archives, vertex caches.
void add_companion_files(Seeds& seeds)
{
    seeds.add("md3player",
              "sex m\n0 2 0 20\n1 1 1 20 // TORSO_STAND\n0 2 2 15 // LEGS_WALK\n\1body,models/a/b.tga\n"
              "tag_torso,\n\1models/a/b\n{\n cull none\n qer_editorImage a.tga\n {\n  map a.tga\n"
              "  blendFunc add\n  alphaFunc GE128\n  tcGen environment\n }\n}\n");
    seeds.add("md3player",
              "/* 1 2\n 3 4 */ headoffset 0 0 0 0, 2, 0, 20 1 1 1 20 /* x */ // TORSO_STAND\n0 2\r2 15\n"
              "LEGS_RUN 0 2 2 15 9 9\n1 1 nan\n\1body,models/a/b.tga \"l a\" , a.tga tag_torso,\1");
    seeds.add("zae", ZipBuilder()
                         .add("manifest.xml", "<?xml version='1.0'?><dae_root>./a/m.dae</dae_root>")
                         .add("a/m.dae", dae::test::everything_document)
                         .bytes());
    // Two samples of one point: 24 frames a second from 0; and a Maya cache without a channel.
    seeds.add("cache", std::string("POINTCACHE2\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\x80\x3f\2\0\0\0", 32) +
                           std::string(24, '\0'));
    seeds.add("cache", std::string("FOR4\0\0\0\x28"
                                   "CACHVRSN\0\0\0\4"
                                   "0.1\0STIM\0\0\0\4\0\0\0\0"
                                   "ETIM\0\0\0\4\0\0\0\1",
                                   48));
}

// Images of every format and kind.
void add_images(Seeds& seeds)
{
    for (const auto& picture : {two_pixels_png(), two_pixels_webp(), two_pixels_tga(), two_pixels_bmp(),
                                two_pixels_psd(), gray16_png(), red_jpeg()})
        for (const char name : {'\0', '\1'})
            seeds.add("image", name + picture);
    for (const JpegKind& kind : every_jpeg_kind())
        seeds.add("image", '\0' + jpeg(kind));
    for (const auto& picture : every_tiff())
        seeds.add("image", '\0' + picture);
    for (const auto& picture : every_picture())
        seeds.add("image", '\0' + picture);
}

} // namespace

int main(int, char** argv)
{
    Seeds seeds(argv[1]);
    add_exported_scenes(seeds);
    add_built_models(seeds);
    add_companion_files(seeds);
    seeds.add("bvh", arm_hierarchy + arm_motion);
    seeds.add("md5mesh", arm_mesh);
    seeds.add("md5anim", arm_animation);
    seeds.add(
        "mtl",
        "newmtl m\nKd 1 0.5 0\nNs 10\nd 0.5\nmap_Kd -s 1 2 -clamp on m.png\nmap_Bump -bm 2 m.png\nPr 1\n");
    seeds.add("blob", encode_blob(everything()));
    seeds.add("blob", encode_blob(random_scene(1)));
    add_images(seeds);
    add_server_seeds([&](const std::string& target, std::string_view bytes) { seeds.add(target, bytes); });
    seeds.add(
        "zip",
        ZipBuilder().add("a/b.obj", "v 0 0 0\n").add("c.mtl", "newmtl m\n", {.deflated = true}).bytes());
}
