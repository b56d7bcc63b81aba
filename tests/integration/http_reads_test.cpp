// REST reads of one imported model: images, rig and files.

#include <algorithm>
#include <cstring>
#include <tuple>

#include "loaders/images/image.hpp"
#include "tests/integration/http_fixture.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

// Returns the image's size; 0 x 0 when it cannot be decoded.
std::pair<std::uint32_t, std::uint32_t> picture_size(const std::string& bytes)
{
    auto image = images::decode_image(std::as_bytes(std::span(bytes)), "", Limits{});
    return image ? std::pair(image->width, image->height) : std::pair(0u, 0u);
}

} // namespace

TEST_F(Http, HealthReadinessMetrics)
{
    EXPECT_EQ(get(port(), "/healthz").body, "ok\n");
    auto ready = get(port(), "/readyz");
    EXPECT_EQ(ready.status, 200) << ready.body;
    EXPECT_TRUE(ready.json().at("device").at("software").as_bool());
    auto metrics = get(port(), "/metrics");
    EXPECT_NE(metrics.body.find("vitrine_http_requests_total{"), std::string::npos);
    EXPECT_EQ(get(port(), "/").status, 200);
    EXPECT_EQ(get(port(), "/docs/api").status, 200);
    EXPECT_NE(get(port(), "/docs").body.find("href=\"/docs/api\""), std::string::npos);
}

TEST_F(Http, ImagesDecodeAndAreRevalidated)
{
    auto thumbnail = get(port(), asset_path("/thumbnail?size=128"));
    ASSERT_EQ(thumbnail.status, 200) << thumbnail.body;
    EXPECT_EQ(picture_size(thumbnail.body), std::pair(128u, 128u));
    for (auto [format, type] :
         {std::pair{"png", "image/png"}, {"jpeg", "image/jpeg"}, {"webp", "image/webp"}}) {
        auto path = asset_path(fmt::format("/render?w=96&h=64&view=30,10&clip=0&t=0.25&format={}", format));
        auto picture = get(port(), path);
        ASSERT_EQ(picture.status, 200) << picture.body;
        EXPECT_EQ(picture.header("content-type"), type);
        EXPECT_EQ(picture_size(picture.body), std::pair(96u, 64u));
        auto etag = picture.header("etag");
        EXPECT_TRUE(etag.starts_with('"')) << etag;
        EXPECT_EQ(get(port(), path, {{"If-None-Match", etag}}).status, 304);
        EXPECT_EQ(get(port(), path, {{"If-None-Match", "\"other\""}}).status, 200);
    }
}

TEST_F(Http, FormatOfAnImageIsNegotiated)
{
    auto negotiated = get(port(), asset_path("/render?w=32&h=32"), {{"Accept", "image/webp,image/*;q=0.5"}});
    EXPECT_EQ(negotiated.header("content-type"), "image/webp");
    EXPECT_EQ(negotiated.header("vary"), "Accept");
    for (auto [accept, type] :
         {std::pair{"image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", "image/webp"},
          {"image/jpeg", "image/jpeg"},
          {"image/png, image/webp;q=0.5", "image/png"},
          {"*/*", "image/webp"}}) {
        auto reply = get(port(), asset_path("/thumbnail?size=64"), {{"Accept", accept}});
        EXPECT_EQ(reply.header("content-type"), type) << accept;
        EXPECT_EQ(reply.header("vary"), "Accept");
        EXPECT_EQ(picture_size(reply.body), std::pair(64u, 64u)) << accept;
    }
    EXPECT_EQ(get(port(), asset_path("/thumbnail"), {{"Accept", "text/html"}}).status, 406);
    EXPECT_EQ(get(port(), asset_path("/render"), {{"Accept", "text/html"}}).status, 406);
}

TEST_F(Http, ImagesOfVersionsAndSequences)
{
    const auto revision = get(port(), "/readyz").json().at("imageRevision").to_number<unsigned>();
    const auto revised = [&](unsigned rev) {
        const auto query = "/versions/1/render?w=32&h=32&format=png&rev=" + std::to_string(rev);
        return get(port(), asset_path(query)).header("cache-control");
    };
    EXPECT_NE(revised(revision).find("immutable"), std::string::npos);
    EXPECT_EQ(revised(revision + 1).find("immutable"), std::string::npos);
    EXPECT_EQ(get(port(), asset_path("/versions/2/render")).status, 404);
    auto sheet = get(port(), asset_path("/sprite?frames=4&size=48&format=png"));
    auto manifest = get(port(), asset_path("/sprite/manifest?frames=4&size=48&format=png")).json();
    auto [width, height] = picture_size(sheet.body);
    EXPECT_EQ(width, 48 * manifest.at("columns").to_number<unsigned>());
    EXPECT_EQ(height, 48 * manifest.at("rows").to_number<unsigned>());
    EXPECT_EQ(get(port(), asset_path("/turntable?frames=3&size=32")).header("content-type"), "image/webp");
}

TEST_F(Http, ReturnsTheRigAsData)
{
    auto joints = get(port(), asset_path("/skeleton")).json().at("joints").as_array().size();
    EXPECT_GT(joints, 3u);
    auto clips = get(port(), asset_path("/clips")).json();
    auto clip = text_at(clips, "/items/0/id");
    auto name = text_at(clips, "/items/0/name");
    EXPECT_EQ(get(port(), asset_path("/clips/" + clip)).json().at("name").as_string(), name);
    auto poses = get(port(), asset_path("/clips/" + clip + "/pose?t=0,0.1,0.2&space=model")).json();
    EXPECT_EQ(poses.at("poses").as_array().size(), 3u);
    auto nodes = poses.at_pointer("/poses/0/nodes").as_array().size();
    auto packed = get(port(), asset_path("/clips/" + clip + "/pose?from=0&to=0.2&step=0.1&space=model"),
                      {{"Accept", "application/octet-stream"}});
    ASSERT_EQ(packed.body.size(), 3 * nodes * 16 * sizeof(float));
    float translation = 0;
    std::memcpy(&translation, packed.body.data() + (nodes * 16 + 12) * sizeof(float),
                sizeof(float)); // second pose, first node
    EXPECT_FLOAT_EQ(translation, poses.at_pointer("/poses/1/nodes/0/matrix/12").to_number<float>());
    for (auto t : {"0/0.2/0.1", "0%2F0.2%2F0.1"}) {
        auto series = get(port(), asset_path(fmt::format("/clips/{}/pose?t={}&space=model", clip, t)));
        ASSERT_EQ(series.status, 200) << series.body;
        EXPECT_EQ(series.json().at("poses"), poses.at("poses")) << t;
    }
    auto tracks = get(port(), asset_path("/clips/0/tracks")).json();
    EXPECT_FALSE(tracks.at("tracks").as_array().empty());
    EXPECT_EQ(text_at(tracks, "/tracks/0/after/mode"), "hold");
    EXPECT_TRUE(tracks.at_pointer("/tracks/0/before/repeats").is_null());
    auto joint = text_at(tracks, "/tracks/0/name");
    auto filtered = get(port(), asset_path("/clips/0/tracks?joint=" + joint)).json();
    EXPECT_LT(filtered.at("tracks").as_array().size(), tracks.at("tracks").as_array().size());
    EXPECT_TRUE(get(port(), asset_path("/bounds")).json().at("static").is_object());
    for (auto per : {"clip", "frame", "joint", "mesh"}) {
        auto reply = get(port(), asset_path(fmt::format("/clips/0/bounds?per={}&from=0&to=0.3", per)));
        EXPECT_EQ(reply.status, 200) << per << reply.body;
    }
    EXPECT_TRUE(get(port(), asset_path("/mesh?clip=0&t=0.1")).body.find("\nv ") != std::string::npos);
    EXPECT_TRUE(get(port(), asset_path("/mesh?format=ply")).body.starts_with("ply"));
    EXPECT_EQ(get(port(), asset_path("/mesh?clip=none")).body, get(port(), asset_path("/mesh")).body);
}

TEST_F(Http, BoundsOfTheStaticPosePerJointAndMesh)
{
    auto whole = get(port(), asset_path("/bounds")).json();
    EXPECT_EQ(get(port(), asset_path("/bounds?per=clip")).json(), whole);
    auto corner = [](const json::value& box, std::string_view name, std::size_t axis) {
        return box.at(name).at(axis).to_number<double>();
    };
    for (auto [per, list, box] :
         {std::tuple{"mesh", "meshes", "exact"}, {"joint", "joints", "conservative"}}) {
        auto path = asset_path(fmt::format("/bounds?per={}", per));
        auto reply = get(port(), path);
        ASSERT_EQ(reply.status, 200) << reply.body;
        auto value = reply.json();
        EXPECT_EQ(value.at("static"), whole.at("static"));
        const auto& rows = value.at(list).as_array();
        ASSERT_FALSE(rows.empty());
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double low = 1e9;
            double high = -1e9;
            for (const auto& row : rows) {
                low = std::min(low, corner(row.at(box), "min", axis));
                high = std::max(high, corner(row.at(box), "max", axis));
            }
            EXPECT_LE(low, corner(whole.at("static"), "min", axis) + 1e-5) << per;
            EXPECT_GE(high, corner(whole.at("static"), "max", axis) - 1e-5) << per;
        }
        EXPECT_EQ(get(port(), path, {{"If-None-Match", reply.header("etag")}}).status, 304);
        EXPECT_NE(reply.header("etag"), get(port(), asset_path("/bounds")).header("etag"));
    }
    auto meshes = get(port(), asset_path("/bounds?per=mesh")).json();
    if (meshes.at("meshes").as_array().size() == 1)
        EXPECT_EQ(meshes.at("meshes").at(0).at("exact"), whole.at("static"));
}

TEST_F(Http, ExportsTheModelAsGlb)
{
    auto reply = get(port(), asset_path("/export.glb"));
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.header("content-type"), "model/gltf-binary");
    EXPECT_NE(reply.header("content-disposition").find("koi.glb"), std::string::npos);
    ASSERT_TRUE(reply.body.starts_with("glTF"));
    std::uint32_t length = 0;
    std::memcpy(&length, reply.body.data() + 8, sizeof(length));
    EXPECT_EQ(length, reply.body.size());
    EXPECT_TRUE(get(port(), asset_path("/export.glb")).body == reply.body);
    EXPECT_EQ(get(port(), asset_path("/export.glb"), {{"If-None-Match", reply.header("etag")}}).status, 304);
    EXPECT_EQ(get(port(), asset_path("/versions/1/export.glb")).status, 200);
    EXPECT_EQ(get(port(), asset_path("/export.glb?frames=2")).status, 400);
    // Importing the export gives the same model.
    auto copy = import_asset(port(), {{"copy.glb", reply.body}});
    ASSERT_FALSE(copy.empty());
    auto counts = get(port(), asset_path("")).json().at("counts");
    auto copied = get(port(), "/v1/assets/" + copy).json().at("counts");
    for (auto member : {"meshes", "triangles", "joints", "clips", "materials", "images"})
        EXPECT_EQ(copied.at(member), counts.at(member)) << member;
}

TEST_F(Http, FilesWithRanges)
{
    auto list = get(port(), asset_path("/files")).json();
    auto original = koi_glb();
    auto path = text_at(list, "/items/0/url");
    auto whole = get(port(), path);
    EXPECT_TRUE(whole.body == original.bytes);
    auto part = get(port(), path, {{"Range", "bytes=4-11"}});
    EXPECT_EQ(part.status, 206);
    EXPECT_EQ(part.body, original.bytes.substr(4, 8));
    EXPECT_EQ(part.header("content-range"), fmt::format("bytes 4-11/{}", original.bytes.size()));
    EXPECT_EQ(get(port(), path, {{"Range", "bytes=999999999-"}}).status, 416);
    EXPECT_EQ(get(port(), path, {{"Range", "bytes=0-3"}, {"If-Range", "\"old\""}}).status, 200);
    EXPECT_EQ(get(port(), path, {{"If-None-Match", whole.header("etag")}}).status, 304);
    auto head = fetch(port(), "HEAD", path);
    EXPECT_EQ(head.header("content-length"), std::to_string(original.bytes.size()));
}

TEST_F(Http, RejectsWeightsOfAnUnknownJoint)
{
    const auto reply = get(port(), asset_path("/render?overlay=weights:nobody"));
    EXPECT_EQ(reply.status, 400);
    EXPECT_NE(reply.body.find("there is no joint 'nobody'"), std::string::npos) << reply.body;
}

TEST_F(Http, PickReportsTheSurface)
{
    const auto pick = [](const std::string& query) {
        auto reply = get(port(), asset_path("/pick?w=200&h=100&view=side" + query));
        EXPECT_EQ(reply.status, 200) << reply.body;
        return reply.json().at("hit");
    };
    const auto middle = pick("&x=100&y=50&clip=0&t=0.2");
    ASSERT_TRUE(middle.is_object());
    const auto joints = get(port(), asset_path("/skeleton")).json().at("joints").as_array();
    const auto known = std::ranges::find_if(joints, [&](const auto& joint) {
        return joint.at("node") == middle.at_pointer("/joint/node") &&
               joint.at("name") == middle.at_pointer("/joint/name");
    });
    EXPECT_NE(known, joints.end());
    EXPECT_GT(middle.at_pointer("/joint/weight").to_number<double>(), 0.0);
    EXPECT_GT(middle.at("distance").to_number<double>(), 0.0);
    EXPECT_TRUE(pick("&x=0&y=0").is_null()) << "the background";
    const auto versioned = get(port(), asset_path("/versions/1/pick?w=200&h=100&view=side&x=100&y=50"));
    EXPECT_TRUE(versioned.json().at("hit").is_object()) << versioned.body;
}

// Queries below an asset's path and the parameter that is rejected.
constexpr std::pair<std::string_view, std::string_view> rejected_queries[]{
    {"/render?w=0", "w"},
    {"/render?w=1e3", "w"},
    {"/render?w=99999999999999999999", "w"},
    {"/render?t=nan", "t"},
    {"/render?t=inf", "t"},
    {"/render?view=up", "view"},
    {"/render?background=blue", "background"},
    {"/render?overlay=glow", "overlay"},
    {"/render?crowd=10001", "crowd"},
    {"/render?ghosts=17", "ghosts"},
    {"/render?format=gif", "format"},
    {"/render?color=1", "color"},
    {"/render?w=1&w=2", "w"},
    {"/render?fov=0", "fov"},
    {"/render?target=1,2", "target"},
    {"/pick?y=1", "x"},
    {"/pick?x=1&y=512", "y"},
    {"/pick?x=-1&y=1", "x"},
    {"/pick?x=1&y=1&w=0", "w"},
    {"/pick?x=1&y=1&overlay=glow", "overlay"},
    {"/thumbnail?size=0", "size"},
    {"/skeleton?x=1", "x"},
    {"/clips/0/pose?t=1,x", "t"},
    {"/clips/0/pose?t=0/1", "t"},
    {"/clips/0/pose?t=0/1/0", "t"},
    {"/clips/0/pose?t=1/0/0.1", "t"},
    {"/clips/0/pose?t=0/1/-1", "t"},
    {"/clips/0/pose?t=0/1/0.1/2", "t"},
    {"/clips/0/pose?t=0/nan/1", "t"},
    {"/clips/0/pose?t=0/900000/0.00001", "t"},
    {"/clips/0/pose?t=0/1e300/1", "t"},
    {"/clips/0/pose?t=0/1/0.1&to=2", "t"},
    {"/clips/0/pose?from=1&to=0", "to"},
    {"/clips/0/pose?from=0&to=1&step=0", "step"},
    {"/clips/0/pose?from=0&to=900000&step=0.00001", "step"},
    {"/clips/0/pose?joint=nobody", "joint"},
    {"/clips/0/bounds?per=tooth", "per"},
    {"/bounds?per=frame", "per"},
    {"/bounds?per=mesh&from=0", "from"},
    {"/sprite?frames=0", "frames"},
    {"/sprite?frames=121", "frames"},
    {"/sprite/manifest?frames=121", "frames"},
    {"/animation?frames=121", "frames"},
    {"/turntable?frames=121", "frames"},
    {"/turntable?crowd=0", "crowd"}};

TEST_F(Http, RejectedQueriesNameTheParameter)
{
    for (const auto& [path, name] : rejected_queries) {
        auto reply = get(port(), asset_path(path));
        EXPECT_EQ(reply.status, 400) << path << " " << reply.body;
        EXPECT_EQ(reply.header("content-type"), "application/problem+json");
        EXPECT_EQ(text_at(reply.json(), "/errors/0/pointer"), fmt::format("/query/{}", name)) << path;
        EXPECT_EQ(text_at(reply.json(), "/requestId"), reply.header("x-request-id"));
    }
    EXPECT_EQ(get(port(), asset_path("/clips/99")).status, 404);
    EXPECT_EQ(get(port(), "/v1/assets/as_nobody").status, 404);
    EXPECT_EQ(get(port(), "/v1/assets?triangles.min=-1").status, 400);
}

} // namespace vitrine::test
