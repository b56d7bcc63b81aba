// Complete files, from text to scene: nodes, scales, axes.

#include <gmock/gmock.h>

#include "loaders/base/utf8.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "tests/support/repeated.hpp"
#include "tests/unit/fbx/text_file.hpp"

namespace vitrine {
namespace {

using namespace test::fbx;

// A parent with non-uniform scale and a child rotated by 30 degrees with non-uniform scale.
scene::Scene stretched(int type)
{
    return load(
        version_7(model(1, "parent", vec3("Lcl Scaling", "2,1,1") + vec3("Lcl Translation", "5,0,0")) +
                      model(2, "child",
                            vec3("Lcl Translation", "1,2,3") + vec3("Lcl Rotation", "0,0,30") +
                                vec3("Lcl Scaling", "1,3,1") + inherit(type)),
                  "C: \"OO\",1,0\nC: \"OO\",2,1\n"));
}

TEST(FbxScene, PlainInheritanceMultipliesMatrices)
{
    const scene::Scene scene = stretched(1);
    EXPECT_EQ(scene.nodes.size(), 2u);
    expect_near(model_matrix(scene, "child"),
                moved(5, 0, 0) * scaled(2, 1, 1) * moved(1, 2, 3) * turned_z(30) * scaled(1, 3, 1));
}

// A SceneInfo with these members of its metadata.
std::string scene_info(const std::string& members)
{
    return "SceneInfo: \"SceneInfo::GlobalInfo\", \"UserData\" {\n  MetaData: {\n" + members + "  }\n }\n";
}

scene::Attribution declared_by(const std::string& info, std::string_view before = "FBXVersion")
{
    auto text = version_7(model(1, "parent"), "");
    return load(text.insert(text.find(before), "\n" + info)).attribution;
}

TEST(FbxScene, DeclaresItsOrigin)
{
    const auto info = scene_info("Version: 100\nTitle: \"Cat\"\nSubject: \"Pets\"\nAuthor: \"Ann\"\n"
                                 "Keywords: \"pet fur\"\nRevision: \"7\"\nComment: \"a cat\"\n");
    const scene::Attribution declared{.title = "Cat",
                                      .subject = "Pets",
                                      .author = "Ann",
                                      .keywords = "pet fur",
                                      .revision = "7",
                                      .comment = "a cat"};
    EXPECT_EQ(declared_by(info), declared);
    EXPECT_EQ(declared_by(info, "Model: 1"), declared) << "among the objects, as in version 6";
    EXPECT_EQ(declared_by(""), scene::Attribution{});
    EXPECT_EQ(declared_by(scene_info("Title: 7\nAuthor: {\n}\n")), scene::Attribution{});
}

TEST(FbxScene, DeclaredTextsAreBoundedAndUtf8)
{
    const auto long_text = std::string(1, 'x') + vitrine::test::repeated(100'000, "\xC3\xB6");
    const auto found = declared_by(scene_info("Author: \"" + long_text + "\"\nComment: \"\xFF 2004\"\n"));
    EXPECT_LE(found.author.size(), scene::max_declared_bytes);
    EXPECT_GT(found.author.size(), scene::max_declared_bytes - 4);
    EXPECT_TRUE(is_utf8(found.author));
    EXPECT_TRUE(is_utf8(found.comment));
    EXPECT_TRUE(found.comment.ends_with(" 2004"));
}

TEST(FbxScene, ScalesMayComeAfterAllRotations)
{
    const scene::Scene scene = stretched(0);
    expect_near(model_matrix(scene, "child"),
                moved(5, 0, 0) * moved(2, 2, 3) * turned_z(30) * scaled(2, 3, 1));
    expect_near(model_matrix(scene, "parent"), moved(5, 0, 0) * scaled(2, 1, 1));
}

// A user sees the two models of the file: "parent" has its whole matrix, the node between is a helper.
TEST(FbxScene, ScaleInheritanceHelpersAreNotFileNodes)
{
    const scene::Scene scene = stretched(2);
    ASSERT_EQ(scene.nodes.size(), 3u);
    const std::uint32_t parent = find(scene, "parent"), child = find(scene, "child");
    EXPECT_FALSE(scene::is_helper(scene.nodes[parent]));
    EXPECT_FALSE(scene::is_helper(scene.nodes[child]));
    EXPECT_EQ(scene.nodes[find(scene, "parent.unscaled")].helper_of, parent);
    EXPECT_EQ(scene::file_parents(scene)[child], parent);
    const scene::Trs local = scene::file_local(scene, nullptr, parent);
    EXPECT_EQ(local.translation, glm::vec3(5, 0, 0));
    EXPECT_EQ(local.scale, glm::vec3(2, 1, 1));
}

TEST(FbxScene, ParentsScaleIsOptional)
{
    const scene::Scene scene = stretched(2);
    expect_near(model_matrix(scene, "child"),
                moved(5, 0, 0) * moved(2, 2, 3) * turned_z(30) * scaled(1, 3, 1));
}

TEST(FbxScene, EvenScaleNeedsNoHelper)
{
    const scene::Scene scene = load(version_7(
        model(1, "parent", vec3("Lcl Scaling", "2,2,2")) +
            model(2, "child", vec3("Lcl Translation", "1,0,0") + vec3("Lcl Scaling", "1,3,1") + inherit(2)) +
            model(3, "grandchild",
                  vec3("Lcl Translation", "1,1,0") + vec3("Lcl Scaling", "5,1,1") + inherit(2)),
        "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\n"));
    expect_near(model_matrix(scene, "child"), moved(2, 0, 0) * scaled(1, 3, 1));
    expect_near(model_matrix(scene, "grandchild"), moved(2, 0, 0) * moved(1, 3, 0) * scaled(5, 1, 1));
    EXPECT_EQ(scene.nodes[find(scene, "parent")].local.scale, glm::vec3(2.0f));
}

TEST(FbxScene, ChainsOfScalesAreInheritedOnce)
{
    const scene::Scene scene = load(version_7(
        model(1, "a", vec3("Lcl Scaling", "2,1,1")) +
            model(2, "b", vec3("Lcl Rotation", "0,0,90") + vec3("Lcl Scaling", "1,3,1") + inherit(0)) +
            model(3, "c", vec3("Lcl Translation", "1,1,1") + vec3("Lcl Scaling", "1,1,4") + inherit(0)) +
            model(4, "d", vec3("Lcl Translation", "1,1,1") + inherit(2)),
        "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",4,3\n"));
    const glm::mat4 b = turned_z(90);
    const glm::mat4 c = b * moved(2, 3, 1);
    expect_near(model_matrix(scene, "b"), b * scaled(2, 3, 1));
    expect_near(model_matrix(scene, "c"), c * scaled(2, 3, 4));
    expect_near(model_matrix(scene, "d"), c * moved(2, 3, 4) * scaled(2, 3, 1));
}

TEST(FbxScene, AnimatedScaleIsInheritedByInheritType)
{
    const scene::Scene scene = load(version_7(
        model(1, "parent") +
            model(2, "child",
                  vec3("Lcl Translation", "1,2,3") + vec3("Lcl Rotation", "0,0,30") + inherit(2)) +
            stack + node(80) + curve(81, "1,3", "1,5"),
        stack_connections + "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",80,91\nC: \"OP\",80,1, \"Lcl Scaling\"\n"
                            "C: \"OP\",81,80, \"d|X\"\n"));
    expect_near(model_matrix(scene, "child", 1.0), moved(3, 2, 3) * turned_z(30));
    expect_near(model_matrix(scene, "parent", 1.0), scaled(3, 1, 1));
}

TEST(FbxScene, ModelWithRootAndOtherParentBelongsToTheOther)
{
    const std::string models = model(1, "a", vec3("Lcl Translation", "5,0,0")) + model(2, "b");
    const scene::Scene scene = load(version_7(models, "C: \"OO\",2,0\nC: \"OO\",1,0\nC: \"OO\",2,1\n"));
    expect_near(model_matrix(scene, "b"), moved(5, 0, 0));
    EXPECT_THAT(codes(scene), testing::Not(testing::Contains("second_parent")));
}

TEST(FbxScene, ModelWithTwoParentsIsReported)
{
    const std::string models = model(1, "a", vec3("Lcl Translation", "5,0,0")) + model(2, "b") +
                               model(3, "c", vec3("Lcl Translation", "0,7,0"));
    const scene::Scene scene =
        load(version_7(models, "C: \"OO\",1,0\nC: \"OO\",3,0\nC: \"OO\",2,1\nC: \"OO\",2,3\n"));
    expect_near(model_matrix(scene, "b"), moved(5, 0, 0));
    EXPECT_THAT(codes(scene), testing::Contains("second_parent"));
}

TEST(FbxScene, AxesAndUnitsComeFromTheSettings)
{
    const auto axis = [](const char* name, int value) {
        return "P: \"" + std::string(name) + "\", \"int\", \"Integer\", \"\"," + std::to_string(value) + "\n";
    };
    const scene::Scene scene =
        load(version_7(model(1, "box", vec3("Lcl Translation", "1,2,3")), "C: \"OO\",1,0\n",
                       axis("UpAxis", 2) + axis("UpAxisSign", 1) + axis("FrontAxis", 1) +
                           axis("FrontAxisSign", -1) + axis("CoordAxis", 0) + axis("CoordAxisSign", 1) +
                           "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\n"));
    EXPECT_NEAR(scene.file_space.unit_meters, 0.0254, 1e-12);
    expect_near(model_matrix(scene, "box"), moved(0.0254f, 0.0762f, -0.0508f));
    const scene::Scene broken = load(version_7(model(1, "box"), "C: \"OO\",1,0\n", axis("UpAxis", 0)));
    EXPECT_EQ(broken.file_space.axes, glm::mat3(1.0f));
    EXPECT_EQ(broken.warnings.at(0).code, "fbx_axes_invalid");
}

} // namespace
} // namespace vitrine
