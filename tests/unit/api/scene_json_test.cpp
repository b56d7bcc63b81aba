#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "api/bounds_json.hpp"
#include "api/hit_json.hpp"
#include "api/json_text.hpp"
#include "api/pose_json.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"

using namespace vitrine;
namespace json = boost::json;

TEST(SceneJson, CountsDistinctObjects)
{
    auto bar = test::skinned_bar();
    bar.source_vertices = 8;
    bar.source_polygons = 6;
    bar.clips.emplace_back();
    bar.meshes.push_back(bar.meshes[0]);
    bar.meshes[1].shares_geometry = true; // same geometry with other materials
    const auto counts = api::to_json(api::count_contents(bar));
    EXPECT_EQ(counts.at("meshes"), 1);
    EXPECT_EQ(counts.at("vertices"), 8);
    EXPECT_EQ(counts.at("polygons"), 6);
    EXPECT_EQ(counts.at("triangles"), bar.meshes[0].indices.size() / 3);
    EXPECT_EQ(counts.at("joints"), 2);
    EXPECT_EQ(counts.at("clips"), 1) << "a clip without keys does not count";
}

TEST(SceneJson, BoundsInBothSpaces)
{
    auto cube = test::textured_cube();
    scene::FileSpace space;
    space.axes = glm::mat3(1, 0, 0, 0, 0, -1, 0, 1, 0);
    space.unit_meters = 0.5;
    scene::convert_to_scene_space(cube, space);
    const auto report = api::inspect_json(cube);
    EXPECT_EQ(api::to_text(report.at("bounds")), R"({"min":[-0.25,-0.25,-0.25],"max":[0.25,0.25,0.25]})");
    EXPECT_EQ(api::to_text(report.at("fileSpace")),
              R"({"upAxis":"Z","unitMetres":0.5,"bounds":{"min":[-0.5,-0.5,-0.5],"max":[0.5,0.5,0.5]}})");
    EXPECT_TRUE(api::bounds_json(scene::Aabb{}).is_null());
}

TEST(SceneJson, BoundsFarFromTheOriginUseDoubles)
{
    const scene::OffsetBox box{.box = {.min = glm::vec3(-0.125f), .max = glm::vec3(0.5f)},
                               .origin = {4649776.25, 0.0, -1e9}};
    EXPECT_EQ(api::to_text(api::bounds_json(box)),
              R"({"min":[4649776.125,-0.125,-1000000000.125],"max":[4649776.75,0.5,-999999999.5]})");
    EXPECT_TRUE(api::bounds_json(scene::OffsetBox{.box = {}, .origin = box.origin}).is_null());
}

TEST(SceneJson, ClipsHaveFactsInInspect)
{
    const auto bar = test::skinned_bar();
    const auto clip = api::inspect_json(bar).at("clips").at(0);
    const auto& facts = clip.at("facts");
    EXPECT_EQ(facts, api::clip_facts_json(bar, 0));
    EXPECT_EQ(facts.at("root").at("name"), "lower");
    EXPECT_EQ(facts.at("loops"), false);
    EXPECT_TRUE(facts.at("loopRange").is_null());
    EXPECT_EQ(facts.at("inPlace"), true);
    EXPECT_EQ(facts.at("frozen"), false);
    EXPECT_FALSE(api::clip_json(bar, 0).contains("facts")) << "lists stay lean";
}

TEST(SceneJson, TextsEqualTheValues)
{
    for (const auto& scene :
         {scene::Scene{}, test::skinned_bar(), test::textured_cube(), test::everything()}) {
        EXPECT_EQ(api::skeleton_text(scene), api::to_text(api::skeleton_json(scene)));
        EXPECT_EQ(api::materials_text(scene), api::to_text(api::materials_json(scene)));
    }
}

TEST(SceneJson, ClipsAndChannels)
{
    const auto bar = test::skinned_bar();
    const auto clip = api::clips_json(bar).at(0);
    EXPECT_EQ(clip.at("id"), "c0");
    EXPECT_EQ(clip.at("name"), "bend");
    EXPECT_EQ(clip.at("duration"), 1.0);
    EXPECT_EQ(clip.at("channels"), bar.clips[0].channels.size());
    const auto channel = api::channels_json(bar, 0).at(0);
    EXPECT_EQ(channel.at("name"), "upper");
    EXPECT_EQ(channel.at("path"), "rotation");
    EXPECT_EQ(channel.at("interpolation"), "linear");
}

TEST(SceneJson, PosesOfNodes)
{
    const auto quad = test::morphing_quad();
    scene::Pose pose;
    scene::sample_pose(quad, 0, 1.0, pose);
    const auto nodes = api::nodes_json(quad, pose);
    ASSERT_EQ(nodes.size(), quad.nodes.size());
    bool weights = false;
    for (const auto& node : nodes)
        weights = weights || api::to_text(node.at("morphWeights")) == "[1,0.5]";
    EXPECT_TRUE(weights);
    EXPECT_EQ(nodes[0].at("model").as_array().size(), 16u);
}

TEST(SceneJson, EmptySceneHasZeroCountsAndNoBounds)
{
    const auto report = api::inspect_json({});
    for (const auto& [name, count] : report.at("counts").as_object())
        EXPECT_EQ(count, 0) << std::string_view(name);
    EXPECT_TRUE(report.at("bounds").is_null());
    EXPECT_TRUE(report.at("fileSpace").at("bounds").is_null());
    EXPECT_TRUE(report.at("skeleton").at("joints").as_array().empty());
    EXPECT_TRUE(scene::validate({}));
}

TEST(SceneJson, InspectHasAllMembers)
{
    const auto report = api::inspect_json(test::everything());
    for (const auto* member : {"format", "generator", "counts", "bounds", "fileSpace", "skeleton", "clips",
                               "materials", "images", "meshes", "warnings"})
        EXPECT_TRUE(report.contains(member)) << member;
    EXPECT_EQ(json::parse(api::to_text(report)).as_object().size(), report.size());
}

TEST(SceneJson, WritesMaterialExtensionsIfPresent)
{
    auto cube = test::textured_cube();
    EXPECT_TRUE(api::materials_json(cube).at(0).at("extensions").is_null());
    cube.materials[0].extensions.clearcoat = 0.5f;
    const auto coated = api::materials_json(cube).at(0).at("extensions").as_object();
    EXPECT_EQ(coated.at("clearcoat"), 0.5);
    EXPECT_TRUE(coated.at("clearcoatTexture").is_null());
    EXPECT_TRUE(coated.at("attenuationDistance").is_null());
    cube.materials[0].extensions = test::odd_extensions(0, 0);
    const auto odd = api::materials_json(cube).at(0).at("extensions").as_object();
    EXPECT_EQ(odd.at("transmissionTexture").at("image"), 0);
    EXPECT_EQ(odd.at("attenuationDistance"), 0.5);
    EXPECT_EQ(odd.at("sheen").as_array().size(), 3u);
}

TEST(HitJson, NamesTheHitObjects)
{
    auto scene = test::skinned_bar();
    scene.nodes[1].name = "upper";
    const scene::Hit hit{.node = 0,
                         .mesh = 0,
                         .triangle = 3,
                         .joint = 1,
                         .weight = 0.75f,
                         .barycentric = {0.5f, 0.25f, 0.25f},
                         .position = {1.0f, 0.1f, 0.0f},
                         .distance = 2.0f};
    const auto json = api::hit_json(scene, hit).at("hit");
    EXPECT_EQ(json.at_pointer("/node/index"), 0);
    EXPECT_EQ(api::to_text(json.at("joint")), R"({"node":1,"name":"upper","weight":0.75})");
    EXPECT_TRUE(json.at("material").is_null());
    EXPECT_EQ(api::to_text(json.at("position")), "[1,0.1,0]");
    EXPECT_EQ(api::to_text(json.at("barycentric")), "[0.5,0.25,0.25]");
    EXPECT_EQ(api::to_text(api::hit_json(scene, std::nullopt)), R"({"hit":null})");
}
