// Bounds, poses, tracks and meshes of requests: their limits, keys and stored results.

#include <set>
#include <string>

#include <boost/json/parse.hpp>
#include <prometheus/registry.h>

#include "server/services/scene_queries/scene_queries.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/server/services/support/fixture.hpp"

namespace vitrine::server::testing {
namespace {

namespace json = boost::json;

class SceneQueriesTest : public ServicesTest {
protected:
    static AssetRecord asset(const std::string& source)
    {
        AssetRecord record;
        record.content_hash = source;
        return record;
    }

    using WritePoses = Result<void> (*)(const scene::Scene&, const PoseQuery&, const ContentSink&);
    static std::string written(WritePoses write, const scene::Scene& scene, const PoseQuery& query)
    {
        std::string text;
        EXPECT_TRUE(write(scene, query, [&](std::string_view piece) { text += piece; }));
        return text;
    }

    const ContentSink ignore = [](std::string_view) {};
    prometheus::Registry registry_;
    Metrics metrics_{registry_};
    DerivedCache derived_{folder() / "derived", 1 << 20, metrics_};
};

TEST_F(SceneQueriesTest, BoundsAreComputedOncePerVersion)
{
    const auto bar = test::skinned_bar();
    auto moved = bar;
    for (auto& position : moved.meshes[0].positions)
        position += glm::vec3(100.0f);
    const BoundsQuery query{.per = BoundsGrouping::mesh};
    const auto first = query_bounds(derived_, asset("one"), bar, query).value();
    EXPECT_EQ(query_bounds(derived_, asset("one"), moved, query).value(), first);
    EXPECT_NE(query_bounds(derived_, asset("two"), moved, query).value(), first);
}

TEST_F(SceneQueriesTest, FramesOfAClipCoverItsInterval)
{
    const auto bar = test::skinned_bar();
    const BoundsQuery query{.clip = 0, .from = 0.25, .to = 0.75, .per = BoundsGrouping::frame};
    const auto report = json::parse(query_bounds(derived_, asset("bar"), bar, query).value()).as_object();
    const auto& frames = report.at("frames").as_array();
    ASSERT_GE(frames.size(), 2u);
    EXPECT_EQ(frames.front().at("time").to_number<double>(), 0.25);
    EXPECT_EQ(frames.back().at("time").to_number<double>(), 0.75);
    EXPECT_EQ(report.at("clip"), "c0");
    EXPECT_FALSE(report.contains("static"));
}

TEST_F(SceneQueriesTest, BoundsOfTooManyVerticesAreRejected)
{
    scene::Scene scene;
    scene.meshes.resize(1);
    scene.meshes[0].positions.resize(10'000);
    scene.nodes.resize(1'000);
    for (auto& node : scene.nodes)
        node.mesh = 0;
    scene.clips.resize(1);
    scene.clips[0].duration = 1'000.0; // at 30 poses a second: 10^7 vertices in thousands of poses
    const auto rejected = query_bounds(derived_, asset("large"), scene, {.clip = 0, .to = 1'000.0});
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().kind, Errc::too_large);
    EXPECT_EQ(rejected.error().code, "too_much_work");
}

TEST_F(SceneQueriesTest, PackedPosesHaveTenOrSixteenFloatsPerNode)
{
    const auto bar = test::skinned_bar();
    PoseQuery query{.selection = {.clip = 0, .nodes = {0, 1}}, .times = {0.0, 0.5, 1.0}};
    EXPECT_EQ(written(write_packed_poses, bar, query).size(), 3u * 2u * 10u * sizeof(float));
    query.selection.space = api::PoseSpace::model;
    EXPECT_EQ(written(write_packed_poses, bar, query).size(), 3u * 2u * 16u * sizeof(float));
    const auto poses = boost::json::parse(written(write_poses, bar, query)).as_object();
    EXPECT_EQ(poses.at("space"), "model");
    EXPECT_EQ(poses.at("times").at(1).to_number<double>(), 0.5);
    EXPECT_EQ(poses.at("poses").as_array().size(), 3u);
}

TEST_F(SceneQueriesTest, TooManyPosesAndValuesAreRejected)
{
    auto bar = test::skinned_bar();
    PoseQuery query{.selection = {.clip = 0, .nodes = std::vector<std::uint32_t>(1'000, 1)},
                    .times = std::vector<double>(501)};
    EXPECT_EQ(write_poses(bar, query, ignore).error().code, "too_many_poses");
    query.times.resize(4'001);
    EXPECT_EQ(write_packed_poses(bar, query, ignore).error().code, "too_many_poses");
    const std::uint32_t node = bar.clips[0].channels[0].node;
    EXPECT_TRUE(query_tracks(bar, 0, {node}));
    bar.clips[0].channels[0].values.resize(2'000'001);
    EXPECT_EQ(query_tracks(bar, 0, {node}).error().code, "too_many_values");
}

TEST_F(SceneQueriesTest, EachMemberOfAQueryIsPartOfItsEtag)
{
    const auto one = asset(std::string(64, 'a'));
    auto changed = one;
    changed.revision = 2;
    const std::set<std::string> tags{
        bounds_etag(one, {}),
        bounds_etag(changed, {}),
        bounds_etag(asset(std::string(64, 'b')), {}),
        bounds_etag(one, {.per = BoundsGrouping::joint}),
        bounds_etag(one, {.clip = 0, .to = 1.0}),
        bounds_etag(one, {.clip = 1, .to = 1.0}),
        bounds_etag(one, {.clip = 0, .from = 0.5, .to = 1.0}),
        bounds_etag(one, {.clip = 0, .to = 2.0}),
        bounds_etag(one, {.clip = 0, .to = 1.0, .per = BoundsGrouping::mesh}),
        export_etag(one, scene::none),
        export_etag(one, 0),
        document_etag(one, AssetDocument::skeleton),
        document_etag(one, AssetDocument::clips),
        mesh_etag(one, {}),
        mesh_etag(one, {.clip = 0}),
        mesh_etag(one, {.clip = 0, .time = 0.5}),
        mesh_etag(one, {.format = MeshFormat::ply}),
        mesh_etag(one, {.space = BakeSpace::file}),
        poses_etag(one, {}, false),
        poses_etag(one, {}, true),
        poses_etag(one, {.times = {1.0}}, false),
        poses_etag(one, {.times = {1.0, 2.0}}, false),
        poses_etag(one, {.selection = {.nodes = {1}}, .times = {1.0}}, false),
        poses_etag(one, {.selection = {.clip = 1}, .times = {1.0}}, false),
        poses_etag(one, {.selection = {.space = api::PoseSpace::model}, .times = {1.0}}, false),
    };
    EXPECT_EQ(tags.size(), 25u);
}

} // namespace
} // namespace vitrine::server::testing
