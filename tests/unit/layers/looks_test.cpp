#include "loaders/scene/parts/looks.hpp"

#include <gmock/gmock.h>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/parts/levels.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// body > (arm > hand > (ring, helper), head); "tool" draws the mesh "cube" as all others do.
Scene figure()
{
    Scene scene = test::textured_cube();
    scene.meshes[0].name = "cube";
    scene.nodes.clear();
    const auto add = [&](const char* name, std::uint32_t parent) {
        scene.nodes.push_back({.name = name, .parent = parent, .mesh = 0});
    };
    add("body", none);
    add("arm", 0);
    add("hand", 1);
    add("ring", 2);
    add("hand.geometry", 2);
    scene.nodes[4].helper_of = 2;
    add("head", 0);
    add("a,b", none);
    add("ring", none);
    return scene;
}

std::string nodes_shown(const Scene& scene)
{
    std::string numbers;
    for (const Instance& instance : find_instances(scene))
        numbers += std::to_string(instance.node);
    return numbers;
}

std::string shown_with(const LookTexts& texts)
{
    Scene scene = figure();
    const auto look = find_look(scene, texts);
    if (!look) return std::string(look.error().parameter) + ": " + look.error().message;
    apply_look(scene, *look);
    EXPECT_TRUE(validate(scene));
    return nodes_shown(scene);
}

TEST(Looks, HideNodesWithWhatIsBelow)
{
    EXPECT_EQ(shown_with({}), "01234567");
    EXPECT_EQ(shown_with({.hide = "arm"}), "0567");
    EXPECT_EQ(shown_with({.hide = "ring"}), "012456") << "all of this name";
    EXPECT_EQ(shown_with({.hide = "3,head"}), "012467");
    EXPECT_EQ(shown_with({.hide = "hand"}), "01567") << "with its helper";
    EXPECT_EQ(shown_with({.hide = "4"}), "01567") << "a helper means its node";
    EXPECT_EQ(shown_with({.hide = "6"}), "0123457") << "a name with a comma";
    EXPECT_EQ(shown_with({.hide = "body"}), "67");
    EXPECT_EQ(shown_with({.hide = "cube"}), "") << "the mesh of all nodes";
}

TEST(Looks, ShowNodesAlone)
{
    EXPECT_EQ(shown_with({.only = "arm"}), "1234");
    EXPECT_EQ(shown_with({.only = "hand,head"}), "2345");
    EXPECT_EQ(shown_with({.hide = "ring", .only = "arm"}), "124");
    EXPECT_EQ(shown_with({.hide = "body", .only = "hand"}), "234") << "the nearest node decides";
}

TEST(Looks, RejectWhatIsNotThere)
{
    EXPECT_EQ(shown_with({.hide = "leg"}),
              "hide: there is no node 'leg' among 8: 'body', 'arm', 'hand', 'ring', 'head', 'a,b'");
    EXPECT_EQ(shown_with({.only = "arm,99"}),
              "only: there is no node '99' among 8: 'body', 'arm', 'hand', 'ring', 'head', 'a,b'");
    EXPECT_EQ(shown_with({.lod = "1"}), "lod: there is no level of detail 1: the file has only one");
    const auto error = [](const LookTexts& texts) { return find_look(figure(), texts).error(); };
    EXPECT_TRUE(error({.hide = "leg"}).not_in_the_file);
    EXPECT_TRUE(error({.lod = "4294967295"}).not_in_the_file);
    for (const LookTexts& texts :
         {LookTexts{.lod = "-1"}, LookTexts{.lod = ""}, LookTexts{.lod = "4294967296"},
          LookTexts{.lod = "1.0"}, LookTexts{.hide = ""}, LookTexts{.hide = "arm,"},
          LookTexts{.only = ",arm"}, LookTexts{.surface = "gold"}, LookTexts{.surface = ""},
          LookTexts{.hide = std::string(100'000, ',')}})
        EXPECT_FALSE(error(texts).not_in_the_file);
    std::string many = "0";
    for (std::size_t i = 0; i < max_look_names; ++i)
        many += ",0";
    EXPECT_THAT(error({.hide = many}).message, HasSubstr("more than 64 names"));
    EXPECT_EQ(shown_with({.hide = many.substr(2)}), "67");
}

TEST(Looks, HaveOneKeyForEqualOnes)
{
    const auto key = [](const LookTexts& texts) { return look_key(find_look(figure(), texts).value()); };
    EXPECT_EQ(key({}), "");
    EXPECT_EQ(key({.lod = "0"}), "");
    EXPECT_EQ(key({.hide = "head,arm"}), "hide=1,5");
    EXPECT_EQ(key({.hide = "1,5,1,arm"}), "hide=1,5");
    EXPECT_EQ(key({.only = "ring", .surface = "clay"}), "only=3,7 clay");
}

TEST(Looks, ShowALevelOfDetail)
{
    Scene scene = figure();
    scene.nodes[1].levels = {0, 0};
    scene.nodes[5].levels = {1, none};
    scene.nodes[5].visible = false;
    const auto look = find_look(scene, {.lod = "1", .hide = "ring"});
    ASSERT_TRUE(look);
    EXPECT_EQ(look_key(*look), "lod=1 hide=3,7");
    EXPECT_THAT(find_look(scene, {.lod = "2"}).error().message, HasSubstr("the file has the levels 0 to 1"));
    apply_look(scene, *look);
    EXPECT_EQ(nodes_shown(scene), "02456");
}

TEST(Looks, OfClayHaveOneMaterial)
{
    Scene scene = test::everything();
    ASSERT_TRUE(validate(scene));
    apply_look(scene, {.clay = true});
    EXPECT_TRUE(validate(scene));
    EXPECT_TRUE(scene.images.empty());
    for (const Material& material : scene.materials) {
        EXPECT_EQ(material.name, "clay");
        EXPECT_EQ(material.base_color_texture.image, none);
        EXPECT_EQ(material.alpha_mode, AlphaMode::opaque);
    }
    for (const Mesh& mesh : scene.meshes) {
        EXPECT_TRUE(mesh.colors.empty());
        for (const Primitive& primitive : mesh.primitives)
            EXPECT_LT(primitive.material, 2u);
    }
}

TEST(Looks, OfClayKeepWhichSidesAreDrawn)
{
    Scene scene = test::textured_cube();
    scene.materials[0].double_sided = true;
    apply_look(scene, {.clay = true});
    EXPECT_TRUE(scene.materials[scene.meshes[0].primitives[0].material].double_sided);
}

TEST(Looks, NameTheSkinsInTheirSentence)
{
    Scene scene = figure();
    EXPECT_EQ(no_skin_message(scene, "red"), "there is no skin 'red': the file has only one");
    scene.variants = {"default", "blue"};
    EXPECT_EQ(no_skin_message(scene, "red"), "there is no skin 'red' among 2: 'default', 'blue'");
}

} // namespace
} // namespace vitrine::scene
