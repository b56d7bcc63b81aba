// The REST API of the real program: one server, one imported model, every route.

#include <cstring>
#include <set>
#include <thread>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/openapi.hpp"
#include "loaders/images/image.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/support/zip_builder.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

class Http : public ::testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new TempDir;
        server = new ServerProcess(folder->path() / "data");
        ASSERT_NE(server->port(), 0) << "the server did not start: " << server->line();
        koi = import_asset(server->port(), {koi_glb()});
        ASSERT_FALSE(koi.empty());
    }
    static void TearDownTestSuite()
    {
        delete server;
        delete folder;
    }

    static int port() { return server->port(); }
    static std::string asset_path(std::string_view rest) { return fmt::format("/v1/assets/{}{}", koi, rest); }

    static TempDir* folder;
    static ServerProcess* server;
    static std::string koi; // an imported asset with a clip
};
TempDir* Http::folder = nullptr;
ServerProcess* Http::server = nullptr;
std::string Http::koi;

// The picture's size; 0 x 0 when it does not decode.
std::pair<std::uint32_t, std::uint32_t> picture_size(const std::string& bytes)
{
    auto image = images::decode_image(std::as_bytes(std::span(bytes)), "", Limits{});
    return image ? std::pair(image->width, image->height) : std::pair(0u, 0u);
}

// Members that the contract's schema for this answer demands and that are not there, and so on inward.
std::string missing_members(const json::value& contract, const json::value& schema, const json::value& value,
                            const std::string& at)
{
    if (auto reference = schema.as_object().if_contains("$ref")) {
        auto pointer = std::string(reference->as_string()).substr(1);
        return missing_members(contract, contract.at_pointer(pointer), value, at);
    }
    std::string missing;
    const auto& object = schema.as_object();
    if (value.is_object()) {
        if (auto required = object.if_contains("required")) {
            for (const auto& name : required->as_array()) {
                if (!value.as_object().contains(name.as_string()))
                    missing += at + "/" + std::string(name.as_string()) + " ";
            }
        }
        auto properties = object.if_contains("properties");
        for (const auto& member : value.as_object()) {
            auto inner = properties ? properties->as_object().if_contains(member.key()) : nullptr;
            if (inner)
                missing +=
                    missing_members(contract, *inner, member.value(), at + "/" + std::string(member.key()));
        }
    }
    auto items = object.if_contains("items");
    if (value.is_array() && items) {
        for (const auto& element : value.as_array())
            missing += missing_members(contract, *items, element, at + "/*");
    }
    return missing;
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

TEST_F(Http, PicturesDecodeAndAreRevalidated)
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
    auto immutable = get(port(), asset_path("/versions/1/render?w=32&h=32&format=png&rev=1"));
    EXPECT_NE(immutable.header("cache-control").find("immutable"), std::string::npos);
    EXPECT_EQ(get(port(), asset_path("/versions/2/render")).status, 404);
    auto sheet = get(port(), asset_path("/sprite?frames=4&size=48&format=png"));
    auto manifest = get(port(), asset_path("/sprite/manifest?frames=4&size=48&format=png")).json();
    auto [width, height] = picture_size(sheet.body);
    EXPECT_EQ(width, 48 * manifest.at("columns").to_number<unsigned>());
    EXPECT_EQ(height, 48 * manifest.at("rows").to_number<unsigned>());
    EXPECT_EQ(get(port(), asset_path("/turntable?frames=3&size=32")).header("content-type"), "image/webp");
}

TEST_F(Http, TheRigAsData)
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

TEST_F(Http, ListRenameTrashRestore)
{
    auto id = import_asset(port(), {vase_glb()});
    ASSERT_FALSE(id.empty());
    auto path = "/v1/assets/" + id;
    auto etag = get(port(), path).header("etag");
    Fields json_body{{"Content-Type", "application/json"}, {"If-Match", etag}};
    auto renamed = fetch(port(), "PATCH", path, json_body, R"({"name":"花瓶"})");
    EXPECT_EQ(renamed.status, 200) << renamed.body;
    EXPECT_EQ(fetch(port(), "PATCH", path, json_body, R"({"name":"x"})").status, 412);
    EXPECT_EQ(text_at(get(port(), "/v1/assets?q=%E8%8A%B1").json(), "/items/0/id"), id);
    EXPECT_EQ(fetch(port(), "PATCH", path, {}, "{").status, 400);
    auto wrong = fetch(port(), "PATCH", path, {}, R"({"name":5,"format":"obj"})");
    EXPECT_EQ(wrong.status, 400);
    EXPECT_EQ(text_at(wrong.json(), "/errors/0/pointer"), "/name");
    for (auto name : {R"("a\u0000b")", R"("a\nb")", R"("\u001f")", R"("a\u007f")", R"("")", R"("  ")"}) {
        auto fault = fetch(port(), "PATCH", path, {}, fmt::format(R"({{"name":{}}})", name));
        EXPECT_EQ(fault.status, 400) << name;
        EXPECT_EQ(text_at(fault.json(), "/errors/0/pointer"), "/name") << name;
    }
    auto endless = fetch(port(), "PATCH", path, {}, R"({"name":")" + std::string(256, 'x') + R"("})");
    EXPECT_EQ(text_at(endless.json(), "/errors/0/pointer"), "/name");
    auto padded = fetch(port(), "PATCH", path, {}, R"({"name":" \t花瓶 \n"})");
    EXPECT_EQ(text_at(padded.json(), "/name"), "花瓶");
    EXPECT_EQ(fetch(port(), "PATCH", path, {}, std::string(70'000, ' ')).status, 413);
    EXPECT_EQ(fetch(port(), "DELETE", path).status, 204);
    EXPECT_EQ(get(port(), path).status, 404);
    EXPECT_EQ(get(port(), "/v1/assets?q=%E8%8A%B1").json().at("items").as_array().size(), 0u);
    EXPECT_EQ(fetch(port(), "POST", path + "/restore").status, 200);
    auto first = get(port(), "/v1/assets?limit=1&sort=name");
    EXPECT_NE(first.header("link").find("rel=\"next\""), std::string::npos);
    auto next = first.header("link").substr(1, first.header("link").find('>') - 1);
    auto second = get(port(), next).json();
    EXPECT_NE(text_at(second, "/items/0/id"), text_at(first.json(), "/items/0/id"));
    EXPECT_EQ(get(port(), "/v1/assets?cursor=nonsense").status, 400);
}

TEST_F(Http, AZipBecomesAnAsset)
{
    ZipBuilder zip;
    for (const auto& file : robot_md5())
        zip.add("folder/" + file.name, file.bytes);
    auto reply = fetch(port(), "POST", "/v1/assets?name=robot.zip", {{"Content-Type", "application/zip"}},
                       zip.bytes());
    ASSERT_EQ(reply.status, 201) << reply.body;
    auto job = await_job(port(), text_at(reply.json(), "/items/0/job/id"));
    EXPECT_EQ(text_at(job, "/state"), "succeeded") << json::serialize(job);
    auto asset = get(port(), "/v1/assets/" + text_at(reply.json(), "/items/0/asset/id")).json();
    EXPECT_EQ(text_at(asset, "/format"), "md5");
    auto bad = fetch(port(), "POST", "/v1/assets", {{"Content-Type", "application/zip"}}, "this is no zip");
    EXPECT_EQ(bad.status, 422) << bad.body;
}

TEST_F(Http, ABadFileIsAFailedJobAndStaysDownloadable)
{
    auto bytes = koi_glb().bytes;
    bytes.resize(bytes.size() / 2);
    auto reply = upload(port(), {{"half.glb", bytes}});
    ASSERT_EQ(reply.status, 201) << reply.body;
    auto job = await_job(port(), text_at(reply.json(), "/items/0/job/id"));
    EXPECT_EQ(text_at(job, "/state"), "failed");
    EXPECT_FALSE(text_at(job, "/problem/code").empty());
    EXPECT_FALSE(text_at(job, "/problem/detail").empty());
    auto path = "/v1/assets/" + text_at(reply.json(), "/items/0/asset/id");
    EXPECT_TRUE(get(port(), path + "/files/half.glb").body == bytes);
    EXPECT_EQ(get(port(), path + "/skeleton").status, 409);
    EXPECT_EQ(get(port(), path + "/thumbnail").status, 409);
    EXPECT_EQ(text_at(get(port(), path).json(), "/status"), "failed");
}

TEST_F(Http, UploadsThatAreRefused)
{
    EXPECT_EQ(fetch(port(), "POST", "/v1/assets", {{"Content-Type", "text/plain"}}, "x").status, 415);
    EXPECT_EQ(upload(port(), {{"notes.txt", "hello"}}).status, 422);
    EXPECT_EQ(upload(port(), {{"../..", "hello"}}).status, 422);
    Fields form{{"Content-Type", "multipart/form-data; boundary=B"}};
    EXPECT_EQ(fetch(port(), "POST", "/v1/assets", form, "--B\r\nnonsense").status, 400);
    EXPECT_EQ(fetch(port(), "POST", "/v1/assets", form, "--B--").status, 422);
    Socket socket(port());
    socket.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                "application/zip\r\nContent-Length: 99999999999\r\n\r\n");
    EXPECT_EQ(read_reply(socket).status, 413);
}

TEST_F(Http, EqualUploadsAtOnceMakeOneAsset)
{
    auto file = robot_glb();
    std::vector<Reply> replies(4);
    {
        std::vector<std::jthread> clients;
        for (auto& reply : replies)
            clients.emplace_back([&] { reply = upload(port(), {file}); });
    }
    std::set<std::string> ids;
    int created = 0;
    for (const auto& reply : replies) {
        created += reply.status == 201;
        EXPECT_TRUE(reply.status == 201 || reply.status == 200) << reply.body;
        ids.insert(text_at(reply.json(), "/items/0/asset/id"));
    }
    EXPECT_EQ(ids.size(), 1u);
    EXPECT_EQ(created, 1);
    await_job(port(), text_at(replies[0].json(), "/items/0/job/id"));
}

TEST_F(Http, QueriesThatAreRefusedNameTheParameter)
{
    for (auto [path, name] : {std::pair{"/render?w=0", "w"},
                              {"/render?w=1e3", "w"},
                              {"/render?w=99999999999999999999", "w"},
                              {"/render?t=nan", "t"},
                              {"/render?t=inf", "t"},
                              {"/render?view=up", "view"},
                              {"/render?background=blue", "background"},
                              {"/render?overlay=glow", "overlay"},
                              {"/render?format=gif", "format"},
                              {"/render?colour=1", "colour"},
                              {"/render?w=1&w=2", "w"},
                              {"/render?fov=0", "fov"},
                              {"/render?target=1,2", "target"},
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
                              {"/sprite?frames=0", "frames"},
                              {"/sprite?frames=121", "frames"},
                              {"/sprite/manifest?frames=121", "frames"},
                              {"/turntable?frames=121", "frames"}}) {
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

TEST_F(Http, MethodsAndPaths)
{
    auto options = fetch(port(), "OPTIONS", "/v1/assets");
    EXPECT_EQ(options.status, 204);
    EXPECT_EQ(options.header("allow"), "POST, GET, HEAD, OPTIONS");
    auto refused = fetch(port(), "DELETE", "/v1/assets");
    EXPECT_EQ(refused.status, 405);
    EXPECT_EQ(refused.header("allow"), "POST, GET, HEAD, OPTIONS");
    EXPECT_EQ(text_at(refused.json(), "/requestId"), refused.header("x-request-id"));
    EXPECT_FALSE(refused.header("x-request-id").empty());
    EXPECT_EQ(fetch(port(), "BREW", "/v1/assets").status, 405);
    EXPECT_EQ(get(port(), "/v1/nothing").status, 404);
    for (auto path : {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd",
                      "/assets/..%5c..%5cx.js", "//etc/passwd"}) {
        auto reply = get(port(), path);
        EXPECT_TRUE(reply.status == 404 || reply.status == 400) << path << " " << reply.status;
    }
    for (auto path : {"/files/..%2F..%2Fcatalog.sqlite", "/files/../../../etc/passwd", "/files/%00"}) {
        auto reply = get(port(), asset_path(path));
        EXPECT_TRUE(reply.status == 404 || reply.status == 400) << path << " " << reply.status;
    }
}

TEST_F(Http, OnlyTheOwnNameAndPageMayAsk)
{
    auto with_host = [](std::string_view host) {
        Socket socket(port());
        socket.send(fmt::format("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", host));
        return read_reply(socket).status;
    };
    EXPECT_EQ(with_host("localhost"), 200);
    EXPECT_EQ(with_host("rebound.example"), 421);
    EXPECT_EQ(fetch(port(), "DELETE", asset_path(""), {{"Origin", "http://evil.example"}}).status, 403);
    EXPECT_EQ(get(port(), "/v1/assets", {{"X-Forwarded-For", "1.2.3.4"}}).status, 403);
    auto page = get(port(), "/");
    EXPECT_NE(page.header("content-security-policy").find("default-src 'self'"), std::string::npos);
}

TEST_F(Http, HostileFraming)
{
    auto talk = [](std::string_view bytes) {
        Socket socket(port());
        socket.send(bytes);
        return read_reply(socket).status;
    };
    const std::string get_line = "GET /healthz HTTP/1.1\r\n";
    EXPECT_EQ(talk(get_line + "\r\n"), 400);
    EXPECT_EQ(talk(get_line + "Host: a\r\nHost: localhost\r\n\r\n"), 400);
    EXPECT_EQ(talk(get_line + "Host: localhost\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n"), 431);
    EXPECT_EQ(talk("GET /" + std::string(9'000, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n"), 414);
    EXPECT_EQ(talk("nonsense\r\n\r\n"), 400);
    EXPECT_EQ(talk(get_line +
                   "Host: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              400);
    EXPECT_EQ(talk(get_line + "Host: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), 400);
    EXPECT_EQ(talk(get_line + "Host : localhost\r\n\r\n"), 400);
    EXPECT_EQ(talk("GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
    EXPECT_EQ(talk("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
    Socket bad_chunks(port());
    bad_chunks.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    "application/zip\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    EXPECT_TRUE(bad_chunks.receive_all(3s).empty() || true); // an answer or an end, but no hang
    EXPECT_EQ(get(port(), "/healthz").status, 200);
}

TEST_F(Http, PipelinedRequestsAreAnsweredInOrder)
{
    Socket socket(port());
    const std::string host = " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.send("GET /healthz" + host + "HEAD /v1/assets" + host + "GET /v1/nothing" + host + "GET /healthz" +
                host);
    EXPECT_EQ(read_reply(socket).body, "ok\n");
    EXPECT_EQ(read_reply(socket, true).status, 200);
    EXPECT_EQ(read_reply(socket).status, 404);
    EXPECT_EQ(read_reply(socket).body, "ok\n");
}

TEST_F(Http, AnUploadThatBreaksOffLeavesNothing)
{
    auto before = get(port(), "/v1/assets?limit=500").json().at("items").as_array().size();
    {
        Socket socket(port());
        socket.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; "
                    "boundary=B\r\nContent-Length: 1000000\r\n\r\n"
                    "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.glb\"\r\n\r\n" +
                    std::string(200'000, 'x'));
    }
    EXPECT_EQ(get(port(), "/healthz").status, 200);
    EXPECT_EQ(get(port(), "/v1/assets?limit=500").json().at("items").as_array().size(), before);
}

TEST_F(Http, ExpectContinueIsAnswered)
{
    Socket socket(port());
    socket.send("PATCH " + asset_path("") +
                " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(socket.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    socket.send("{}");
    EXPECT_NE(read_reply(socket).status, 0);
}

TEST_F(Http, LiveAnswersHoldTheContract)
{
    auto contract = json::parse(api::openapi_json());
    EXPECT_EQ(get(port(), "/openapi.json").json(), contract);
    for (const auto& [template_path, operations] : contract.at("paths").as_object()) {
        auto operation = operations.as_object().if_contains("get");
        auto path = std::string(template_path);
        if (!operation || path.ends_with("/preview") || path.ends_with("/events") ||
            path.ends_with("{path}") || path.starts_with("/v1/jobs"))
            continue;
        for (auto [name, value] : {std::pair<std::string, std::string>{"{id}", koi}, {"{clip}", "0"}}) {
            if (auto at = path.find(name); at != path.npos) path.replace(at, name.size(), value);
        }
        auto reply = get(port(), path);
        auto described = operation->at("responses").as_object().if_contains(std::to_string(reply.status));
        ASSERT_TRUE(described) << path << " answers " << reply.status;
        EXPECT_EQ(reply.status, 200) << path << reply.body;
        bool fresh = path == "/healthz" || path == "/readyz" || path == "/metrics";
        auto etag = reply.header("etag");
        EXPECT_EQ(etag.empty(), fresh) << path;
        if (!etag.empty()) {
            auto again = get(port(), path, {{"If-None-Match", etag}});
            EXPECT_EQ(again.status, 304) << path;
            EXPECT_EQ(again.header("etag"), etag) << path;
            EXPECT_TRUE(again.body.empty()) << path;
            EXPECT_TRUE(operation->at("responses").as_object().contains("304")) << path;
            EXPECT_EQ(get(port(), path, {{"If-None-Match", "\"other\""}}).status, 200) << path;
        }
        boost::system::error_code error;
        auto schema = described->as_object().contains("$ref")
                          ? nullptr
                          : described->find_pointer("/content/application~1json/schema", error);
        if (schema && reply.header("content-type") == "application/json") {
            EXPECT_EQ(missing_members(contract, *schema, reply.json(), path), "");
        }
    }
    auto problem = get(port(), "/v1/assets/nobody").json();
    EXPECT_EQ(missing_members(contract, contract.at_pointer("/components/schemas/Problem"), problem, ""), "");
    auto known = upload(port(), {koi_glb()});
    EXPECT_EQ(known.status, 200);
    EXPECT_EQ(missing_members(contract, contract.at_pointer("/components/schemas/Upload"), known.json(), ""),
              "");
}

} // namespace vitrine::test
