#include <gmock/gmock.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "tests/unit/dae/controllers.hpp"

namespace vitrine::dae::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::string target(const std::string& id, const std::string& points)
{
    return geometry(id, triangles(id, "0 1 2 0 2 3"), "", points);
}

std::string morph(const std::string& method, const std::string& id = "c")
{
    return MorphXml{.targets = "t1 t2", .weights = "0.5 0", .weight_count = 2, .method = method, .id = id}
        .text();
}

scene::Scene of_morph(const std::string& method)
{
    return loaded(
        Document{.libraries = library("geometries", square("g") + target("t1", "0 0 2 1 0 0 1 1 0 0 1 0") +
                                                        target("t2", "0 0 0 3 0 0 1 1 0 0 1 0")) +
                              library("controllers", morph(method)),
                 .nodes = "<node><instance_controller url='#c'/></node>"}
            .text());
}

TEST(DaeMorph, NormalizedTargetsAreShapes)
{
    const scene::Scene scene = of_morph("NORMALIZED");
    const scene::Mesh& mesh = scene.meshes.at(0);
    ASSERT_THAT(mesh.morph_targets, SizeIs(2));
    EXPECT_THAT(mesh.morph_weights, ElementsAre(0.5f, 0.0f));
    EXPECT_EQ(mesh.morph_targets[0].name, "t1");
    EXPECT_EQ(mesh.morph_targets[0].position_deltas.at(0), glm::vec3(0, 0, 2));
    EXPECT_THAT(scene.meshes, SizeIs(1)); // targets are not meshes
    EXPECT_EQ(scene.source_vertices, 4u);
    EXPECT_FLOAT_EQ(scene::static_bounds(scene).max.z, 1.0f);
}

TEST(DaeMorph, RelativeTargetsAreOffsets)
{
    const scene::Scene scene = of_morph("RELATIVE");
    const scene::MorphTarget& second = scene.meshes.at(0).morph_targets.at(1);
    EXPECT_THAT(second.position_deltas, testing::Contains(glm::vec3(3, 0, 0)));
}

// As ColladaMaya and ColladaMax wrote them before 1.4 was final.
TEST(DaeMorph, InputsOfTheFirstExporters)
{
    std::string old = morph("NORMALIZED");
    for (const std::string word : {"MORPH_TARGET", "MORPH_WEIGHT"})
        old.replace(old.find(word), word.size(), word.substr(6));
    const auto of = [](const std::string& controller) {
        return loaded(Document{
            .libraries = library("geometries", square("g") + target("t1", "0 0 2 1 0 0 1 1 0 0 1 0") +
                                                   target("t2", "0 0 0 3 0 0 1 1 0 0 1 0")) +
                         library("controllers", controller),
            .nodes = "<node><instance_controller url='#c'/></node>"}
                          .text());
    };
    const scene::Scene scene = of(old);
    EXPECT_THAT(scene.meshes, SizeIs(1));
    EXPECT_THAT(scene.meshes.at(0).morph_weights, ElementsAre(0.5f, 0.0f));
    EXPECT_FLOAT_EQ(scene::static_bounds(scene).max.z, 1.0f);
    EXPECT_FALSE(warns(scene, "invalid_morph"));
    EXPECT_TRUE(warns(of("<controller id='c'><morph source='#g'/></controller>"), "invalid_morph"));
}

TEST(DaeMorph, SkinOverMorphHasBoth)
{
    std::string skin = Skin{}.text();
    skin.replace(skin.find("source='#g'"), 11, "source='#m'");
    const scene::Scene scene = loaded(Document{
        .libraries = library("geometries", square("g") + target("t1", "0 0 2 1 0 0 1 1 0 0 1 0") +
                                               target("t2", "0 0 0 1 0 0 1 1 0 0 1 0")) +
                     library("controllers", morph("NORMALIZED", "m") + skin),
        .nodes =
            skeleton +
            "<node><instance_controller url='#c'><skeleton>#root</skeleton></instance_controller></node>"}
                                          .text());
    EXPECT_THAT(scene.meshes.at(0).morph_targets, SizeIs(2));
    EXPECT_THAT(scene.skins, SizeIs(1));
    EXPECT_FLOAT_EQ(scene::static_bounds(scene).max.z, 1.0f);
}

TEST(DaeMorph, MorphTargetOfAnotherSizeIsIgnored)
{
    const std::string small = geometry("t1", triangles("t1", "0 1 2"), "", "0 0 0 1 0 0 1 1 0", 3);
    const scene::Scene scene = loaded(Document{
        .libraries = library("geometries", square("g") + small + target("t2", "0 0 0 1 0 0 1 1 0 0 1 0")) +
                     library("controllers", morph("NORMALIZED")),
        .nodes = "<node><instance_controller url='#c'/></node>"}
                                          .text());
    EXPECT_THAT(scene.meshes.at(0).morph_targets, SizeIs(2));
    EXPECT_TRUE(warns(scene, "invalid_morph"));
}

// morph_different_target_vertices of the Conformance Test Suite: excess positions are ignored.
TEST(DaeMorph, TargetWithMorePositionsMovesThoseOfItsBase)
{
    const std::string larger =
        geometry("t1", triangles("t1", "0 1 2"), "", "0 0 2 1 0 0 1 1 0 0 1 0 9 9 9", 5);
    const scene::Scene scene = loaded(Document{
        .libraries = library("geometries", square("g") + larger + target("t2", "0 0 0 1 0 0 1 1 0 0 1 0")) +
                     library("controllers", morph("NORMALIZED")),
        .nodes = "<node><instance_controller url='#c'/></node>"}
                                          .text());
    EXPECT_TRUE(warns(scene, "invalid_morph"));
    EXPECT_EQ(scene::static_bounds(scene).max, glm::vec3(1, 1, 1));
}

// One target, weight `w`; sources by the controller's id.
std::string one_morph(const std::string& id, const std::string& of, const std::string& target,
                      const std::string& w, const std::string& method = "RELATIVE")
{
    return MorphXml{.targets = target, .weights = w, .method = method, .id = id, .of = of, .prefix = id}
        .text();
}

std::string nested(const std::string& controllers, const std::string& url, const std::string& more = "")
{
    return Document{.libraries = library("geometries", square("g") + target("t1", "1 0 0 1 0 0 1 0 0 1 0 0") +
                                                           target("t2", "0 2 0 0 2 0 0 2 0 0 2 0")) +
                                 library("controllers", controllers) + more,
                    .nodes = skeleton + "<node><instance_controller url='#" + url + "'/></node>"}
        .text();
}

// A curve from 0 at 0 s to 3 at 1 s for a weight.
std::string moved(const std::string& weight)
{
    return library("animations",
                   "<animation>" + source("i", "0 1", 2, 1) + source("o", "0 3", 2, 1) +
                       "<sampler id='s'><input semantic='INPUT' source='#i'/><input semantic='OUTPUT' "
                       "source='#o'/></sampler><channel source='#s' target='" +
                       weight + "'/></animation>");
}

TEST(DaeMorph, MorphsOfMorphsAddUp)
{
    const std::string both = one_morph("inner", "g", "t1", "1") + one_morph("outer", "inner", "t2", "0.5");
    const scene::Scene scene = loaded(nested(both, "outer", moved("outerw(0)")));
    EXPECT_THAT(scene.meshes.at(0).morph_weights, ElementsAre(1, 0.5f));
    EXPECT_EQ(scene::static_bounds(scene).max, glm::vec3(2, 2, 0));
    EXPECT_THAT(scene.clips.at(0).channels.at(0).values, ElementsAre(1, 0, 1, 3));
    EXPECT_FALSE(warns(scene, "unsupported_controller"));
    std::string skin = Skin{}.text();
    skin.replace(skin.find("source='#g'"), 11, "source='#outer'");
    const scene::Scene skinned = loaded(nested(both + skin, "c"));
    EXPECT_THAT(skinned.meshes.at(0).morph_weights, ElementsAre(1, 0.5f));
    EXPECT_THAT(skinned.skins, SizeIs(1));
}

// The outer morph blends with the inner one: 0.5 of it and 0.5 of the outer target.
TEST(DaeMorph, NormalizedMorphScalesTheInnerMorph)
{
    const std::string outer = one_morph("outer", "inner", "t2", "0.5", "NORMALIZED");
    for (const std::string inner_method : {"NORMALIZED", "RELATIVE"}) {
        const std::string inner = one_morph("inner", "g", "t1", "0.25", inner_method);
        const scene::Scene scene = loaded(nested(inner + outer, "outer"));
        EXPECT_THAT(scene.meshes.at(0).morph_weights, ElementsAre(0.125f, 0.5f)) << inner_method;
        EXPECT_FALSE(warns(scene, "unsupported_controller"));
    }
    const std::string inner = one_morph("inner", "g", "t1", "0.25");
    const scene::Scene moving = loaded(nested(inner + outer, "outer", moved("innerw(0)")));
    EXPECT_THAT(moving.clips.at(0).channels.at(0).values, ElementsAre(0, 0.5f, 1.5f, 0.5f));
    EXPECT_FALSE(warns(moving, "unsupported_controller"));
    const std::string third = one_morph("third", "outer", "t1", "0.75", "NORMALIZED");
    EXPECT_THAT(loaded(nested(inner + outer + third, "third")).meshes.at(0).morph_weights,
                ElementsAre(0.03125f, 0.125f, 0.75f));
}

TEST(DaeMorph, AnimatedInnerMorphWeightIsReported)
{
    const std::string inner = one_morph("inner", "g", "t1", "1", "NORMALIZED");
    EXPECT_FALSE(warns(loaded(nested(inner, "inner", moved("innerw(0)"))), "unsupported_controller"));
    EXPECT_FALSE(
        warns(loaded(nested(inner + one_morph("outer", "inner", "t2", "1"), "outer", moved("outerw(0)"))),
              "unsupported_controller"));
    const scene::Scene scene = loaded(
        nested(inner + one_morph("outer", "inner", "t2", "0.5", "NORMALIZED"), "outer", moved("outerw(0)")));
    EXPECT_TRUE(warns(scene, "unsupported_controller"));
    EXPECT_THAT(scene.meshes.at(0).morph_weights, ElementsAre(1, 0.5f));
}

TEST(DaeMorph, SharesWithoutMeasureStayFinite)
{
    const scene::Scene scene = loaded(nested(one_morph("inner", "g", "t1", "3e38", "NORMALIZED") +
                                                 one_morph("outer", "inner", "t2", "-9e4", "NORMALIZED") +
                                                 one_morph("third", "outer", "t1", "3e38", "NORMALIZED"),
                                             "third"));
    EXPECT_TRUE(warns(scene, "unsupported_controller"));
}

TEST(DaeMorph, ControllerAsTargetIsReported)
{
    const scene::Scene scene =
        loaded(nested(one_morph("inner", "g", "t1", "1") + one_morph("outer", "g", "inner", "1"), "outer"));
    const auto warning = std::ranges::find(scene.warnings, "invalid_morph", &scene::Warning::code);
    ASSERT_NE(warning, scene.warnings.end());
    EXPECT_TRUE(warning->message.contains("controller")) << warning->message;
}

TEST(DaeControllers, SkinOfASkinIsReported)
{
    std::string outer = Skin{}.text();
    outer.replace(outer.find("source='#g'"), 11, "source='#inner'");
    std::string inner = Skin{}.text();
    inner.replace(inner.find("id='c'"), 6, "id='inner'");
    EXPECT_TRUE(warns(loaded(nested(inner + outer, "c")), "unsupported_controller"));
    EXPECT_FALSE(warns(loaded(nested(inner, "inner")), "unsupported_controller"));
}

TEST(DaeControllers, RecursiveControllerIsReported)
{
    std::string skin = Skin{}.text();
    skin.replace(skin.find("source='#g'"), 11, "source='#c'");
    EXPECT_TRUE(warns(loaded(nested(skin, "c")), "unsupported_controller"));
    EXPECT_TRUE(warns(loaded(nested(one_morph("m", "m", "t1", "1"), "m")), "unsupported_controller"));
}

} // namespace
} // namespace vitrine::dae::test
