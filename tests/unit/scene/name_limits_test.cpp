#include "loaders/scene/validation/name_limits.hpp"

#include <gtest/gtest.h>

#include "loaders/base/utf8.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

TEST(TruncateUtf8, EndsBetweenTwoCharacters)
{
    EXPECT_EQ(truncate_utf8("joint", 5), "joint");
    EXPECT_EQ(truncate_utf8("joint", 4), "join");
    EXPECT_EQ(truncate_utf8("\u00e9t\u00e9", 5), "\u00e9t\u00e9");
    EXPECT_EQ(truncate_utf8("\u00e9t\u00e9", 4), "\u00e9t");
    EXPECT_EQ(truncate_utf8("\U0001f980", 3), "");
}

TEST(TruncateNames, KeepsNamesOfNormalLength)
{
    Scene scene = test::everything();
    scene.nodes[0].name = std::string(max_name_bytes, 'n');
    EXPECT_TRUE(check_names(scene));
    EXPECT_EQ(truncate_names(scene).count, 0u);
    EXPECT_EQ(scene.nodes[0].name.size(), max_name_bytes);
}

TEST(TruncateNames, TruncatesEveryKindOfName)
{
    const std::string text(5'000, 'x');
    const auto cut_of = [&](auto choose) {
        Scene scene = test::everything();
        choose(scene) = text;
        EXPECT_FALSE(check_names(scene));
        const auto cut = truncate_names(scene);
        EXPECT_TRUE(check_names(scene));
        EXPECT_EQ(choose(scene), text.substr(0, choose(scene).size()));
        return cut.count == 1 ? cut.first : std::string();
    };
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.nodes[1].name; }), "/nodes/1");
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.meshes[0].name; }), "/meshes/0");
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.meshes[0].morph_targets[0].name; }), "/meshes/0");
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.skins[0].name; }), "/skins/0");
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.clips[0].name; }), "/clips/0");
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.materials[0].name; }), "/materials/0");
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.images[0].name; }), "/images/0");
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.generator; }), "") << "not a name";
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.warnings[0].message; }), "");
    EXPECT_EQ(cut_of([](Scene& s) -> auto& { return s.warnings[0].where; }), "");
}

// Each is stored once, but a scene's documents repeat it for each texture and each channel.
TEST(RepeatedNames, AreLimited)
{
    const auto rejected = [](const Scene& scene) {
        const auto valid = validate(scene);
        return valid ? std::string() : std::string(to_string(valid.error().code)) + " " + valid.error().where;
    };
    Scene scene = test::textured_cube();
    scene.images[0].name = std::string(max_name_bytes, 'i');
    auto material = scene.materials[0];
    for (auto* texture : {&material.normal_texture, &material.emissive_texture, &material.occlusion_texture,
                          &material.metallic_roughness_texture})
        texture->image = 0;
    scene.materials.assign(50'000, material);
    EXPECT_EQ(rejected(scene), "");
    scene.materials.assign(53'000, material);
    EXPECT_EQ(rejected(scene), "limit_exceeded /materials");
    Scene bar = test::skinned_bar();
    bar.nodes[1].name = std::string(max_name_bytes, 'j');
    auto& channels = bar.clips[0].channels;
    channels.resize(270'000, channels[0]);
    EXPECT_EQ(rejected(bar), "limit_exceeded /clips/0");
}

} // namespace
} // namespace vitrine::scene
