// The real program with small files.

#include <regex>

#include <boost/json/parse.hpp>

#include "tests/integration/cli/program.hpp"

using vitrine::test::Cli;
using vitrine::test::is_one_complaint;
using vitrine::test::pyramid;
namespace json = boost::json;

TEST_F(Cli, InspectPrintsTheContents)
{
    const auto outcome = run({"inspect", write("pyramid.obj", pyramid)});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const auto report = json::parse(outcome.out);
    EXPECT_EQ(report.at("format"), "obj");
    EXPECT_EQ(report.at("counts").at("vertices"), 5);
    EXPECT_EQ(report.at("counts").at("polygons"), 5);
    EXPECT_EQ(report.at("counts").at("triangles"), 6);
    EXPECT_EQ(report.at("bounds").at("max"), (json::array{0.1, 0.7, 0.3}));
    EXPECT_EQ(report.at("fileSpace").at("upAxis"), "Y");
    EXPECT_NE(outcome.out.find("\"max\": [0.1, 0.7, 0.3]"), std::string::npos) << "floats as floats";
}

TEST_F(Cli, ConvertWritesAGlbOfTheModel)
{
    const auto file = write("pyramid.obj", pyramid);
    const auto output = file + ".glb";
    const auto converted = run({"convert", file, output});
    ASSERT_EQ(converted.exit_code, 0) << converted.err;
    EXPECT_EQ(converted.err, "");
    const auto inspected = run({"inspect", output});
    ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
    const auto report = json::parse(inspected.out);
    EXPECT_EQ(report.at("format"), "glb");
    EXPECT_EQ(report.at("counts").at("triangles"), 6);
    EXPECT_EQ(report.at("bounds").at("max"), (json::array{0.1, 0.7, 0.3}));
    EXPECT_EQ(run({"convert", file, "pyramid.fbx"}).exit_code, 2);
    const auto bad = write("bad.glb", "glTF and no more");
    const auto rejected = run({"convert", bad, output});
    EXPECT_EQ(rejected.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(rejected.err, bad, "unsupported")) << rejected.err;
}

TEST_F(Cli, InspectPrintsOneLinePerFile)
{
    const auto good = write("pyramid.obj", pyramid);
    const auto bad = write("bad.glb", "glTF and no more");
    const auto outcome = run({"inspect", good, bad, good});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 2);
    EXPECT_EQ(json::parse(outcome.out.substr(0, outcome.out.find('\n'))).at("format"), "obj");
    EXPECT_TRUE(is_one_complaint(outcome.err, bad, "")) << outcome.err;
}

TEST_F(Cli, InvalidFilesGiveOneErrorLine)
{
    const auto gone = (folder_ / "gone.obj").string();
    EXPECT_TRUE(is_one_complaint(run({"inspect", gone}).err, gone, "missing_file"));
    const auto unknown = write("notes.txt", "hello");
    EXPECT_TRUE(is_one_complaint(run({"inspect", unknown}).err, unknown, "unknown_format"));
    const auto odd = write("model.fbx", "Kaydara");
    EXPECT_TRUE(is_one_complaint(run({"inspect", odd}).err, odd, "malformed"));
    const auto hollow = write("hollow.glb", "");
    EXPECT_TRUE(is_one_complaint(run({"bake", hollow, "-o", "x.obj"}).err, hollow, "empty"));
    const auto folder = folder_.string();
    EXPECT_TRUE(is_one_complaint(run({"inspect", folder}).err, folder, "missing_file"));
}

TEST_F(Cli, InspectAcceptsAFileWithoutGeometry)
{
    const auto file = write("gold.gltf", R"({"asset":{"version":"2.0"},"materials":[{"name":"Gold"}]})");
    const auto report = json::parse(run({"inspect", file}).out);
    EXPECT_EQ(report.at("counts").at("materials"), 1);
    EXPECT_EQ(report.at("counts").at("meshes"), 0);
    EXPECT_TRUE(report.at("bounds").is_null());
    EXPECT_EQ(report.at("warnings").at(0).at("code"), "nothing_to_show");
    const auto baked = run({"bake", file, "-o", (folder_ / "x.obj").string()});
    EXPECT_EQ(baked.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(baked.err, file, "empty")) << baked.err;
    const auto drawn = run({"render", file, "-o", (folder_ / "x.png").string()});
    EXPECT_EQ(drawn.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(drawn.err, file, "empty")) << drawn.err;
}

TEST_F(Cli, WarnsAboutATextureWithoutCoordinates)
{
    write("paint.tga", std::string("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0\1\2\3", 21));
    write("paint.mtl", "newmtl paint\nmap_Kd paint.tga\n");
    const std::string corners = "mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl paint\n";
    const auto without = json::parse(run({"inspect", write("without.obj", corners + "f 1 2 3\n")}).out);
    ASSERT_EQ(without.at("warnings").as_array().size(), 1u) << without.at("warnings");
    EXPECT_EQ(without.at("warnings").at(0).at("code"), "missing_texture_coordinates");
    const auto with = json::parse(run({"inspect", write("with.obj", corners + "f 1/1 2/1 3/1\n")}).out);
    EXPECT_TRUE(with.at("warnings").as_array().empty()) << with.at("warnings");
}

TEST_F(Cli, RendersBonesOfARigWithoutMesh)
{
    const auto file = write("rig.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":[{"name":"hips","children":[1]},{"name":"head","translation":[0,1,0]}]})");
    const auto report = json::parse(run({"inspect", file}).out);
    EXPECT_EQ(report.at("counts").at("meshes"), 0);
    EXPECT_EQ(report.at("warnings").at(0).at("code"), "skeleton_shown");
    const auto picture = (folder_ / "rig.png").string();
    const auto drawn = run({"render", file, "-o", picture, "--size", "64x64"});
    EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_TRUE(std::filesystem::exists(picture));
    const auto hit = run({"render", file, "--view", "front", "--size", "64x64", "--pick", "32,20"});
    EXPECT_NE(hit.out.find("hips"), hit.out.npos) << hit.out << hit.err;
    const auto only =
        run({"render", file, "--view", "front", "--size", "64x64", "--pick", "32,32", "--only", "head"});
    EXPECT_NE(only.out.find("head"), only.out.npos) << only.out << only.err;
    const auto none = run({"render", file, "-o", picture, "--hide", "hips"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_NE(none.err.find("nothing that is left"), none.err.npos) << none.err;
}

// The model has a mesh, but the image shows nothing of it; this is a warning.
TEST_F(Cli, WarnsAboutAnEmptyImage)
{
    const auto file = write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    const auto report = json::parse(run({"inspect", file}).out);
    EXPECT_EQ(report.at("warnings").at(0).at("code"), "nothing_to_show");
    const auto drawn = run({"render", file, "-o", (folder_ / "x.png").string(), "--size", "16x16"});
    EXPECT_EQ(drawn.exit_code, 0);
    EXPECT_NE(drawn.err.find("nothing_to_show"), drawn.err.npos) << drawn.err;
}

TEST_F(Cli, BakeSharesTheVerticesOfFlatFaces)
{
    const auto file = write("tetrahedron.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                               "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    EXPECT_EQ(bake(file, {}).size(), 4u);
    const auto counts = json::parse(run({"inspect", (folder_ / "baked.obj").string()}).out).at("counts");
    EXPECT_EQ(counts.at("vertices"), 4);
    EXPECT_EQ(counts.at("triangles"), 4);
    const auto again = (folder_ / "again.ply").string();
    const auto ply = (folder_ / "out.ply").string();
    ASSERT_EQ(run({"bake", file, "-o", ply}).exit_code, 0);
    ASSERT_EQ(run({"bake", (folder_ / "baked.obj").string(), "-o", again}).exit_code, 0);
    EXPECT_EQ(vitrine::test::content_of(again), vitrine::test::content_of(ply)) << "triangles and normals";
}

TEST_F(Cli, BakeWritesBothFormats)
{
    const auto file = write("pyramid.obj", pyramid);
    EXPECT_EQ(bake(file, {}).size(), 5u) << "as in the file";
    const auto ply = (folder_ / "out.ply").string();
    ASSERT_EQ(run({"bake", file, "-o", ply}).exit_code, 0);
    EXPECT_TRUE(vitrine::test::content_of(ply).starts_with("ply\nformat binary_little_endian"));
    const auto shouted = (folder_ / "OUT.OBJ").string();
    ASSERT_EQ(run({"bake", file, "-o", shouted}).exit_code, 0);
    EXPECT_EQ(vitrine::test::content_of(shouted), vitrine::test::content_of(folder_ / "baked.obj"));
    const auto again = run({"inspect", (folder_ / "baked.obj").string()});
    EXPECT_EQ(json::parse(again.out).at("counts").at("triangles"), 6);
}

TEST_F(Cli, BakeReportsUnsupportedOutput)
{
    const auto file = write("pyramid.obj", pyramid);
    const auto outcome = run({"bake", file, "-o", (folder_ / "no/such/out.obj").string()});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("cannot be written"), std::string::npos);
}

TEST_F(Cli, UsageErrorsExitWithTwo)
{
    const auto file = write("pyramid.obj", pyramid);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{},
          {"nonsense"},
          {"inspect"},
          {"bake", file},
          {"bake", file, "-o", "x.stl"},
          {"bake", file, "-o", "x.obj", "--time", "1", "--frame", "1"},
          {"bake", file, "-o", "x.obj", "--time", "soon"},
          {"bake", file, "-o", "x.obj", "--time", "nan"},
          {"bake", file, "-o", "x.obj", "--frame", "-1"},
          {"bake", file, "-o", "x.obj", "--space", "inches"},
          {"serve", "--listen", "nowhere"},
          {"serve", "--listen", "0.0.0.0:0", "--open"}, // everyone could write
          {"render", file, "-o", "x.bmp"},
          {"render", file, "-o", "x.png", "--size", "large"},
          {"render", file, "-o", "x.png", "--size", "0x64"},
          {"render", file, "-o", "x.png", "--view", "beside"}}) {
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
        EXPECT_FALSE(outcome.err.empty());
    }
}

TEST_F(Cli, ServePrintsItsConfigurationAndExits)
{
    const auto data = (folder_ / "data").string();
    const auto outcome = run({"serve", "--print-config", "--listen", "127.0.0.1:0", "--data", data, "--token",
                              "open-sesame", "--upload-mb", "7", "--gpu", "software"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto printed = json::parse(outcome.out);
    EXPECT_EQ(printed.at("data").as_string(), data);
    EXPECT_EQ(printed.at("token").as_string(), "set");
    EXPECT_EQ(printed.at_pointer("/storage/uploadMb").to_number<int>(), 7);
    EXPECT_EQ(outcome.out.find("sesame"), std::string::npos);
    EXPECT_EQ(outcome.out.find("Vitrine is listening on"), std::string::npos) << "no server was started";
    EXPECT_FALSE(std::filesystem::exists(data));
}

TEST_F(Cli, HelpAndVersion)
{
    const auto help = run({"--help"});
    EXPECT_EQ(help.exit_code, 0);
    for (const auto* command : {"inspect", "bake", "pose", "samples"})
        EXPECT_NE(help.out.find(command), std::string::npos) << command;
    EXPECT_NE(run({"bake", "--help"}).out.find("-o,--output"), std::string::npos);
    const auto render = run({"render", "--help"}).out;
    EXPECT_NE(render.find("--skinning TEXT:{linear,dual_quaternion,blended}"), std::string::npos);
    EXPECT_NE(render.find("--sizes TEXT:{actual,equal}"), std::string::npos);
    EXPECT_EQ(run({"import", "--help"}).out.find("{false}"), std::string::npos);
    const auto doctor = run({"doctor", "--help"}).out;
    EXPECT_TRUE(std::regex_search(doctor, std::regex(R"(--gpu TEXT ?[=\[]auto)"))) << doctor;
    EXPECT_TRUE(std::regex_match(run({"--version"}).out, std::regex(R"(vitrine \d+\.\d+\.\d+\n)")));
}

TEST_F(Cli, BakeOfASkeletonAloneIsAnError)
{
    const auto bones = write("bones.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
                                           R"("nodes":[{"name":"a","children":[1]},)"
                                           R"({"name":"b","translation":[0,1,0]}]})");
    const auto output = folder_ / "bones.obj";
    const auto outcome = run({"bake", bones, "-o", output.string()});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(outcome.err, bones, "empty")) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(Cli, DoctorDetectsProblems)
{
    const auto good = run({"doctor", "--data", folder_.string()});
    EXPECT_NE(good.out.find("ok    loader process   loads a triangle"), std::string::npos) << good.out;
    EXPECT_NE(good.out.find("data directory"), std::string::npos);
    EXPECT_TRUE(std::regex_search(good.out, std::regex(R"(\n +clips +\d+  clips\n)"))) << good.out;
    const auto later = run({"doctor", "--data", (folder_ / "made" / "later").string()});
    EXPECT_NE(later.out.find("created by the first start"), std::string::npos) << later.out;
    const auto bad = run({"doctor", "--data", "/proc/nothing"}); // not writable even for root
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_NE(bad.out.find("WRONG data directory"), std::string::npos) << bad.out;
    EXPECT_NE(bad.out.find("fix: "), std::string::npos);
}

TEST_F(Cli, DoctorNamesSettingsOfCudaThatVulkanIgnores)
{
    ::setenv("CUDA_VISIBLE_DEVICES", "1", 1); // NOLINT(concurrency-mt-unsafe): the only thread
    const auto limited = run({"doctor", "--data", folder_.string()});
    ::unsetenv("CUDA_VISIBLE_DEVICES"); // NOLINT(concurrency-mt-unsafe)
    const std::string sentence = "CUDA_VISIBLE_DEVICES=1 does not limit Vulkan: choose with --gpu";
    EXPECT_NE(limited.out.find(sentence), std::string::npos) << limited.out;
    const auto unlimited = run({"doctor", "--data", folder_.string()});
    EXPECT_EQ(unlimited.out.find("CUDA_VISIBLE_DEVICES"), std::string::npos) << unlimited.out;
}

TEST_F(Cli, BenchMeasuresSkinningOnTheCpuAndTheDevice)
{
    ASSERT_EQ(run({"samples", folder_.string()}).exit_code, 0);
    const auto file = (folder_ / "robot-glb" / "robot.glb").string();
    const auto outcome = run({"bench", file, "--clip", "walk", "--seconds", "0.02", "--format", "json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto report = json::parse(outcome.out);
    EXPECT_EQ(report.at("rows").as_array().size(), 6u);
    for (const auto& row : report.at("rows").as_array())
        EXPECT_GT(row.at("verticesPerSecond").as_double(), 1e3) << row;
    EXPECT_LT(report.at("largestDeviation").at("ofSize").as_double(), 1e-5);
    EXPECT_GT(report.at("clip").at("matrixBytes").to_number<double>(), 0.0);
    const auto text = run({"bench", file, "--seconds", "0.02"});
    EXPECT_NE(text.out.find("million vertices/s"), std::string::npos) << text.out << text.err;
    EXPECT_EQ(run({"bench", file, "--clip", "no such clip"}).exit_code, 1);
    const auto bones = (folder_ / "idle-bvh" / "idle.bvh").string();
    EXPECT_TRUE(is_one_complaint(run({"bench", bones}).err, bones, "empty"));
}
