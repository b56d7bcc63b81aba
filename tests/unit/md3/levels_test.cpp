// Levels of detail of MD3 files, and the skins of their parts as variants.

#include <gmock/gmock.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/support/tga.hpp"
#include "tests/unit/md3/samples.hpp"

namespace vitrine::test {
namespace {

using testing::ElementsAre;

std::string model_of(const std::string& surface, std::uint32_t frames = 2)
{
    Md3Model model;
    model.frames = frames;
    model.surfaces[0].name = surface;
    model.surfaces[0].shaders = {"skin.tga"};
    model.surfaces[0].frames.assign(frames, model.surfaces[0].frames[0]);
    return model.write();
}

const scene::Node& drawing_node(const scene::Scene& scene, std::uint32_t level)
{
    const auto found = std::ranges::find_if(scene.nodes, [&](const scene::Node& node) {
        return node.mesh != scene::none && node.levels.first == level;
    });
    EXPECT_NE(found, scene.nodes.end());
    return *found;
}

scene::Scene rock(bool whole = true)
{
    return valid(load_md3_files("rock.md3",
                                {{"rock.md3", model_of("stone")},
                                 {"rock_1.md3", model_of("stone_1")},
                                 {"ROCK_2.MD3", model_of("stone", 1)},
                                 {"rock_12.md3", model_of("no")},
                                 {"skin.tga", pixel(5)}},
                                {}, whole));
}

TEST(Md3Levels, AreNodesOfTheSamePart)
{
    const scene::Scene scene = rock();
    ASSERT_EQ(scene.meshes.size(), 3u);
    for (std::uint32_t level = 0; level < 3; ++level) {
        const scene::Node& node = drawing_node(scene, level);
        EXPECT_EQ(node.name, "stone");
        EXPECT_EQ(node.parent, 0u);
        EXPECT_EQ(node.visible, level == 0);
        EXPECT_EQ(node.levels.last, level == 2 ? scene::none : level);
        EXPECT_EQ(scene.meshes[node.mesh].shares_geometry, level > 0) << "not counted";
        EXPECT_EQ(scene.meshes[node.mesh].primitives[0].material, 0u);
    }
    EXPECT_EQ(scene.source_vertices, 3u);
    EXPECT_EQ(scene.source_polygons, 1u);
    EXPECT_EQ(scene.clips.at(0).channels.size(), 3u) << "all of them move";
    EXPECT_THAT(scene.clips[0].channels[2].values, ElementsAre(0.0f, 0.0f)) << "it has one frame";
}

TEST(Md3Levels, OfASingleFileAreNotRead)
{
    EXPECT_EQ(rock(false).meshes.size(), 1u);
}

TEST(Md3Levels, ThatCannotBeReadAreIgnored)
{
    const auto scene = valid(load_md3_files(
        "rock.md3",
        {{"rock.md3", model_of("stone")}, {"rock_1.md3", "IDP3"}, {"rock_2.md3", model_of("stone")}}));
    EXPECT_EQ(scene.meshes.size(), 2u);
    EXPECT_THAT(codes(scene), testing::HasSubstr("md3_part_skipped"));
    EXPECT_EQ(drawing_node(scene, 1).levels.last, scene::none);
}

// Three skins of a surface; "green" has no image.
std::map<std::string, std::string> skinned_head()
{
    return {{"head.md3", model_of("h_head")},
            {"head_1.md3", model_of("h_head_1")},
            {"head_blue.skin", "h_head,blue.tga"},
            {"head_default.skin", "h_head,skin.tga"},
            {"head_green.skin", "h_head,missing.tga"},
            {"head_ghost.skin", "h_head,textures/common/nodraw"},
            {"skin.tga", pixel(5)},
            {"blue.tga", pixel(7)}};
}

TEST(Md3Skins, AreVariants)
{
    const auto scene = valid(load_md3_files("head.md3", skinned_head()));
    EXPECT_THAT(scene.variants, ElementsAre("default", "blue", "ghost"));
    EXPECT_THAT(codes(scene), testing::HasSubstr("md3_skins")) << "one has no image";
    const auto color = [&](const scene::VariantMaterial& variant) {
        const auto image = scene.materials[variant.material].base_color_texture.image;
        return image == scene::none ? -1 : int{scene.images[image].pixels.at(0)};
    };
    ASSERT_EQ(scene.meshes.size(), 2u);
    for (const scene::Mesh& mesh : scene.meshes) {
        const auto& variants = mesh.primitives.at(0).variants;
        ASSERT_EQ(variants.size(), 3u);
        EXPECT_EQ(color(variants[0]), 5);
        EXPECT_EQ(color(variants[1]), 7);
        EXPECT_EQ(color(variants[2]), -1);
        EXPECT_EQ(scene.materials[variants[2].material].base_color.w, 0.0f) << "the skin hides it";
        EXPECT_EQ(mesh.primitives[0].material, variants[0].material) << "the default is shown";
    }
}

TEST(Md3Skins, ThatAreAloneAreNoVariants)
{
    auto files = skinned_head();
    for (const char* other : {"head_blue.skin", "head_green.skin", "head_ghost.skin"})
        files.erase(other);
    const auto scene = valid(load_md3_files("head.md3", files));
    EXPECT_TRUE(scene.variants.empty());
    EXPECT_EQ(codes(scene).find("md3_skins"), std::string::npos);
}

} // namespace
} // namespace vitrine::test
