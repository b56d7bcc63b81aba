// Models of several files: folders and zips.

#include <algorithm>
#include <boost/json/parse.hpp>

#include "tests/integration/cli/program.hpp"
#include "tests/support/tga.hpp"
#include "tests/support/zip_builder.hpp"
#include "tests/unit/md3/samples.hpp"

using vitrine::test::content_of;
using vitrine::test::is_one_complaint;
using vitrine::test::pyramid;
namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

class CliFolder : public vitrine::test::CliTest {};

} // namespace

TEST_F(CliFolder, LoadsAModelAndItsReferencesFromAZip)
{
    vitrine::test::ZipBuilder zip;
    zip.add("parts/pyramid.obj", std::string("mtllib stone.mtl\nusemtl Stone\n") + pyramid);
    zip.add("parts/stone.mtl", "newmtl Stone\nKd 1 0 0\n");
    const auto one = run({"inspect", write("one.zip", zip.bytes())});
    ASSERT_EQ(one.exit_code, 0) << one.err;
    const auto report = json::parse(one.out);
    EXPECT_EQ(report.at("counts").at("vertices"), 5);
    EXPECT_EQ(report.at("materials").at(0).at("name"), "Stone");
    EXPECT_EQ(run({"inspect", write("pak0.PK3", zip.bytes())}).exit_code, 0) << "as games call it";
    zip.add("other.obj", pyramid);
    const auto two = write("TWO.ZIP", zip.bytes());
    const auto rejected = run({"inspect", two});
    EXPECT_EQ(rejected.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(rejected.err, two, "missing_file")) << rejected.err;
    EXPECT_NE(rejected.err.find("other.obj"), rejected.err.npos) << rejected.err;
    const auto broken = write("broken.zip", zip.bytes().substr(0, 40));
    const auto damaged = run({"inspect", broken});
    EXPECT_EQ(damaged.exit_code, 1);
    EXPECT_EQ(damaged.err.find("vitrine: " + broken), 0u) << damaged.err;
    const auto limited = run({"inspect", two, "--limit", "file_bytes=10"});
    EXPECT_NE(limited.err.find("file_bytes"), limited.err.npos) << limited.err;
}

TEST_F(CliFolder, LoadsTheOnlyModelOfAFolder)
{
    fs::create_directory(folder_ / "kit");
    const auto kit = (folder_ / "kit").string();
    EXPECT_TRUE(is_one_complaint(run({"inspect", kit}).err, kit, "missing_file"));
    write("kit/pyramid.obj", pyramid);
    write("kit/readme.txt", "about it");
    const auto alone = run({"inspect", kit});
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    EXPECT_EQ(json::parse(alone.out).at("format"), "obj");
    write("kit/other.obj", pyramid);
    const auto several = run({"inspect", kit}).err;
    EXPECT_TRUE(is_one_complaint(several, kit, "missing_file"));
    EXPECT_NE(several.find("2 models; name one: other.obj, pyramid.obj"), several.npos) << several;
}

// Games name images relative to the root of their package, which is above the model's folder.
TEST_F(CliFolder, FindsImagesRelativeToTheGameRoot)
{
    vitrine::test::Md3Model model;
    model.surfaces[0].shaders = {"models/fox/fur"};
    model.surfaces.push_back({.name = "eyes", .shaders = {"gfx/blue.tga"}});
    model.surfaces.push_back({.name = "nose", .shaders = {"button.tga"}});
    for (const auto* folder : {"pak/models/fox", "pak/gfx", "pak/scripts", "pak/textures"})
        fs::create_directories(folder_ / folder);
    const auto fox = write("pak/models/fox/fox.md3", model.write());
    write("pak/gfx/blue.tga", vitrine::test::pixel(7));
    write("pak/textures/wool.tga", vitrine::test::pixel(8));
    write("pak/textures/button.tga", vitrine::test::pixel(9));
    write("pak/scripts/a.shader", "models/fox/fur { cull none\n { map textures/wool.jpg } }");
    const auto found = run({"inspect", fox});
    ASSERT_EQ(found.exit_code, 0) << found.err;
    const auto report = json::parse(found.out);
    EXPECT_EQ(report.at("warnings").as_array().size(), 0u) << found.out;
    EXPECT_EQ(report.at("materials").at(0).at("baseColorTexture").at("name"), "textures/wool.tga");
    EXPECT_EQ(report.at("materials").at(1).at("baseColorTexture").at("name"), "gfx/blue.tga");
    EXPECT_TRUE(report.at("materials").at(1).at("normalTexture").is_null())
        << "blue.tga_local is not blue.tga";
    EXPECT_EQ(report.at("materials").at(2).at("baseColorTexture").at("name"), "textures/button.tga")
        << "a name without a folder is one of the textures";
    fs::rename(folder_ / "pak/models", folder_ / "pak/things");
    const auto elsewhere = run({"inspect", (folder_ / "pak/things/fox/fox.md3").string()});
    EXPECT_EQ(json::parse(elsewhere.out).at("counts").at("images"), 0) << "the root is unknown";
}

TEST_F(CliFolder, LoadsAPlayerModelFromItsFolder)
{
    vitrine::test::Md3Model model;
    model.tags = {{{"tag_torso"}}, {{"tag_torso", {0, 0, 9}}}};
    fs::create_directory(folder_ / "sarge");
    const auto lower = write("sarge/lower.md3", model.write());
    for (const auto* part : {"upper", "lower_1"})
        write("sarge/" + std::string(part) + ".md3", model.write());
    write("sarge/animation.cfg", "0 2 0 20 // BOTH_DEATH1\n");
    write("sarge/source.obj", pyramid);
    const auto whole = run({"inspect", (folder_ / "sarge").string()});
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    EXPECT_EQ(json::parse(whole.out).at("counts").at("meshes"), 2);
    EXPECT_EQ(json::parse(whole.out).at("clips").at(0).at("name"), "BOTH_DEATH1");
    const auto part = run({"inspect", lower});
    EXPECT_EQ(json::parse(part.out).at("counts").at("meshes"), 1) << "asked for by itself";
    EXPECT_EQ(json::parse(part.out).at("clips").at(0).at("name"), "lower");
}

TEST_F(CliFolder, LoadsACharacterWithAnimationsFromAFolder)
{
    fs::create_directory(folder_ / "hero");
    write("hero/hero.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":[{"name":"hips","mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}]})");
    write("hero/walk.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":[{"name":"hips"}],
        "animations":[{"name":"Take 001","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
                       "samplers":[{"input":0,"output":1}]}],
        "buffers":[{"byteLength":32,"uri":"data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAoEA="}],
        "bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
                     {"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}]})");
    const auto hero = (folder_ / "hero").string();
    const auto together = run({"inspect", hero});
    ASSERT_EQ(together.exit_code, 0) << together.err;
    const auto report = json::parse(together.out);
    ASSERT_EQ(report.at("clips").as_array().size(), 1u);
    EXPECT_EQ(report.at("clips").at(0).at("name"), "walk");
    const auto alone = run({"inspect", hero + "/hero.gltf"});
    EXPECT_TRUE(json::parse(alone.out).at("clips").as_array().empty()) << "one file was named";
    const auto pose = run({"pose", hero, "--clip", "walk", "--time", "0.5"});
    EXPECT_NE(pose.out.find("2.5"), pose.out.npos) << pose.out << pose.err;
    fs::create_directory(folder_ / "props");
    fs::copy(hero + "/walk.gltf", folder_ / "props");
    write("props/pyramid.obj", pyramid);
    const auto prop = run({"inspect", (folder_ / "props").string()});
    ASSERT_EQ(prop.exit_code, 0) << prop.err;
    EXPECT_EQ(json::parse(prop.out).at("format"), "obj") << "what it cannot play makes no second model";
    EXPECT_NE(prop.out.find("animation_not_bound"), prop.out.npos);
}

// References into the given folder and a few parents are allowed; absolute names and hidden files are not.
TEST_F(CliFolder, AllowsReferencesNearTheModelsFolder)
{
    fs::create_directories(folder_ / "pack/gltf");
    fs::create_directories(folder_ / "pack/other");
    const std::string corners(36, '\0');
    write("pack/other/x.bin", corners);
    write("pack/.x.bin", corners);
    const auto with_buffer = [&](const std::string& name) {
        return write("pack/gltf/a.gltf",
                     R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":")" + name +
                         R"("}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,
                         "componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
                         "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],
                         "scenes":[{"nodes":[0]}],"scene":0})");
    };
    const auto loaded = run({"inspect", with_buffer("../other/x.bin")});
    ASSERT_EQ(loaded.exit_code, 0) << loaded.err;
    EXPECT_EQ(json::parse(loaded.out).at("counts").at("vertices"), 3);
    EXPECT_EQ(run({"inspect", (folder_ / "pack/gltf").string()}).exit_code, 0) << "the folder itself";
    const auto glb = (folder_ / "out.glb").string();
    EXPECT_EQ(run({"convert", (folder_ / "pack/gltf/a.gltf").string(), glb}).exit_code, 0);
    for (const std::string& name : {std::string("../.x.bin"), (folder_ / "pack/other/x.bin").string(),
                                    std::string("../../../../../../../x.bin"), std::string("../other")})
        EXPECT_EQ(run({"inspect", with_buffer(name)}).exit_code, 1) << name;
}

TEST_F(CliFolder, SearchesImagesInSiblingFolders)
{
    fs::create_directories(folder_ / "pack/fbx");
    fs::create_directories(folder_ / "pack/gltf");
    fs::create_directories(folder_ / "pack/textures");
    const auto model = write("pack/fbx/a.obj", std::string("mtllib a.mtl\nusemtl m\n") + pyramid);
    write("pack/fbx/a.mtl", "newmtl m\nmap_Kd C:\\art\\wood.png\n");
    const auto image = [&] { return json::parse(run({"inspect", model}).out).at("images").at(0); };
    EXPECT_EQ(image().at("width"), 0);
    const auto red = vitrine::test::tga(1, 1, {255, 0, 0, 255});
    write("pack/gltf/wood.tga", red);
    EXPECT_EQ(image().at("width"), 1) << "with another extension";
    EXPECT_EQ(image().at("name"), "../gltf/wood.tga");
    write("pack/textures/wood.tga", red);
    EXPECT_EQ(image().at("name"), "../textures/wood.tga") << "the usual place first";
    const auto report = json::parse(run({"inspect", model}).out);
    EXPECT_EQ(report.at("warnings").at(0).at("code"), "found_elsewhere");
    const auto gltf = write("pack/gltf/b.gltf", R"({"asset":{"version":"2.0"},"images":[{"uri":"stone.tga"}],
        "textures":[{"source":0}],
        "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}]})");
    write("pack/textures/stone.tga", red);
    const auto found = json::parse(run({"inspect", gltf}).out);
    EXPECT_EQ(found.at("images").at(0).at("width"), 1) << "glTF";
    EXPECT_TRUE(std::ranges::any_of(found.at("warnings").as_array(), [](const json::value& warning) {
        return warning.at("code") == "found_elsewhere";
    }));
    vitrine::test::ZipBuilder zip;
    zip.add("fbx/a.obj", content_of(model));
    zip.add("fbx/a.mtl", "newmtl m\nmap_Kd ../textures/wood.tga\nmap_Ke ../../textures/wood.tga\n");
    const auto packed = json::parse(run({"inspect", write("pack/a.zip", zip.bytes())}).out);
    for (const auto& missing : packed.at("images").as_array())
        EXPECT_EQ(missing.at("width"), 0) << "a zip has no parent folder";
}

// Progress is shown only on a terminal: in the other tests stderr is a file and empty.
TEST_F(CliFolder, SeveralFilesShowProgressOnATerminal)
{
    const auto a = write("a.obj", pyramid), b = write("b.obj", pyramid);
    const auto seen = run_on_terminal({"inspect", a, b});
    EXPECT_NE(seen.find("[1/2] "), seen.npos) << seen;
    EXPECT_NE(seen.find("a.obj"), seen.npos);
    EXPECT_TRUE(seen.ends_with("\r\033[K")) << "the line is wiped";
    EXPECT_EQ(run_on_terminal({"inspect", a}), "") << "one file is read at once";
    fs::create_directory(folder_ / "kit");
    write("kit/pyramid.obj", pyramid);
    EXPECT_NE(run_on_terminal({"inspect", (folder_ / "kit").string()}).find("reading kit"), seen.npos);
    EXPECT_EQ(run({"inspect", a, b}).err, "");
}
