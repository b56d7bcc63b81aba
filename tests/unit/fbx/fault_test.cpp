// Complete files, from text to scene: warnings and rejections.

#include <cstring>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "loaders/fbx/fbx.hpp"
#include "tests/support/crossing_outline.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/unit/fbx/blender_shape_keys.hpp"
#include "tests/unit/fbx/text_file.hpp"

namespace vitrine {
namespace {

using namespace test::fbx;
using testing::ElementsAre;

TEST(FbxFault, ReportsUnsupportedNodeMotion)
{
    const auto warned = [](const std::string& properties, const std::string& more = {}) {
        const scene::Scene scene = load(version_7(
            model(1, "box", properties) + model(2, "target") + stack + node(80) + curve(81, "0,2", "0,50"),
            stack_connections +
                "C: \"OO\",1,0\nC: \"OO\",2,0\nC: \"OO\",80,91\n"
                "C: \"OP\",80,1, \"Lcl Rotation\"\nC: \"OP\",81,80, \"d|X\"\n" +
                more));
        return codes(scene);
    };
    const std::string active = "P: \"RotationActive\", \"bool\", \"\", \"\",1\n";
    const std::string limit = "P: \"RotationMaxX\", \"bool\", \"\", \"\",1\n";
    EXPECT_THAT(warned(active + limit + vec3("RotationMax", "40,0,0")), ElementsAre("fbx_limits"));
    EXPECT_THAT(warned(active + limit + vec3("RotationMax", "60,0,0")), ElementsAre()) << "never reached";
    EXPECT_THAT(warned(limit + vec3("RotationMax", "40,0,0")), ElementsAre()) << "switched off";
    const std::string turned = vec3("Lcl Rotation", "0,0,90") + vec3("RotationMax", "0,0,80");
    const std::string least = "P: \"RotationMaxZ\", \"bool\", \"\", \"\",1\n";
    EXPECT_THAT(warned(active + least + turned), ElementsAre("fbx_limits")) << "as it stands";
    EXPECT_THAT(warned("P: \"QuaternionInterpolate\", \"enum\", \"\", \"\",2\n"),
                ElementsAre("fbx_quaternion_curves"));
    EXPECT_THAT(warned("", "C: \"OP\",2,1, \"LookAtProperty\"\n"), ElementsAre("unsupported_constraint"));
}

// A box with these two curves, in ticks, on its position.
scene::Scene load_curves(const std::string& first, const std::string& second)
{
    const auto stored = [](int id, const std::string& arrays) {
        return "AnimationCurve: " + std::to_string(id) + ", \"AnimCurve::\", \"\" { " + arrays + " }\n";
    };
    return load(version_7(model(1, "box") + stack + node(80) + stored(81, first) + stored(82, second),
                          stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\n"
                                              "C: \"OP\",80,1, \"Lcl Translation\"\n"
                                              "C: \"OP\",81,80, \"d|X\"\nC: \"OP\",82,80, \"d|Y\"\n"));
}

TEST(FbxFault, KeysThatAreRepairedAreReportedOnceAFile)
{
    const std::string times = "KeyTime: *3 { a: 0,46186158000,92372316000 }\n";
    const std::string whole = times + "KeyValueFloat: *3 { a: 0,1,2 }";
    const auto messages = [](const std::string& first, const std::string& second) {
        std::string all;
        for (const scene::Warning& warning : load_curves(first, second).warnings) {
            EXPECT_EQ(warning.code, "invalid_keys");
            EXPECT_TRUE(warning.where.starts_with("line ")) << warning.where;
            all += warning.message + "\n";
        }
        return all;
    };
    const std::string few = times + "KeyValueFloat: *3 { a: 0,10 }";
    const std::string not_numbers = times + "KeyValueFloat: *3 { a: 0,nan,1.#INF }";
    const std::string unsorted = "KeyTime: *2 { a: 46186158000,0 }\nKeyValueFloat: *2 { a: 10,0 }";
    const std::string uneven =
        "a curve has different numbers of values and key times; the excess is ignored\n";
    const std::string non_finite = "a curve has key values or times that are not finite; such values are "
                                   "replaced by 0, keys with such times are removed\n";
    const std::string descend = "the key times of a curve do not ascend; they are sorted\n";
    EXPECT_EQ(messages(whole, whole), "");
    EXPECT_EQ(messages(whole, few), uneven);
    EXPECT_EQ(messages(few, few), uneven);
    EXPECT_EQ(messages(not_numbers, whole), non_finite);
    EXPECT_EQ(messages(unsorted, unsorted), descend);
    EXPECT_EQ(messages(unsorted, few), descend + uneven);
    const auto with = [&](const std::string& flags, const std::string& data, const std::string& runs) {
        return whole + "\nKeyAttrFlags: " + flags + "\nKeyAttrDataFloat: " + data +
               "\nKeyAttrRefCount: " + runs;
    };
    const std::string uncovered =
        "the attributes of a curve do not cover its keys; the remaining keys are linear\n";
    const std::string one = "*1 { a: 4 }", four = "*4 { a: 0,0,0,0 }";
    EXPECT_EQ(messages(with(one, four, "*1 { a: 3 }"), whole), "");
    EXPECT_EQ(messages(with(one, four, "*1 { a: 2 }"), whole), uncovered);
    EXPECT_EQ(messages(with(one, four, "*1 { a: -3 }"), whole), uncovered);
    EXPECT_EQ(messages(with("*2 { a: 4,4 }", four, "*1 { a: 3 }"), whole), uncovered);
    EXPECT_EQ(messages(with(one, "*0 { }", "*1 { a: 3 }"), whole), uncovered);
}

TEST(FbxFault, InvalidUnitBecomesCentimeters)
{
    for (const std::string unit : {"-1", "0", "nan"}) {
        const auto scene = load("; FBX 7.4.0 project file\nGlobalSettings: { Properties70: { "
                                "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\"," +
                                unit + " } }\nObjects: { }\n");
        EXPECT_EQ(scene.file_space.unit_meters, 0.01) << unit;
        EXPECT_THAT(codes(scene), testing::Contains("fbx_unit_invalid")) << unit;
    }
}

TEST(FbxFault, VertexWithoutAllCoordinatesIsIgnored)
{
    const auto scene = load(version_7("Model: 1, \"Model::m\", \"Mesh\" { }\n"
                                      "Geometry: 2, \"Geometry::g\", \"Mesh\" { Vertices: *10 { a: "
                                      "0,0,0,1,0,0,0,1,0,7 }\nPolygonVertexIndex: *3 { a: 0,1,-3 } }\n",
                                      "C: \"OO\",1,0\nC: \"OO\",2,1\n"));
    EXPECT_EQ(scene.meshes.at(0).positions.size(), 3u);
    EXPECT_THAT(codes(scene), ElementsAre("unfinished_vertex"));
}

TEST(FbxFault, RepairedKeysOfATakeAreReportedToo)
{
    const auto warned = [](const std::string& keys) {
        return codes(
            load("; FBX 6.1.0 project file\nFBXHeaderExtension: { FBXVersion: 6100 }\n"
                 "Objects: { Model: \"Model::box\", \"Null\" { } }\n"
                 "Connections: { Connect: \"OO\", \"Model::box\", \"Model::Scene\" }\n"
                 "Takes: { Take: \"t\" { LocalTime: 0,46186158000\n"
                 "Model: \"Model::box\" { Channel: \"Transform\" { Channel: \"T\" { Channel: \"X\" {\n"
                 "KeyVer: 4005\nKey: " +
                 keys + " } } } } } }\n"));
    };
    EXPECT_THAT(warned("0,0,L,46186158000,1,L"), ElementsAre());
    EXPECT_THAT(warned("0,1e40,L,46186158000,1,L"), ElementsAre("invalid_keys"));
    EXPECT_THAT(warned("46186158000,0,L,0,1,L"), ElementsAre("invalid_keys"));
}

TEST(FbxFault, StraysBecomeRoots)
{
    const scene::Scene scene =
        load(version_7(model(1, "a") + model(2, "b") + model(3, "stray"), "C: \"OO\",1,2\n"));
    EXPECT_EQ(scene.nodes.size(), 3u);
}

TEST(FbxFault, CamerasAndLightsAreReportedOnce)
{
    const auto attribute = [](int id, const std::string& kind) {
        return "NodeAttribute: " + std::to_string(id) + ", \"NodeAttribute::\", \"" + kind + "\" { }\n";
    };
    EXPECT_THAT(codes(load(version_7(attribute(1, "Camera") + attribute(2, "Light") + attribute(3, "Camera") +
                                         attribute(4, "Null"),
                                     ""))),
                ElementsAre("cameras_ignored", "lights_ignored"));
    const std::string old = "; FBX 6.1.0 project file\nFBXHeaderExtension: { FBXVersion: 6100 }\nObjects: {\n"
                            "Model: \"Model::Producer Top\", \"Camera\" { }\n";
    EXPECT_THAT(codes(load(old + "}\n")), ElementsAre());
    EXPECT_THAT(codes(load(old + "Model: \"Model::eye\", \"Camera\" { }\n}\n")),
                ElementsAre("cameras_ignored"));
}

TEST(FbxFault, MovingColorsAreAWarning)
{
    const std::string material =
        "Material: 5, \"Material::m\", \"\" { Properties70: { P: \"DiffuseColor\", \"Color\", "
        "\"\", \"A\",1,1,1 } }\n";
    const auto with = [&](const std::string& values) {
        return load(version_7(model(1, "a") + material + stack + node(80) + curve(81, "1,2", values),
                              stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",80,5, "
                                                  "\"DiffuseColor\"\nC: \"OP\",81,80, \"d|X\"\n"));
    };
    EXPECT_THAT(codes(with("0,1")), ElementsAre("fbx_material_animated"));
    EXPECT_THAT(codes(with("1,1")), ElementsAre());
    // It has keys, so it becomes a clip.
    const scene::Scene scene = with("0,1");
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].name, "walk");
    EXPECT_EQ(scene.clips[0].duration, 2.0);
    EXPECT_EQ(scene.clips[0].channels.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels[0].values, (std::vector<float>{0, 0, 0}));
}

TEST(FbxFault, ModelsInACircleAreRejected)
{
    const std::string models =
        model(1, "a") + model(2, "b") + model(3, "self") + model(4, "fine") + model(5, "loose");
    const std::string sound = "C: \"OO\",1,2\nC: \"OO\",3,3\nC: \"OO\",4,0\nC: \"OO\",4,1\n";
    const scene::Scene scene = load(version_7(models, sound));
    EXPECT_THAT(codes(scene), ElementsAre("node_cycle")); // to itself: only that connection is ignored
    EXPECT_EQ(scene.nodes.size(), 5u);
    test::MemorySource source("model.fbx", {{"model.fbx", version_7(models, sound + "C: \"OO\",2,1\n")}});
    const auto rejected = load_fbx(source, {});
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, LoadErrc::malformed);
    EXPECT_EQ(rejected.error().detail, "'a' is its own ancestor");
}

TEST(FbxFault, ChainOfTenThousandModelsLoads)
{
    std::string models, connections = "C: \"OO\",1,0\n";
    for (int i = 1; i <= 10'000; ++i) {
        models += model(i, "n");
        if (i > 1) connections += "C: \"OO\"," + std::to_string(i) + "," + std::to_string(i - 1) + "\n";
    }
    EXPECT_EQ(load(version_7(models, connections)).nodes.size(), 10'000u);
}

TEST(FbxFault, LaterVersionsAreAWarning)
{
    const auto with = [](const std::string& version) {
        return codes(load("FBXHeaderExtension: { FBXVersion: " + version + "\n}\nObjects: {\n" +
                          model(1, "a") + "}\nConnections: { C: \"OO\",1,0\n}\n"));
    };
    EXPECT_THAT(with("7700"), ElementsAre());
    EXPECT_THAT(with("8000"), ElementsAre("fbx_version"));
    EXPECT_THAT(with("9000"), ElementsAre("fbx_version"));
}

TEST(FbxFault, TransformsWithoutNumbersAreAWarning)
{
    const scene::Scene scene =
        load(version_7(model(1, "a", vec3("Lcl Translation", "1,1.#QNAN,3") + vec3("Lcl Scaling", "2,2,2")),
                       "C: \"OO\",1,0\n"));
    EXPECT_THAT(codes(scene), ElementsAre("non_finite"));
    EXPECT_EQ(scene.nodes[0].local.scale, glm::vec3(2.0f));
}

// A model with a mesh of this content.
scene::Scene load_mesh(const std::string& content)
{
    return load(version_7("Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, \"Geometry::g\", \"Mesh\" {\n" +
                              content + "}\n",
                          "C: \"OO\",1,0\nC: \"OO\",2,1\n"));
}

TEST(FbxFault, SubdivisionSurfacesAreReported)
{
    const std::string triangle =
        "Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\nPolygonVertexIndex: *3 { a: 0,1,-3 }\n";
    EXPECT_THAT(codes(load_mesh(triangle + "Smoothness: 2\n")), ElementsAre("unsupported_subdivision"));
    EXPECT_THAT(codes(load_mesh(triangle + "Smoothness: 0\n")), ElementsAre());
}

TEST(FbxFault, PolygonsThatCrossThemselvesOftenAreReported)
{
    std::string points, corners;
    std::size_t corner = 0;
    for (const glm::vec3& at : test::crossing_outline()) {
        points += fmt::format("{}{},{},0", corner == 0 ? "" : ",", at.x, at.y);
        const bool is_last = ++corner == test::crossing_corners;
        corners += is_last ? fmt::format("-{}", corner) : fmt::format("{},", corner - 1);
    }
    const scene::Scene scene =
        load_mesh(fmt::format("Vertices: *{} {{ a: {} }}\nPolygonVertexIndex: *{} {{ a: {} }}\n", 3 * corner,
                              points, corner, corners));
    EXPECT_THAT(codes(scene), ElementsAre("crossing_polygon"));
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 3 * (corner - 2));
}

// Binary files end with a record of zeros and a footer.
TEST(FbxFault, FilesWithoutAnEndAreReported)
{
    const std::string whole = test::blender_shape_keys(exporting::FbxContainer::binary);
    constexpr std::size_t first_record = 27;
    std::uint32_t version = 0;
    std::memcpy(&version, whole.data() + 23, sizeof version);
    std::size_t end = first_record;
    for (std::uint64_t next = end; next != 0;) {
        end = next;
        next = 0;
        std::memcpy(&next, whole.data() + end, version < 7500 ? 4 : 8);
    }
    const auto codes_of = [](const std::string& bytes) {
        test::MemorySource source("model.fbx", {{"model.fbx", bytes}});
        const auto loaded = load_fbx(source, {});
        EXPECT_TRUE(loaded);
        return loaded ? codes(*loaded) : std::vector<std::string>{"rejected"};
    };
    EXPECT_THAT(codes_of(whole), testing::Not(testing::Contains("missing_end")));
    EXPECT_THAT(codes_of(whole.substr(0, end)), testing::Contains("missing_end"));
}

} // namespace
} // namespace vitrine
