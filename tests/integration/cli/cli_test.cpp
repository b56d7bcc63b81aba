// The real program over small files and over its own samples.

#include <regex>

#include <unistd.h>

#include <boost/json/parse.hpp>

#include "api/json_text.hpp"
#include "tests/integration/cli/program.hpp"
#include "tests/support/zip_builder.hpp"
#include "tests/unit/md3/samples.hpp"

using vitrine::test::distance;
using vitrine::test::extent;
using vitrine::test::highest;
using vitrine::test::lowest;
namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* pyramid = "o pyramid\nv 0 0 0\nv 0.1 0 0\nv 0.1 0 0.3\nv 0 0 0.3\nv 0.05 0.7 0.15\n"
                                "f 1 2 3 4\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n";

class Cli : public vitrine::test::CliTest {};

// Over what `vitrine samples` wrote, once for all of them.
class CliSamples : public Cli {
protected:
    void SetUp() override
    {
        if (!fs::exists(samples_)) ASSERT_EQ(run({"samples", samples_.string()}).exit_code, 0);
    }
    static void TearDownTestSuite() { fs::remove_all(samples_); }
    std::string sample(const std::string& name) const { return (samples_ / name).string(); }

private:
    inline static const fs::path samples_ =
        fs::path(testing::TempDir()) / ("vitrine-samples-" + std::to_string(::getpid()));
};

bool is_one_complaint(const std::string& text, const std::string& file, const std::string& code)
{
    return text.starts_with("vitrine: " + file + ": " + code) && text.ends_with('\n') &&
           text.find('\n') == text.size() - 1 && text.find(": ", 10 + file.size()) != std::string::npos;
}

} // namespace

TEST_F(Cli, InspectPrintsWhatIsInAFile)
{
    const auto outcome = run({"inspect", write("pyramid.obj", pyramid)});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const auto facts = json::parse(outcome.out);
    EXPECT_EQ(facts.at("format"), "obj");
    EXPECT_EQ(facts.at("counts").at("vertices"), 5);
    EXPECT_EQ(facts.at("counts").at("polygons"), 5);
    EXPECT_EQ(facts.at("counts").at("triangles"), 6);
    EXPECT_EQ(facts.at("bounds").at("max"), (json::array{0.1, 0.7, 0.3}));
    EXPECT_EQ(facts.at("fileSpace").at("upAxis"), "Y");
    EXPECT_NE(outcome.out.find("\"max\": [0.1, 0.7, 0.3]"), std::string::npos) << "floats as floats";
}

TEST_F(Cli, AZipIsAModelWithWhatItRefersTo)
{
    vitrine::test::ZipBuilder zip;
    zip.add("parts/pyramid.obj", std::string("mtllib stone.mtl\nusemtl Stone\n") + pyramid);
    zip.add("parts/stone.mtl", "newmtl Stone\nKd 1 0 0\n");
    const auto one = run({"inspect", write("one.zip", zip.bytes())});
    ASSERT_EQ(one.exit_code, 0) << one.err;
    const auto facts = json::parse(one.out);
    EXPECT_EQ(facts.at("counts").at("vertices"), 5);
    EXPECT_EQ(facts.at("materials").at(0).at("name"), "Stone");
    zip.add("other.obj", pyramid);
    const auto two = write("TWO.ZIP", zip.bytes());
    const auto refused = run({"inspect", two});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(refused.err, two, "missing_file")) << refused.err;
    EXPECT_NE(refused.err.find("other.obj"), refused.err.npos) << refused.err;
    const auto broken = write("broken.zip", zip.bytes().substr(0, 40));
    const auto damaged = run({"inspect", broken});
    EXPECT_EQ(damaged.exit_code, 1);
    EXPECT_EQ(damaged.err.find("vitrine: " + broken), 0u) << damaged.err;
    const auto limited = run({"inspect", two, "--limit", "file_bytes=10"});
    EXPECT_NE(limited.err.find("file_bytes"), limited.err.npos) << limited.err;
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
    const auto facts = json::parse(inspected.out);
    EXPECT_EQ(facts.at("format"), "glb");
    EXPECT_EQ(facts.at("counts").at("triangles"), 6);
    EXPECT_EQ(facts.at("bounds").at("max"), (json::array{0.1, 0.7, 0.3}));
    EXPECT_EQ(run({"convert", file, "pyramid.fbx"}).exit_code, 2);
    const auto bad = write("bad.glb", "glTF and no more");
    const auto refused = run({"convert", bad, output});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(refused.err, bad, "unsupported")) << refused.err;
}

TEST_F(Cli, InspectPrintsOneLineForEachOfSeveral)
{
    const auto good = write("pyramid.obj", pyramid);
    const auto bad = write("bad.glb", "glTF and no more");
    const auto outcome = run({"inspect", good, bad, good});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 2);
    EXPECT_EQ(json::parse(outcome.out.substr(0, outcome.out.find('\n'))).at("format"), "obj");
    EXPECT_TRUE(is_one_complaint(outcome.err, bad, "")) << outcome.err;
}

TEST_F(Cli, BadFilesAreOneClearLine)
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

TEST_F(Cli, AFolderOfOneModelIsThatModel)
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
    EXPECT_NE(several.find("2 models, name one: other.obj, pyramid.obj"), several.npos) << several;
}

TEST_F(Cli, AFolderOfAPlayerIsThatPlayer)
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

TEST_F(Cli, AFolderOfACharacterAndItsAnimationsIsOneModel)
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
    const auto facts = json::parse(together.out);
    ASSERT_EQ(facts.at("clips").as_array().size(), 1u);
    EXPECT_EQ(facts.at("clips").at(0).at("name"), "walk");
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

TEST_F(Cli, AValidFileWithNothingToShowIsInspected)
{
    const auto file = write("gold.gltf", R"({"asset":{"version":"2.0"},"materials":[{"name":"Gold"}]})");
    const auto facts = json::parse(run({"inspect", file}).out);
    EXPECT_EQ(facts.at("counts").at("materials"), 1);
    EXPECT_EQ(facts.at("counts").at("meshes"), 0);
    EXPECT_TRUE(facts.at("bounds").is_null());
    EXPECT_EQ(facts.at("warnings").at(0).at("code"), "nothing_to_show");
    const auto baked = run({"bake", file, "-o", (folder_ / "x.obj").string()});
    EXPECT_EQ(baked.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(baked.err, file, "empty")) << baked.err;
    const auto drawn = run({"render", file, "-o", (folder_ / "x.png").string()});
    EXPECT_EQ(drawn.exit_code, 1);
    EXPECT_TRUE(is_one_complaint(drawn.err, file, "empty")) << drawn.err;
}

TEST_F(Cli, ARigWithoutAMeshShowsItsBones)
{
    const auto file = write("rig.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":[{"name":"hips","children":[1]},{"name":"head","translation":[0,1,0]}]})");
    const auto facts = json::parse(run({"inspect", file}).out);
    EXPECT_EQ(facts.at("counts").at("meshes"), 0);
    EXPECT_EQ(facts.at("warnings").at(0).at("code"), "skeleton_shown");
    const auto picture = (folder_ / "rig.png").string();
    const auto drawn = run({"render", file, "-o", picture, "--size", "64x64"});
    EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_TRUE(std::filesystem::exists(picture));
    const auto hit = run({"render", file, "--view", "front", "--size", "64x64", "--pick", "32,20"});
    EXPECT_NE(hit.out.find("hips"), hit.out.npos) << hit.out << hit.err;
}

// It has a mesh; a picture of it is drawn, and is as empty as somebody who asked should know.
TEST_F(Cli, APictureThatShowsNothingIsSaidToDoSo)
{
    const auto file = write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    const auto facts = json::parse(run({"inspect", file}).out);
    EXPECT_EQ(facts.at("warnings").at(0).at("code"), "nothing_to_show");
    const auto drawn = run({"render", file, "-o", (folder_ / "x.png").string(), "--size", "16x16"});
    EXPECT_EQ(drawn.exit_code, 0);
    EXPECT_NE(drawn.err.find("nothing_to_show"), drawn.err.npos) << drawn.err;
}

TEST_F(Cli, BakeWritesBothFormats)
{
    const auto file = write("pyramid.obj", pyramid);
    EXPECT_EQ(bake(file, {}).size(), 16u) << "flat faces: a vertex for each corner";
    const auto ply = (folder_ / "out.ply").string();
    ASSERT_EQ(run({"bake", file, "-o", ply}).exit_code, 0);
    EXPECT_TRUE(vitrine::test::content_of(ply).starts_with("ply\nformat binary_little_endian"));
    const auto shouted = (folder_ / "OUT.OBJ").string();
    ASSERT_EQ(run({"bake", file, "-o", shouted}).exit_code, 0);
    EXPECT_EQ(vitrine::test::content_of(shouted), vitrine::test::content_of(folder_ / "baked.obj"));
    const auto again = run({"inspect", (folder_ / "baked.obj").string()});
    EXPECT_EQ(json::parse(again.out).at("counts").at("triangles"), 6);
}

TEST_F(Cli, BakeSaysWhatItCannotWrite)
{
    const auto file = write("pyramid.obj", pyramid);
    const auto outcome = run({"bake", file, "-o", (folder_ / "no/such/out.obj").string()});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("cannot be written"), std::string::npos);
}

TEST_F(Cli, UsageErrorsAreTwo)
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
          {"serve", "--listen", "0.0.0.0:0"}, // without a token
          {"render", file, "-o", "x.bmp"},
          {"render", file, "-o", "x.png", "--size", "large"},
          {"render", file, "-o", "x.png", "--size", "0x64"},
          {"render", file, "-o", "x.png", "--view", "beside"}}) {
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
        EXPECT_FALSE(outcome.err.empty());
    }
}

TEST_F(Cli, HelpAndVersion)
{
    const auto help = run({"--help"});
    EXPECT_EQ(help.exit_code, 0);
    for (const auto* command : {"inspect", "bake", "pose", "samples"})
        EXPECT_NE(help.out.find(command), std::string::npos) << command;
    EXPECT_EQ(run({"bake", "--help"}).exit_code, 0);
    EXPECT_TRUE(std::regex_match(run({"--version"}).out, std::regex(R"(vitrine \d+\.\d+\.\d+\n)")));
}

TEST_F(Cli, DoctorTellsGoodFromBad)
{
    const auto good = run({"doctor", "--data", folder_.string()});
    EXPECT_NE(good.out.find("ok    loader process   loads a triangle"), std::string::npos) << good.out;
    EXPECT_NE(good.out.find("data directory"), std::string::npos);
    const auto later = run({"doctor", "--data", (folder_ / "made" / "later").string()});
    EXPECT_NE(later.out.find("made by the first start"), std::string::npos) << later.out;
    const auto bad = run({"doctor", "--data", "/proc/nothing"}); // not even root writes there
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_NE(bad.out.find("WRONG data directory"), std::string::npos) << bad.out;
    EXPECT_NE(bad.out.find("mend: "), std::string::npos);
}

// x jumps back every second, y goes to and fro in 1.4: no channel can say both for good.
TEST_F(Cli, CurvesOfDifferentPeriodsAreExactFarOutsideTheClip)
{
    const auto curve = [](int id, const char* end, const char* value, const char* ends) {
        return "AnimationCurve: " + std::to_string(id) + ", \"AnimCurve::\", \"\" { KeyTime: *2 { a: 0," +
               end + " }\nKeyValueFloat: *2 { a: 0," + value +
               " }\nKeyAttrFlags: *1 { a: 4 }\nKeyAttrDataFloat: *4 { a: 0,0,0,0 }\nKeyAttrRefCount: *1 { a: "
               "2 }\n"
               "Post-Extrapolation: { Type: \"" +
               ends + "\" Repetition: -1 } }\n";
    };
    const auto file = write(
        "periods.fbx",
        "; FBX 7.4.0 project file\nGlobalSettings: { Properties70: { P: \"UnitScaleFactor\", \"double\", "
        "\"Number\", "
        "\"\",100 } }\nObjects: { Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, \"Geometry::g\", "
        "\"Mesh\" { "
        "Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\nPolygonVertexIndex: *3 { a: 0,1,-3 } }\n"
        "AnimationStack: 50, \"AnimStack::s\", \"\" { }\nAnimationLayer: 51, \"AnimLayer::b\", \"\" { }\n"
        "AnimationCurveNode: 60, \"AnimCurveNode::T\", \"\" { }\n" +
            curve(70, "46186158000", "10", "R") + curve(71, "32330310600", "7", "M") +
            "}\nConnections: { C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",51,50\nC: \"OO\",60,51\n"
            "C: \"OP\",60,1, \"Lcl Translation\"\nC: \"OP\",70,60, \"d|X\"\nC: \"OP\",71,60, \"d|Y\"\n}\n");
    for (const double time : {30.25, 75.25, 1000.25}) {
        const double turn = std::fmod(time, 1.4);
        const auto corner = bake(file, {"--file-time", std::to_string(time)}).at(0);
        EXPECT_NEAR(corner.x, 10.0 * std::fmod(time, 1.0), 1e-4) << time;
        EXPECT_NEAR(corner.y, 10.0 * std::min(turn, 1.4 - turn), 1e-4) << time;
    }
}

TEST_F(CliSamples, SamePoseFromEveryFormat)
{
    const auto rest = bake(sample("koi-glb/koi.glb"), {});
    EXPECT_LT(distance(rest, bake(sample("koi-gltf/koi.gltf"), {})), 1e-6f * extent(rest));
    EXPECT_LT(distance(rest, bake(sample("koi-obj/koi.obj"), {})), 1e-5f * extent(rest));
    EXPECT_LT(distance(rest, bake(sample("koi-md5/koi.md5mesh"), {})), 1e-5f * extent(rest));
    for (const auto* frame : {"0", "7", "32"}) {
        const std::vector<std::string> when{"--clip", "swim", "--frame", frame};
        const auto md5 = bake(sample("koi-md5/koi.md5mesh"), when);
        const auto facts =
            json::parse(run({"pose", sample("koi-md5/koi.md5mesh"), when[0], when[1], when[2], when[3]}).out);
        const auto time = vitrine::api::to_text(facts.at("time"));
        const auto glb = bake(sample("koi-glb/koi.glb"), {"--clip", "swim", "--time", time});
        EXPECT_LT(distance(glb, md5), 1e-4f * extent(glb)) << "frame " << frame << " at " << time << " s";
        EXPECT_LT(distance(md5, glb), 1e-4f * extent(glb)) << "frame " << frame << " at " << time << " s";
    }
}

TEST_F(CliSamples, PoseMovesAndKeepsItsShape)
{
    const auto glb = sample("robot-glb/robot.glb");
    const auto at = [&](const std::string& time) {
        const auto outcome = run({"pose", glb, "--clip", "walk", "--time", time});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return json::parse(outcome.out);
    };
    const auto start = at("0"), later = at("0.3");
    EXPECT_EQ(later.at("clip").at("name"), "walk");
    EXPECT_EQ(later.at("time"), 0.3);
    ASSERT_EQ(start.at("nodes").as_array().size(), later.at("nodes").as_array().size());
    EXPECT_NE(start.at("nodes"), later.at("nodes"));
    for (const auto& node : later.at("nodes").as_array()) {
        EXPECT_EQ(node.at("model").as_array().size(), 16u);
        EXPECT_EQ(node.at("local").at("rotation").as_array().size(), 4u);
        if (!node.at("parent").is_null())
            EXPECT_LT(node.at("parent").to_number<int>(), node.at("index").to_number<int>());
    }
    EXPECT_EQ(at("99").at("nodes"), at("100").at("nodes")) << "the end value holds";
}

TEST_F(CliSamples, MorphsAreBaked)
{
    const auto flag = sample("flag-glb/flag.glb");
    const auto rest = bake(flag, {}), blown = bake(flag, {"--clip", "gust", "--time", "0.5"});
    ASSERT_EQ(rest.size(), blown.size());
    EXPECT_GT(distance(blown, rest), 0.01f);
}

TEST_F(CliSamples, FileSpaceIsTheFiles)
{
    const auto md5 = sample("robot-md5/robot.md5mesh");
    const auto scene = bake(md5, {}), file = bake(md5, {"--space", "file"});
    EXPECT_NEAR(highest(scene).y, highest(file).z, 1e-6) << "MD5 is Z up";
    const auto facts = json::parse(run({"inspect", md5}).out);
    EXPECT_EQ(facts.at("fileSpace").at("upAxis"), "Z");
    EXPECT_NEAR(facts.at("fileSpace").at("bounds").at("min").at(0).to_number<double>(), lowest(file).x, 1e-5);
}

TEST_F(CliSamples, UnknownClipsAreNamed)
{
    const auto outcome = run({"bake", sample("koi-glb/koi.glb"), "--clip", "fly", "-o", "x.obj"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("there is no clip 'fly' among 2: 'swim', 'dart'"), std::string::npos)
        << outcome.err;
}
