// Assets attached to joints, limbs that reach for a point, skinning methods, and motions of layers in exports
// and bounds, over REST.

#include <boost/json/parse.hpp>

#include "tests/integration/http_fixture.hpp"
#include "tests/support/arm_model.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

class HttpAttach : public Http {
protected:
    static void SetUpTestSuite()
    {
        Http::SetUpTestSuite();
        id = import_asset(port(), {{"arm.gltf", std::string(arm_gltf)}, {"arm.bin", arm_buffer()}});
        blade = import_blade("0.25");
        ASSERT_FALSE(id.empty());
        ASSERT_FALSE(blade.empty());
    }
    static std::string import_blade(const std::string& width)
    {
        return import_asset(
            port(), {{"blade.obj", "v 0 0 0\nv " + width + " 0 0\nv 0 3 0\nv 0 3 1\nf 1 2 3\nf 1 3 4\n"}});
    }
    static std::string path(std::string_view rest) { return fmt::format("/v1/assets/{}{}", id, rest); }
    static Reply read(const std::string& rest, int status = 200)
    {
        auto reply = get(port(), path(rest));
        EXPECT_EQ(reply.status, status) << rest << " " << reply.body.substr(0, 500);
        return reply;
    }
    static void expect_position(const std::string& query, double x, double y, double z)
    {
        SCOPED_TRACE(query);
        const auto document = json::parse(read("/clips/none/pose?space=model&" + query).body);
        const auto& matrix = document.at_pointer("/poses/0/nodes/0/matrix").as_array();
        EXPECT_NEAR(matrix[12].to_number<double>(), x, 1e-5);
        EXPECT_NEAR(matrix[13].to_number<double>(), y, 1e-5);
        EXPECT_NEAR(matrix[14].to_number<double>(), z, 1e-5);
    }
    static void expect_rejected(const std::string& rest, int status, std::string_view words)
    {
        const auto reply = read(rest, status);
        EXPECT_NE(reply.body.find(words), std::string::npos) << reply.body;
    }
    static inline std::string id, blade;
};

TEST_F(HttpAttach, AttachmentsFollowTheirJoint)
{
    const auto attach = "attach=" + blade + "@arm:0,0.5,0";
    expect_position("joint=3&" + attach, 0, 1.5, 0);
    expect_position("joint=3&turn=arm:0,0,90&" + attach, -0.5, 1, 0);
    expect_position("joint=3&" + attach + "&turn=3:0,0,90&move=arm:1,0,0", 1, 1.5, 0);
    // The arm and the root reach with the blade: 0.5 m and 1 m long.
    expect_position("joint=3&" + attach + "&reach=3:0.8,0.9,0", 0.8, 0.9, 0);
    expect_position("joint=3&" + attach + "&reach=3:0,0,99", 0, 0, 1.5);
}

TEST_F(HttpAttach, ImagesMeshesAndExportsShowThem)
{
    const auto attach = "attach=" + blade + "@arm";
    const auto image = "/render?w=48&h=48&view=0,0,9&target=0,1,0&light=reference&format=png";
    const auto with = read(image + ("&" + attach)), without = read(image);
    EXPECT_NE(with.body, without.body);
    EXPECT_NE(with.header("etag"), without.header("etag"));
    EXPECT_EQ(with.header("etag"), read(image + ("&attach=" + blade + "@1:0.0,0,0")).header("etag"))
        << "one place";
    EXPECT_NE(with.header("etag"), read(image + ("&attach=" + blade + "@1:0,0,1")).header("etag"));
    const auto vertices = [&](const std::string& query) {
        const auto obj = read("/mesh?" + query).body;
        std::size_t count = 0;
        for (std::size_t at = obj.find("\nv "); at != std::string::npos; at = obj.find("\nv ", at + 1))
            ++count;
        return count;
    };
    EXPECT_GE(vertices(attach), vertices("format=obj") + 4);
    EXPECT_NE(read("/export.glb?" + attach).body.find("blade"), std::string::npos);
    EXPECT_EQ(read("/sprite?frames=4&size=32&clip=bend&" + attach).status, 200);
    const auto pick = read("/pick?w=48&h=48&x=24&y=4&view=0,0,9&target=0,3,0&" + attach);
    EXPECT_NE(pick.body.find("\"hit\""), std::string::npos);
    const auto revision = get(port(), "/readyz").json().at("imageRevision").to_number<unsigned>();
    const auto versioned = read(fmt::format("/versions/1/render?w=16&h=16&{}&rev={}", attach, revision));
    EXPECT_EQ(versioned.header("cache-control"), "no-cache") << "the other asset may change";
    const auto plain = read(fmt::format("/versions/1/render?w=16&h=16&skinning=linear&rev={}", revision));
    EXPECT_NE(plain.header("cache-control").find("immutable"), std::string::npos);
}

TEST_F(HttpAttach, SkinningMethodsAreImagesOfTheirOwn)
{
    const auto tag = [&](const std::string& query) {
        return read("/render?w=16&h=16&format=png" + query).header("etag");
    };
    EXPECT_NE(tag("&skinning=dual_quaternion"), tag("&skinning=linear"));
    EXPECT_EQ(tag("&skinning=linear"), tag("&skinning=linear"));
    read("/mesh?clip=bend&t=0.5&skinning=blended");
    expect_rejected("/render?skinning=cubic", 400, "must be one of linear, dual_quaternion, blended");
    expect_rejected("/clips/bend/pose?skinning=linear", 400, "is not a parameter of this route");
}

TEST_F(HttpAttach, ADeletedAttachmentIsGoneAtOnce)
{
    const auto lent = import_blade("0.75");
    const auto query = "/render?w=16&h=16&format=png&attach=" + lent + "@arm";
    read(query);
    read(query); // from the cache of responses
    EXPECT_EQ(fetch(port(), "DELETE", "/v1/assets/" + lent).status, 204);
    expect_rejected(query, 404, "There is no asset " + lent + " to attach.");
}

TEST_F(HttpAttach, ExportsHaveTheMotionOfLayers)
{
    const auto clips = [&](const std::string& query) {
        const auto glb = read("/export.glb" + query).body;
        const auto begin = glb.find("\"animations\"");
        return begin == std::string::npos ? std::string() : glb.substr(begin, 2000);
    };
    EXPECT_NE(clips("").find("bend"), std::string::npos);
    const auto layered = clips("?clip=bend&layer=slide");
    EXPECT_NE(layered.find("layers"), std::string::npos);
    EXPECT_EQ(layered.find("\"bend\""), std::string::npos);
    EXPECT_EQ(clips("?turn=arm:0,0,90"), "") << "a constant pose";
    EXPECT_NE(read("/export.glb?turn=arm:0,0,90").header("etag"), read("/export.glb").header("etag"));
}

TEST_F(HttpAttach, BoundsOfLayers)
{
    const auto max_x = [&](const std::string& rest) {
        return json::parse(read(rest).body).at_pointer("/exact/max").as_array()[0].to_number<double>();
    };
    EXPECT_NEAR(max_x("/clips/slide/bounds"), 3.0, 1e-5);
    EXPECT_NEAR(max_x("/clips/slide/bounds?move=root:1,0,0"), 4.0, 1e-5);
    EXPECT_NEAR(max_x("/clips/slide/bounds?layer=slide@0"), 1.0, 1e-5);
    EXPECT_NEAR(max_x("/clips/none/bounds?layer=slide@0.5&from=0&to=0"), 2.0, 1e-5);
    EXPECT_NEAR(max_x("/clips/slide/bounds?layer=slide@x0.5&to=0.5"), 1.5, 1e-5);
    expect_rejected("/clips/none/bounds", 404, "no_clip");
}

TEST_F(HttpAttach, SaysWhatIsWrong)
{
    expect_rejected("/render?attach=arm", 400, "is not ASSET@JOINT");
    expect_rejected("/render?attach=" + blade + "@tail", 400, "there is no joint 'tail'");
    expect_rejected("/render?attach=nobody@arm", 404, "There is no asset nobody to attach.");
    expect_rejected("/render?attach=" + blade + "@arm:nan,0,0", 400, "is not ASSET@JOINT");
    expect_rejected("/render?reach=arm:1,2,3", 400, "has no two joints above it");
    expect_rejected("/render?reach=tail:1,2,3", 400, "there is no joint 'tail'");
    expect_rejected("/render?reach=arm:1e300,0,0", 400, "is not JOINT:x,y,z");
    std::string many;
    for (int i = 0; i < 17; ++i)
        many += "&attach=" + blade + "@arm";
    expect_rejected("/render?" + many.substr(1), 400, "more than 16 assets are attached");
    read("/render?w=16&h=16&" + many.substr(many.find('&', 1) + 1));
    expect_rejected("/export.glb?layer=bend@x1e-3&layer=nothing", 404, "no_clip");
    expect_rejected("/clips/none/bounds?layer=bend@x-0.001", 200, "c0");
}

} // namespace
} // namespace vitrine::test
