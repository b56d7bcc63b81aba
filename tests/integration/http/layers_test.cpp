// Layers of clips, adjusted joints and clips of other assets over REST.

#include <cmath>

#include <boost/json/parse.hpp>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "tests/integration/http_fixture.hpp"
#include "tests/support/arm_model.hpp"
#include "tests/support/humanoid/humanoid_rigs.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

class HttpLayers : public Http {
protected:
    static void SetUpTestSuite()
    {
        Http::SetUpTestSuite();
        id = import_asset(port(), {{"arm.gltf", std::string(arm_gltf)}, {"arm.bin", arm_buffer()}});
        ASSERT_FALSE(id.empty());
    }
    static std::string path(std::string_view rest) { return fmt::format("/v1/assets/{}{}", id, rest); }
    // The position of the tip, 1 m above the arm, from the model matrix of the arm.
    static std::array<double, 3> tip(const std::string& clip, const std::string& query)
    {
        const auto reply =
            get(port(), path(fmt::format("/clips/{}/pose?space=model&joint=arm&{}", clip, query)));
        EXPECT_EQ(reply.status, 200) << reply.body;
        if (reply.status != 200) return {};
        const auto document = json::parse(reply.body);
        const auto& matrix = document.at_pointer("/poses/0/nodes/0/matrix").as_array();
        std::array<double, 3> point{};
        for (std::size_t i = 0; i < 3; ++i)
            point[i] = matrix[4 + i].to_number<double>() + matrix[12 + i].to_number<double>();
        return point;
    }
    static void expect_tip(const std::string& clip, const std::string& query, double x, double y)
    {
        SCOPED_TRACE(clip + " " + query);
        const auto at = tip(clip, query);
        EXPECT_NEAR(at[0], x, 1e-5);
        EXPECT_NEAR(at[1], y, 1e-5);
    }
    static void expect_rejected(const std::string& query, int status, std::string_view words)
    {
        SCOPED_TRACE(query);
        const auto reply = get(port(), path("/render?w=16&h=16&" + query));
        EXPECT_EQ(reply.status, status);
        EXPECT_NE(reply.body.find(words), std::string::npos) << reply.body;
    }
    static inline std::string id;
};

TEST_F(HttpLayers, PosesBlendClips)
{
    expect_tip("bend", "t=1", -1, 1);
    expect_tip("bend", "t=1&layer=slide", 1, 1);
    expect_tip("bend", "t=1&layer=slide@0.5", 0, 1);
    expect_tip("bend", "t=1&layer=slide*0.25", -0.5, 1);
    expect_tip("bend", "t=1&layer=slide~arm", -1, 1);
    expect_tip("slide", "t=1&layer=bend@1!add&layer=bend@1!add", 2, 0);
    expect_tip("slide", "t=1&layer=bend@1!add=bend@1", 2, 2);
    expect_tip("slide", "t=1&layer=bend@1!add=slide@1", 1, 1);
    expect_tip("none", "layer=slide@1", 2, 2);
    expect_tip("none", "turn=arm:0,0,90", -1, 1);
    expect_tip("bend", "t=0&turn=arm:0,0,90&move=root:3,0,0", 2, 1);
    expect_tip("none", "scale=arm:1,3,1", 0, 4);
}

// As JSON, with the same answer as the text.
TEST_F(HttpLayers, ReferencesOfAdditiveLayersAreObjects)
{
    const auto post = [&](const std::string& layer) {
        return fetch(port(), "POST", path("/clips/slide/pose"), {{"Content-Type", "application/json"}},
                     R"({"t": 1, "joint": "arm", "space": "model", "layers": [)" + layer + "]}");
    };
    const auto pose = [&](const std::string& query) {
        return get(port(), path("/clips/slide/pose?t=1&joint=arm&space=model&layer=" + query)).body;
    };
    const auto half =
        post(R"({"clip": "bend", "time": 1, "mode": "add", "reference": {"clip": "bend", "time": 0.5}})");
    EXPECT_EQ(half.status, 200) << half.body;
    EXPECT_EQ(half.body, pose("bend@1!add=bend@0.5"));
    EXPECT_NE(half.body, pose("bend@1!add"));
    expect_tip("slide", "t=1&layer=bend@1!add=bend@0.5", 2 - std::sqrt(0.5), 1 + std::sqrt(0.5));
    const auto other = post(R"({"clip": 0, "time": 1, "mode": "add", "reference": ")" + id + R"(:slide"})");
    EXPECT_EQ(other.status, 200) << other.body;
    EXPECT_EQ(other.body, pose("c0@1!add=slide"));
    const auto missing = post(R"({"clip": 0, "mode": "add", "reference": {"clip": "run"}})");
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(missing.json().at("detail"), "This asset has no clip 'run'.");
}

TEST_F(HttpLayers, ClipsOfOtherAssetsPlay)
{
    auto other = std::string(arm_gltf);
    other.replace(other.find("bend"), 4, "lean");
    const auto friend_id = import_asset(port(), {{"other.gltf", other}, {"arm.bin", arm_buffer()}});
    expect_tip(friend_id + ":lean", "t=1", -1, 1);
    expect_tip("slide", "t=1&layer=" + friend_id + ":lean@1", 1, 1);
    const auto query = fmt::format("clip={}:lean&t=1&w=32&h=32&format=png", friend_id);
    const auto own = get(port(), path("/render?clip=bend&t=1&w=32&h=32&format=png"));
    const auto lent = get(port(), path("/render?" + query));
    EXPECT_EQ(lent.status, 200) << lent.body;
    EXPECT_EQ(lent.body, own.body);
    const auto revision = get(port(), "/readyz").json().at("imageRevision").to_number<unsigned>();
    const auto versioned = get(port(), path(fmt::format("/versions/1/render?{}&rev={}", query, revision)));
    EXPECT_EQ(versioned.header("cache-control"), "no-cache") << "the other asset may change";
    expect_rejected("clip=" + friend_id + ":none-such", 404, "no_clip");
    expect_rejected("clip=nobody:lean", 404, "no_clip");
    const auto stranger = import_asset(port(), {{"still.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}});
    const auto rejected = get(port(), fmt::format("/v1/assets/{}/render?clip={}:lean", stranger, friend_id));
    EXPECT_EQ(rejected.status, 422) << rejected.body;
    EXPECT_NE(rejected.body.find("clip_does_not_fit"), std::string::npos);
}

TEST_F(HttpLayers, ImagesMeshesAndSequencesShowThem)
{
    const auto image = [&](const std::string& query) {
        const auto reply =
            get(port(), path("/render?w=48&h=48&view=0,0,9&light=reference&format=png&" + query));
        EXPECT_EQ(reply.status, 200) << reply.body;
        return reply;
    };
    const auto turned = image("turn=arm:0,0,90");
    EXPECT_EQ(image("turn=1:0.0,0,90").header("etag"), turned.header("etag")) << "one animation";
    EXPECT_NE(turned.body, image("").body);
    EXPECT_NE(turned.header("etag"), image("turn=arm:0,0,91").header("etag"));
    EXPECT_TRUE(image("clip=bend&t=1&target=0,1,0").body == image("layer=bend@1&target=0,1,0").body);
    const auto mesh = [&](const std::string& query) { return get(port(), path("/mesh?" + query)).body; };
    EXPECT_EQ(mesh("clip=bend&t=1"), mesh("turn=arm:0,0,90"));
    EXPECT_NE(mesh("clip=bend&t=1"), mesh("clip=bend&t=0"));
    const auto sheet = [&](const std::string& query) {
        const auto reply = get(port(), path("/sprite?frames=4&size=32&" + query));
        EXPECT_EQ(reply.status, 200) << reply.body;
        return reply.body;
    };
    EXPECT_NE(sheet("clip=slide"), sheet("clip=slide&layer=bend"));
    const auto manifest = get(port(), path("/sprite/manifest?frames=4&layer=bend@x0.5")).json();
    EXPECT_DOUBLE_EQ(manifest.at("duration").to_number<double>(), 2.0);
    EXPECT_EQ(get(port(), path("/turntable?frames=4&size=32&turn=arm:0,0,90")).status, 200);
    const auto pick = get(port(), path("/pick?w=48&h=48&x=24&y=24&view=front&turn=arm:0,0,30"));
    EXPECT_EQ(pick.status, 200) << pick.body;
}

// The rig with a triangle that follows its hips.
std::string humanoid_glb(const HumanoidRig& rig, bool has_clips)
{
    auto scene = make_humanoid(rig);
    if (!has_clips) scene.clips.clear();
    scene::Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    mesh.indices = {0, 1, 2};
    mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    mesh.primitives = {{.count = 3, .material = 0}};
    scene.materials.resize(1);
    mesh.influences = {.first = {0, 1, 2, 3}, .joints = {0, 0, 0}, .weights = {1, 1, 1}, .positions = {}};
    scene.meshes = {std::move(mesh)};
    scene.nodes.push_back({.name = "body", .mesh = 0, .skin = 0});
    const auto bytes = exporting::write_glb(scene);
    EXPECT_TRUE(bytes);
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

TEST_F(HttpLayers, HumanoidsPlayClipsOfOtherRigs)
{
    const auto dancer =
        import_asset(port(), {{"dancer.glb", humanoid_glb({.names = NamingStyle::mixamo}, true)}});
    const auto hero = import_asset(
        port(), {{"hero.glb", humanoid_glb({.names = NamingStyle::unreal, .axes_seed = 3}, false)}});
    const auto skeleton = get(port(), fmt::format("/v1/assets/{}/skeleton", hero)).json();
    EXPECT_EQ(skeleton.at_pointer("/joints/0/role"), "hips");
    EXPECT_EQ(skeleton.at_pointer("/joints/1/role"), "spine");
    const auto list = [](const std::string& asset, const std::string& rest) {
        const auto reply = get(port(), fmt::format("/v1/assets/{}/{}", asset, rest));
        EXPECT_EQ(reply.status, 200) << reply.body;
        return json::parse(reply.body);
    };
    const auto clips = list(hero, "fitting-clips?limit=4");
    ASSERT_EQ(clips.at("items").as_array().size(), 4u);
    const auto& best = clips.at("items").as_array().front();
    EXPECT_EQ(best.at_pointer("/asset/id"), json::string(dancer));
    EXPECT_EQ(best.at_pointer("/clip/name"), "idle");
    EXPECT_EQ(best.at("by"), "role");
    EXPECT_GT(best.at("fit").to_number<double>(), 0.95);
    EXPECT_EQ(clips.at("next"), "4");
    const auto rest = list(hero, "fitting-clips?limit=500&cursor=4").at("items").as_array();
    EXPECT_EQ(rest.size(), 6u) << "clips of the arm and of the fish do not fit";
    const auto characters = list(dancer, "fitting-characters?clip=1").at("items").as_array();
    ASSERT_EQ(characters.size(), 1u);
    EXPECT_EQ(characters.front().at_pointer("/asset/id"), json::string(hero));
    auto nod = std::string(arm_gltf);
    nod.replace(nod.find("bend"), 4, "nods");
    const auto nodder = import_asset(port(), {{"nod.gltf", nod}, {"arm.bin", arm_buffer()}});
    const auto by_name = list(nodder, "fitting-clips?limit=1").at("items").as_array();
    ASSERT_EQ(by_name.size(), 1u);
    EXPECT_EQ(by_name.front().at("by"), "name");
    EXPECT_EQ(by_name.front().at("fit").to_number<double>(), 1.0);
    const auto pose = list(hero, fmt::format("clips/{}:walk/pose?t=1&space=model&joint=head", dancer));
    const auto own = list(dancer, "clips/walk/pose?t=1&space=model&joint=mixamorig:Head");
    for (const auto row : {12u, 13u, 14u})
        EXPECT_NEAR(pose.at_pointer("/poses/0/nodes/0/matrix").as_array()[row].to_number<double>(),
                    own.at_pointer("/poses/0/nodes/0/matrix").as_array()[row].to_number<double>(), 1e-3);
}

TEST_F(HttpLayers, ListsOfFittingClipsRejectOtherCursorsAndAssets)
{
    EXPECT_EQ(get(port(), path("/fitting-clips?cursor=x")).status, 400);
    EXPECT_EQ(get(port(), "/v1/assets/nobody/fitting-clips").status, 404);
}

TEST_F(HttpLayers, ClipsHaveFacts)
{
    const auto reply = get(port(), path("/clips/slide/facts"));
    ASSERT_EQ(reply.status, 200) << reply.body;
    const auto facts = json::parse(reply.body);
    EXPECT_EQ(facts.at("root").at("name"), "root");
    EXPECT_NEAR(facts.at("rootSpeed").to_number<double>(), 2.0, 1e-5);
    EXPECT_EQ(facts.at("inPlace"), false);
    EXPECT_EQ(get(port(), path("/clips/slide/facts"), {{"If-None-Match", reply.header("etag")}}).status, 304);
    EXPECT_EQ(get(port(), path("/clips/none-such/facts")).status, 404);
}

TEST_F(HttpLayers, SaysWhatIsWrong)
{
    expect_rejected("layer=run", 404, "no_clip");
    expect_rejected("layer=bend*2", 400, "needs a weight from 0 to 1, or !add");
    expect_rejected("layer=bend~tail", 400, "there is no joint 'tail'");
    expect_rejected("turn=tail:1,2,3", 400, "there is no joint 'tail'");
    expect_rejected("move=arm:1,2", 400, "'arm:1,2' is not JOINT:x,y,z");
    std::string many;
    for (int i = 0; i < 33; ++i)
        many += "&layer=bend";
    expect_rejected(many.substr(1), 400, "more than 32 layers");
}

} // namespace
} // namespace vitrine::test
