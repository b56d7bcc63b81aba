// Uploads and the library: list, rename, trash, and rejected requests.

#include <algorithm>
#include <set>
#include <thread>

#include <boost/json/serialize.hpp>

#include "tests/integration/http_fixture.hpp"
#include "tests/support/zip_builder.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

} // namespace

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
    EXPECT_EQ(fetch(port(), "PATCH", path + "?force=1", {}, R"({"name":"x"})").status, 400);
    EXPECT_EQ(fetch(port(), "DELETE", path + "?force=1").status, 400) << "what is not known deletes nothing";
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

TEST_F(Http, ReportsTheClipOfTheThumbnail)
{
    const auto clip_of = [](std::string_view id) {
        const auto asset = get(port(), fmt::format("/v1/assets/{}", id)).json();
        const auto& shown = asset.at("representativeClip");
        for (const auto& clip : asset.at("clips").as_array())
            if (clip.at("id") == shown) return std::string(clip.at("name").as_string());
        return std::string(shown.is_null() ? "none" : "unknown");
    };
    EXPECT_EQ(clip_of(import_asset(port(), robot_md5())), "robot_idle");
    EXPECT_EQ(clip_of(import_asset(port(), {vase_glb()})), "none");
}

TEST_F(Http, ListsByNamesInTheModel)
{
    auto robot = import_asset(port(), robot_md5());
    ASSERT_FALSE(robot.empty());
    auto has = [](std::string_view query, const std::string& id) {
        auto page = get(port(), fmt::format("/v1/assets?limit=500&{}", query));
        EXPECT_EQ(page.status, 200) << query << page.body;
        const auto value = page.json();
        const auto& items = value.at("items").as_array();
        return std::ranges::any_of(items, [&](const auto& item) { return text_at(item, "/id") == id; });
    };
    auto joint = text_at(get(port(), asset_path("/skeleton")).json(), "/joints/1/name");
    auto clip = text_at(get(port(), asset_path("/clips")).json(), "/items/0/name");
    ASSERT_GE(joint.size(), 3u);
    EXPECT_TRUE(has("joint=" + joint, koi));
    EXPECT_FALSE(has("joint=" + joint, robot));
    EXPECT_FALSE(
        has("joint=" + joint.substr(0, joint.size() - 1), koi)); // matches complete names; q matches parts
    EXPECT_TRUE(has("q=" + joint.substr(0, joint.size() - 1), koi));
    EXPECT_TRUE(has("clip=" + clip, koi));
    EXPECT_FALSE(has("clip=" + clip, robot));
    EXPECT_FALSE(has("clip=" + joint, koi));
    auto format = text_at(get(port(), asset_path("")).json(), "/format");
    EXPECT_TRUE(has("rigged=true&animated=true&status=ready&format=" + format, koi));
    EXPECT_FALSE(has("format=md5", koi));
    EXPECT_FALSE(has("rigged=false", koi));
    auto triangles = get(port(), asset_path("")).json().at_pointer("/counts/triangles").to_number<int>();
    EXPECT_TRUE(has(fmt::format("triangles.min={}&triangles.max={}", triangles, triangles), koi));
    EXPECT_FALSE(has(fmt::format("triangles.min={}", triangles + 1), koi));
    EXPECT_EQ(get(port(), "/v1/assets?joint=" + std::string(600, 'x')).status, 400);
}

TEST_F(Http, RepeatedKeyGetsTheStoredResponse)
{
    auto send = [](std::string_view key, const std::string& bytes) {
        auto body = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"again.obj\"\r\n\r\n" +
                    bytes + "\r\n--B--\r\n";
        return fetch(
            port(), "POST", "/v1/assets",
            {{"Content-Type", "multipart/form-data; boundary=B"}, {"Idempotency-Key", std::string(key)}},
            body);
    };
    const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n# idempotent\n";
    auto first = send("key-1", triangle);
    ASSERT_EQ(first.status, 201) << first.body;
    await_job(port(), text_at(first.json(), "/items/0/job/id"));
    auto again = send("key-1", triangle);
    EXPECT_EQ(again.status, 201); // without the key it is 200, and the job has ended
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(again.header("location"), first.header("location"));
    EXPECT_EQ(send("key-2", triangle).status, 200);
    auto other = send("key-1", triangle + "# other\n");
    EXPECT_EQ(other.status, 422);
    EXPECT_EQ(text_at(other.json(), "/code"), "idempotency_key_reused");
    EXPECT_EQ(send("two words", triangle).status, 400);
    EXPECT_EQ(send(std::string(256, 'k'), triangle).status, 400);
    auto form = [](std::string_view bytes) {
        return fetch(port(), "POST", "/v1/assets",
                     {{"Content-Type", "application/zip"}, {"Idempotency-Key", "key-3"}}, bytes);
    };
    EXPECT_EQ(form("no zip").status, 422);
    EXPECT_EQ(form("another no zip").status, 422); // rejected requests do not store a key
    EXPECT_EQ(text_at(form("third").json(), "/code").find("idempotency"), std::string::npos);
}

TEST_F(Http, ZipBecomesAnAsset)
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

// A game package is a zip; uploaded alone and with other files.
TEST_F(Http, GamePackageBecomesItsModels)
{
    ZipBuilder zip;
    for (const auto& file : robot_md5())
        zip.add("models/robot/" + file.name, file.bytes);
    const auto whole =
        fetch(port(), "POST", "/v1/assets?name=pak0.pk3", {{"Content-Type", "application/zip"}}, zip.bytes());
    ASSERT_EQ(whole.status, 201) << whole.body;
    const auto job = await_job(port(), text_at(whole.json(), "/items/0/job/id"));
    EXPECT_EQ(text_at(job, "/state"), "succeeded") << json::serialize(job);
    const auto part = upload(port(), {{"game.PK4", zip.bytes()}});
    EXPECT_LT(part.status, 300) << part.body;
}

TEST_F(Http, InvalidFileFailsAndStaysDownloadable)
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

// Each error names the empty part: the body, the form, the zip, or the file.
TEST_F(Http, EmptyUploadsAreRejectedWithTheReason)
{
    struct Case {
        std::string type, body, code, detail, where;
    };
    const std::string form = "multipart/form-data; boundary=B";
    const std::string zip = "application/zip";
    const auto part = [](const std::string& name, const std::string& bytes) {
        return "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"" + name + "\"\r\n\r\n" +
               bytes + "\r\n--B--\r\n";
    };
    const std::string no_file = "The form contains no file; send parts with a file name.";
    const auto no_entries = ZipBuilder().bytes();
    const auto folder = ZipBuilder().add("models/", "").bytes();
    const std::vector<Case> cases{
        {zip, "", "empty_upload", "The body is empty.", ""},
        {zip, no_entries, "empty", "the zip contains no files", "upload.zip"},
        {zip, folder, "empty", "the zip contains no files", "upload.zip"},
        {form, "", "empty_upload", "The body is empty.", ""},
        {form, "--B--\r\n", "empty_upload", no_file, ""},
        {form, "--B\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nx\r\n--B--\r\n", "empty_upload",
         no_file, ""},
        {form, part("", ""), "empty_upload", no_file, ""},
        {form, part("kit.zip", ""), "empty", "the file has no bytes", "kit.zip"},
        {form, part("kit.zip", no_entries), "empty", "the zip contains no files", "kit.zip"},
    };
    for (const auto& [type, body, code, detail, where] : cases) {
        const auto rejected = fetch(port(), "POST", "/v1/assets", {{"Content-Type", type}}, body);
        EXPECT_EQ(rejected.status, 422) << body;
        EXPECT_EQ(text_at(rejected.json(), "/code"), code) << body;
        EXPECT_EQ(text_at(rejected.json(), "/detail"), detail) << body;
        if (!where.empty()) EXPECT_EQ(text_at(rejected.json(), "/where"), where) << body;
    }
}

// Its name is that of a model: it is stored, and its import fails with a reason.
TEST_F(Http, EmptyModelFailsWithTheReason)
{
    const auto reply = upload(port(), {{"empty.glb", ""}});
    ASSERT_EQ(reply.status, 201) << reply.body;
    const auto job = await_job(port(), text_at(reply.json(), "/items/0/job/id"));
    EXPECT_EQ(text_at(job, "/problem/code"), "empty");
    EXPECT_EQ(text_at(job, "/problem/where"), "empty.glb");
    EXPECT_EQ(text_at(job, "/problem/detail"), "the file has no bytes");
}

TEST_F(Http, RejectsInvalidUploads)
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

TEST_F(Http, ConcurrentEqualUploadsCreateOneAsset)
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

TEST_F(Http, AbortedUploadLeavesNothing)
{
    if (has_object_store()) GTEST_SKIP() << "counts files of the data folder, where a store has only copies";
    const auto data = folder->path() / "data";
    const auto library = [] {
        return get(port(), "/v1/assets?limit=500").json().at("items").as_array().size();
    };
    const auto assets = library();
    const auto blobs = count_files(data / "blobs");
    ASSERT_TRUE(await_files(data / "tmp", 0));
    const auto part_of = [](std::string_view name) {
        return fmt::format("--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\n\r\n",
                           name);
    };
    const std::string part = part_of("a.obj");
    const std::string half(200'000, 'x');
    const auto abort = [&](const std::string& body, std::size_t kept, std::size_t begun) {
        SCOPED_TRACE(fmt::format("{} bytes, {} blobs kept, {} begun", body.size(), kept, begun));
        Socket socket(port());
        socket.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; "
                    "boundary=B\r\nContent-Length: 1000000\r\n\r\n" +
                    body);
        EXPECT_TRUE(await_files(data / "blobs", blobs + kept)) << "the server has not read so far";
        EXPECT_TRUE(await_files(data / "tmp", begun));
        socket.close();
        EXPECT_TRUE(await_files(data / "blobs", blobs));
        EXPECT_TRUE(await_files(data / "tmp", 0));
    };
    abort(part + half, 0, 1);
    abort(part + half + "\r\n" + part_of("b.obj") + half, 1, 1);
    EXPECT_EQ(library(), assets);
}

} // namespace vitrine::test
