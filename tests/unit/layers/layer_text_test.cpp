#include "loaders/scene/layers/layer_text.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

constexpr auto own_clips = [](const Scene& scene) {
    return [&scene](std::string_view text) -> std::expected<FoundClip, std::string> {
        for (std::uint32_t i = 0; i < scene.clips.size(); ++i)
            if (scene.clips[i].name == text) return FoundClip{.clip = i};
        return std::unexpected("there is no clip '" + std::string(text) + "'");
    };
};

std::expected<SharedLayers, AnimationTextError> make(const Scene& scene, const AnimationTexts& texts,
                                                     const FoundClip& base = {})
{
    return make_layers(scene, base, texts, own_clips(scene));
}

TEST(LayerText, ReadsAllParts)
{
    const auto layer = parse_layer("shoot@0.25*0.5~spine~-head").value();
    EXPECT_EQ(layer.clip, "shoot");
    EXPECT_EQ(layer.time, 0.25);
    EXPECT_EQ(layer.weight, 0.5f);
    EXPECT_EQ(layer.joints, (std::vector<std::string>{"spine", "-head"}));
    EXPECT_EQ(layer.mode, LayerMode::override);
    const auto added = parse_layer("Armature|nod*-2!add").value();
    EXPECT_EQ(added.clip, "Armature|nod");
    EXPECT_EQ(added.weight, -2.0f);
    EXPECT_EQ(added.mode, LayerMode::additive);
    EXPECT_FALSE(added.time || added.speed);
    EXPECT_EQ(parse_layer("run@x0.5").value().speed, 0.5);
}

TEST(LayerText, ReadsReferences)
{
    EXPECT_EQ(parse_layer("aim@x0.5!add=idle~spine@1").error(),
              "the layer 'aim@x0.5!add=idle~spine@1' has two times")
        << "only a time right after the reference is the reference's";
    const auto timed = parse_layer("aim!add=as_1:idle@-0.5~spine@1").value();
    EXPECT_EQ(timed.reference, "as_1:idle");
    EXPECT_EQ(timed.reference_time, -0.5);
    EXPECT_EQ(timed.time, 1.0);
    EXPECT_EQ(timed.joints, (std::vector<std::string>{"spine"}));
    EXPECT_EQ(timed.mode, LayerMode::additive);
    const auto plain = parse_layer("aim!add=a=b").value();
    EXPECT_EQ(plain.reference, "a=b");
    EXPECT_EQ(plain.reference_time, 0.0);
    EXPECT_EQ(parse_layer("aim!add@1").value().time, 1.0) << "without a reference it is the layer's";
}

TEST(LayerText, KeysTellReferencesApart)
{
    Scene scene = test::skinned_bar(); // bend, 1 s
    scene.clips.push_back(scene.clips.front());
    scene.clips.back().name = "idle";
    const auto layers = [&](const char* text) { return make(scene, {.layers = {text}}).value(); };
    const auto key = [&](const char* text) { return layers(text)->key; };
    EXPECT_EQ(key("bend!add=bend"), key("bend!add"));
    EXPECT_EQ(key("bend!add=bend@-1"), key("bend!add"));
    EXPECT_FALSE(layers("bend!add=bend")->layers[0].reference);
    EXPECT_NE(key("bend!add=idle"), key("bend!add"));
    EXPECT_NE(key("bend!add=bend@0.5"), key("bend!add"));
    EXPECT_NE(key("bend!add=idle@0.5"), key("bend!add=idle@0.25"));
    EXPECT_NE(key("bend!add=idle@0.5"), key("bend@0.5!add=idle"));
    EXPECT_EQ(key("bend!add=idle@7"), key("bend!add=idle@1.0")) << "times are clamped to the clip";
    const auto reference = layers("bend!add=idle@0.5")->layers[0].reference.value();
    EXPECT_EQ(reference.clip, 1u);
    EXPECT_EQ(reference.time, 0.5);
}

TEST(LayerText, SaysWhatIsWrong)
{
    const auto error = [](std::string_view text) { return parse_layer(text).error(); };
    EXPECT_EQ(error(""), "the layer '' names no clip");
    EXPECT_EQ(error("@1"), "the layer '@1' names no clip");
    EXPECT_EQ(error("a@b"), "the layer 'a@b' needs seconds, or x and a speed, after @");
    EXPECT_EQ(error("a@nan"), "the layer 'a@nan' needs seconds, or x and a speed, after @");
    EXPECT_EQ(error("a@x1e-300"), "the layer 'a@x1e-300' is too slow");
    EXPECT_EQ(error("a@1@2"), "the layer 'a@1@2' has two times");
    EXPECT_EQ(error("a*"), "the layer 'a*' needs a weight after *");
    EXPECT_EQ(error("a*1e9!add"), "the layer 'a*1e9!add' needs a weight after *");
    EXPECT_EQ(error("a*1*1"), "the layer 'a*1*1' has two weights");
    EXPECT_EQ(error("a*1.5"), "the layer 'a*1.5' needs a weight from 0 to 1, or !add");
    EXPECT_EQ(error("a~"), "the layer 'a~' names no joint after ~");
    EXPECT_EQ(error("a!sub"), "the layer 'a!sub' may end with !add or !add=CLIP, not with '!sub'");
    EXPECT_EQ(error("a!sub=b"), "the layer 'a!sub=b' may end with !add or !add=CLIP, not with '!sub=b'");
    EXPECT_EQ(error("a!add="), "the layer 'a!add=' names no clip after !add=");
    EXPECT_EQ(error("a!add=@1"), "the layer 'a!add=@1' names no clip after !add=");
    EXPECT_EQ(error("a!add=b@"), "the layer 'a!add=b@' needs seconds after the @ of its reference");
    EXPECT_EQ(error("a!add=b@x1"), "the layer 'a!add=b@x1' needs seconds after the @ of its reference");
    EXPECT_EQ(error("a!add=b@1e300"), "the layer 'a!add=b@1e300' needs seconds after the @ of its reference");
    EXPECT_EQ(error("a!add=b!add=c"), "the layer 'a!add=b!add=c' has two modes");
    EXPECT_EQ(error("a@1!add=b@2@3"), "the layer 'a@1!add=b@2@3' has two times");
}

TEST(LayerText, ReadsJointsWithColons)
{
    const auto turn = parse_joint_values("mixamorig:Hips:10,-20.5,0").value();
    EXPECT_EQ(turn.joint, "mixamorig:Hips");
    EXPECT_EQ(turn.values, glm::dvec3(10.0, -20.5, 0.0));
    for (const auto* text : {"", "Hips", ":1,2,3", "Hips:", "Hips:1,2", "Hips:1,2,3,4", "Hips:1,2,",
                             "Hips:1,2,x", "Hips:1,2,inf", "Hips:1,2,1e7"})
        EXPECT_EQ(parse_joint_values(text).error(), "'" + std::string(text) + "' is not JOINT:x,y,z");
}

TEST(LayerText, ReadsReaches)
{
    const auto plain = parse_reach("mixamorig:Hand~L:1,-2.5,1e3").value();
    EXPECT_EQ(plain.joint, "mixamorig:Hand~L");
    EXPECT_EQ(plain.target, glm::dvec3(1, -2.5, 1000));
    EXPECT_FALSE(plain.pole);
    EXPECT_EQ(parse_reach("hand:1,2,3~4,5,6").value().pole, glm::dvec3(4, 5, 6));
    for (const auto* text :
         {"", "hand", ":1,2,3", "hand:1,2", "hand:1,2,3~", "hand:1,2,3~4,5", "hand:1,2,3~4,5,6~7,8,9",
          "hand:nan,0,0", "hand:1e300,0,0", "hand:1,2,3~inf,0,0"})
        EXPECT_EQ(parse_reach(text).error(),
                  "'" + std::string(text) + "' is not JOINT:x,y,z or JOINT:x,y,z~x,y,z");
}

TEST(LayerText, KeysAreEqualForEqualAnimations)
{
    Scene scene = test::skinned_bar();
    scene.nodes.push_back({.name = "tip", .parent = 1});
    const auto key = [&](const AnimationTexts& texts) { return make(scene, texts).value()->key; };
    EXPECT_EQ(key({.layers = {"bend@0.50~upper"}, .turns = {"upper:1,2,3"}}),
              key({.layers = {"bend~1*1@0.5"}, .turns = {"1:1.0,2,3"}}));
    EXPECT_NE(key({.layers = {"bend@0.5"}}), key({.layers = {"bend@0.25"}}));
    EXPECT_NE(key({.layers = {"bend@0.5"}}), key({.layers = {"bend@x0.5"}}));
    EXPECT_NE(key({.layers = {"bend~upper"}}), key({.layers = {"bend~-upper"}}));
    EXPECT_NE(key({.layers = {"bend"}}), key({.layers = {"bend!add"}}));
    EXPECT_NE(key({.turns = {"upper:1,2,3"}}), key({.moves = {"upper:1,2,3"}}));
    EXPECT_EQ(key({.reaches = {"tip:1.0,2,3~0,0,1e0"}}), key({.reaches = {"3:1,2,3~0,0,1"}}));
    EXPECT_NE(key({.reaches = {"tip:1,2,3~0,0,1"}}), key({.reaches = {"tip:1,2,3"}}));
    EXPECT_NE(make(scene, {}, {.clip = 0}).value()->key, make(scene, {}).value()->key);
}

TEST(LayerText, NamesTheParameterOfAnError)
{
    const Scene scene = test::skinned_bar();
    const auto error = [&](const AnimationTexts& texts) { return make(scene, texts).error(); };
    EXPECT_EQ(error({.layers = {"run"}}).message, "there is no clip 'run'");
    EXPECT_EQ(error({.layers = {"bend!add=run@1"}}).message, "there is no clip 'run'");
    EXPECT_EQ(error({.layers = {"bend~tail"}}).message, "there is no joint 'tail'");
    EXPECT_EQ(error({.layers = {"bend~-tail"}}).message, "there is no joint '-tail'");
    EXPECT_EQ(error({.turns = {"tail:1,2,3"}}).parameter, "turn");
    EXPECT_EQ(error({.moves = {"upper"}}).parameter, "move");
    EXPECT_EQ(error({.scales = {"upper"}}).parameter, "scale");
    EXPECT_EQ(error({.reaches = {"tail:1,2,3"}}).message, "there is no joint 'tail'");
    EXPECT_EQ(error({.reaches = {"upper:1,2,3"}}).parameter, "reach");
    EXPECT_EQ(error({.reaches = {"upper:1,2,3"}}).message,
              "the joint 'upper' has no two joints above it that could turn");
    EXPECT_EQ(error({.layers = std::vector<std::string>(max_layers + 1, "bend")}).message,
              "there are more than 32 layers");
    EXPECT_EQ(error({.turns = std::vector<std::string>(max_adjustments + 1, "upper:1,2,3")}).message,
              "more than 256 joints are adjusted");
}

TEST(LayerText, MasksSubtreesWithHelpers)
{
    Scene scene; // root - a - helper of b - b - c, root - d
    const auto add = [&](std::string name, std::uint32_t parent, std::uint32_t helper_of = none) {
        scene.nodes.push_back({.name = std::move(name), .parent = parent, .helper_of = helper_of});
    };
    add("root", none);
    add("a", 0);
    add("b.pivot", 1, 3);
    add("b", 2);
    add("c", 3);
    add("d", 0);
    using Mask = std::vector<std::uint8_t>;
    EXPECT_EQ(mask_of(scene, {3}, {}), (Mask{0, 0, 1, 1, 1, 0}));
    EXPECT_EQ(mask_of(scene, {1, 5}, {4}), (Mask{0, 1, 1, 1, 0, 1}));
    EXPECT_EQ(mask_of(scene, {}, {3}), (Mask{1, 1, 0, 0, 0, 1}));
    EXPECT_EQ(mask_of(scene, {}, {}), Mask(6, 1));
}

} // namespace
} // namespace vitrine::scene
