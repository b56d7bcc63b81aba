// Versions of assets over HTTP: what requests read while, after and without their imports; kills between.

#include <csignal>
#include <future>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/http_support.hpp"
#include "tests/support/zip_builder.hpp"

namespace vitrine::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class Versions : public ::testing::Test {
protected:
    void start(std::vector<std::string> options = {})
    {
        server_.reset();
        server_ = std::make_unique<ServerProcess>(folder_.path() / "data", std::move(options));
        ASSERT_NE(server_->port(), 0) << server_->line();
    }
    void kill_and_start(std::vector<std::string> options = {})
    {
        server_->signal(SIGKILL);
        EXPECT_TRUE(server_->wait());
        start(std::move(options));
    }
    // Leaves the id of an imported robot in `robot_`.
    void start_with_robot()
    {
        start();
        robot_ = import_asset(port(), {robot_glb()});
        ASSERT_FALSE(robot_.empty());
    }

    int port() const { return server_->port(); }
    std::string path(std::string_view rest = {}) const
    {
        return fmt::format("/v1/assets/{}{}", robot_, rest);
    }
    Reply ask(std::string_view rest = {}) const { return get(port(), path(rest)); }
    Reply post(const UploadFile& file, const Fields& fields = {}, std::string_view query = {}) const
    {
        return fetch(port(), "POST", path(fmt::format("/versions?name={}{}", file.name, query)), fields,
                     file.bytes);
    }
    Reply restore(int number) const
    {
        return fetch(port(), "POST", path(fmt::format("/versions/{}/restore", number)));
    }
    std::string end_of(const Reply& reply) const
    {
        return text_at(await_job(port(), text_at(reply.json(), "/job/id")), "/state");
    }
    std::int64_t version() const { return ask().json().at("version").as_int64(); }
    std::vector<std::string> statuses() const
    {
        std::vector<std::string> list;
        for (const auto& item : ask("/versions").json().at("items").as_array())
            list.push_back(text_at(item, "/status"));
        return list;
    }
    std::size_t rows_of_clips(std::string_view of) const
    {
        return ask(fmt::format("{}/clips", of)).json().at("items").as_array().size();
    }

    TempDir folder_;
    std::unique_ptr<ServerProcess> server_;
    std::string robot_;
};

UploadFile broken_glb()
{
    return {"broken.glb", robot_glb().bytes.substr(0, 200)};
}

TEST_F(Versions, EveryReadWorksForOldOnes)
{
    start_with_robot();
    const auto created = post(vase_glb());
    ASSERT_EQ(created.status, 201) << created.body;
    EXPECT_EQ(created.header("location"), path("/versions/2"));
    ASSERT_EQ(end_of(created), "succeeded");
    EXPECT_EQ(version(), 2);
    EXPECT_EQ(text_at(ask().json(), "/name"), text_at(ask("/versions/1").json(), "/name"));
    EXPECT_EQ(text_at(ask("/versions/1").json(), "/links/files"), path("/versions/1/files"));
    EXPECT_GT(rows_of_clips("/versions/1"), 0u);
    EXPECT_EQ(rows_of_clips("/versions/2"), rows_of_clips(""));
    for (const auto* read :
         {"/skeleton", "/clips", "/materials", "/warnings", "/nodes", "/meshes", "/parts", "/bounds",
          "/clips/0/pose?t=0", "/clips/0/bounds", "/checks", "/export.glb", "/mesh", "/thumbnail",
          "/render?w=64&h=64", "/sprite?clip=0&frames=4&size=32", "/sprite/manifest?clip=0&frames=4&size=32"})
        EXPECT_EQ(ask(fmt::format("/versions/1{}", read)).status, 200) << read;
    EXPECT_NE(ask("/versions/1/render?w=64&h=64").body, ask("/render?w=64&h=64").body);
    const auto files = ask("/versions/1/files").json();
    const auto url = text_at(files, "/items/0/url");
    EXPECT_EQ(url, path("/versions/1/files/" + robot_glb().name));
    EXPECT_EQ(get(port(), url).body, robot_glb().bytes);
    EXPECT_EQ(ask("/files/" + vase_glb().name).body, vase_glb().bytes);
    EXPECT_EQ(ask("/versions/3").status, 404);
    EXPECT_EQ(ask("/versions/01/clips").status, 404);
    EXPECT_EQ(fetch(port(), "DELETE", path("/versions/1")).status, 405);
}

TEST_F(Versions, ThatFailsReplacesNothing)
{
    start_with_robot();
    const auto image = ask("/render?w=64&h=64").body;
    EXPECT_EQ(end_of(post(broken_glb())), "failed");
    EXPECT_EQ(version(), 1);
    EXPECT_EQ(text_at(ask().json(), "/status"), "ready");
    EXPECT_EQ(ask("/render?w=64&h=64").body, image);
    EXPECT_THAT(statuses(), ElementsAre("failed", "ready"));
    EXPECT_EQ(ask("/versions/2/clips").status, 409);
    EXPECT_EQ(restore(2).status, 409);
}

TEST_F(Versions, AreRestoredWithoutASecondCopy)
{
    start_with_robot();
    ASSERT_EQ(end_of(post(vase_glb())), "succeeded");
    const auto stored = count_stored_files(folder_.path() / "data");
    const auto restored = restore(1);
    ASSERT_EQ(restored.status, 201) << restored.body;
    ASSERT_EQ(end_of(restored), "succeeded");
    EXPECT_EQ(version(), 3);
    EXPECT_EQ(ask("/files/" + robot_glb().name).body, robot_glb().bytes);
    EXPECT_EQ(count_stored_files(folder_.path() / "data"), stored);
    EXPECT_EQ(restore(3).status, 200);
    const auto known = post(vase_glb());
    EXPECT_EQ(known.status, 200);
    EXPECT_TRUE(known.json().at("existing").as_bool());
    EXPECT_EQ(known.json().at_pointer("/version/version").as_int64(), 2);
    EXPECT_EQ(version(), 3);
}

TEST_F(Versions, TakePreconditionsAndKeys)
{
    start_with_robot();
    const auto etag = ask().header("etag");
    EXPECT_EQ(post(vase_glb(), {{"If-Match", "\"1-999\""}}).status, 412);
    const Fields fields{{"If-Match", etag}, {"Idempotency-Key", "once"}};
    const auto created = post(vase_glb(), fields);
    ASSERT_EQ(created.status, 201) << created.body;
    ASSERT_EQ(end_of(created), "succeeded");
    const auto again = post(vase_glb(), fields);
    EXPECT_EQ(again.status, 201) << "the first answer, although the revision is another one";
    EXPECT_EQ(again.body, created.body);
    EXPECT_EQ(statuses().size(), 2u);
    EXPECT_EQ(post(koi_glb(), {{"Idempotency-Key", "once"}}).status, 422);
    const auto renamed = post(koi_glb(), {}, "&rename=Nishikigoi");
    ASSERT_EQ(end_of(renamed), "succeeded");
    EXPECT_EQ(text_at(ask().json(), "/name"), "Nishikigoi");
    EXPECT_EQ(post(koi_glb(), {}, "&rename=%0a").status, 400);
}

TEST_F(Versions, OfNamedUploadsAndZips)
{
    start_with_robot();
    const auto bytes = vase_glb().bytes;
    const auto begun = fetch(port(), "POST", "/v1/uploads",
                             {{"Tus-Resumable", "1.0.0"},
                              {"Upload-Length", std::to_string(bytes.size())},
                              {"Upload-Metadata", "filename dmFzZS5nbGI="},
                              {"Content-Type", "application/offset+octet-stream"}},
                             bytes);
    ASSERT_EQ(begun.status, 201) << begun.body;
    const auto id = begun.header("location").substr(std::string_view("/v1/uploads/").size());
    const auto named = fetch(port(), "POST", path("/versions"), {{"Content-Type", "application/json"}},
                             fmt::format(R"({{"uploads": ["{}"]}})", id));
    ASSERT_EQ(named.status, 201) << named.body;
    EXPECT_EQ(end_of(named), "succeeded");
    ZipBuilder zip;
    zip.add("koi.glb", koi_glb().bytes);
    zip.add("__MACOSX/._koi.glb", "a resource fork");
    const auto zipped =
        fetch(port(), "POST", path("/versions"), {{"Content-Type", "application/zip"}}, zip.bytes());
    ASSERT_EQ(zipped.status, 201) << zipped.body;
    EXPECT_EQ(text_at(zipped.json(), "/ignored/0/name"), "__MACOSX/._koi.glb");
    EXPECT_EQ(text_at(zipped.json(), "/ignored/0/reason"), "system_file");
    EXPECT_EQ(end_of(zipped), "succeeded");
    EXPECT_EQ(version(), 3);
}

TEST_F(Versions, TwoAtOnceAreBothKept)
{
    start_with_robot();
    auto vase = std::async(std::launch::async, [&] { return post(vase_glb()); });
    auto koi = std::async(std::launch::async, [&] { return post(koi_glb()); });
    const auto first = vase.get(), second = koi.get();
    ASSERT_EQ(first.status, 201) << first.body;
    ASSERT_EQ(second.status, 201) << second.body;
    EXPECT_EQ(end_of(first), "succeeded");
    EXPECT_EQ(end_of(second), "succeeded");
    const auto number = [](const Reply& reply) {
        return reply.json().at_pointer("/version/version").as_int64();
    };
    EXPECT_THAT((std::vector{number(first), number(second)}), UnorderedElementsAre(2, 3));
    EXPECT_EQ(version(), 3) << "whichever import ended last";
    EXPECT_EQ(restore(1).status, 201);
}

// The import goes on at the next start; until then requests read what they did before.
TEST_F(Versions, SurviveAKill)
{
    start_with_robot();
    const auto created = post(vase_glb());
    ASSERT_EQ(created.status, 201);
    kill_and_start();
    EXPECT_EQ(ask("/render?w=64&h=64").status, 200);
    EXPECT_EQ(end_of(created), "succeeded");
    EXPECT_EQ(version(), 2);
    const auto restored = restore(1);
    kill_and_start();
    ASSERT_EQ(restored.status, 201);
    EXPECT_EQ(end_of(restored), "succeeded");
    EXPECT_EQ(version(), 3);
    EXPECT_EQ(get(port(), path("/versions/2/files/" + vase_glb().name)).body, vase_glb().bytes);
}

TEST_F(Versions, UserClipsAreKept)
{
    start_with_robot();
    const auto clip = fetch(port(), "PATCH", path("/clips"), {{"Content-Type", "application/json"}},
                            R"({"name": "mine", "clip": 0, "firstFrame": 0, "lastFrame": 5})");
    ASSERT_EQ(clip.status, 200) << clip.body;
    auto other = robot_glb();
    other.name = "same_robot.glb";
    ASSERT_EQ(end_of(post(other)), "succeeded");
    EXPECT_EQ(version(), 2);
    EXPECT_THAT(ask("/clips").body, HasSubstr("\"mine\""));
    ASSERT_EQ(end_of(post(vase_glb())), "succeeded");
    EXPECT_THAT(ask("/warnings").body, HasSubstr("user_clip_lost"));
    ASSERT_EQ(end_of(restore(2)), "succeeded");
    EXPECT_EQ(version(), 4);
    EXPECT_THAT(ask("/clips").body, HasSubstr("\"mine\""));
    EXPECT_EQ(ask("/clips/mine/pose?t=0").status, 200);
}

TEST_F(Versions, TheQuotaCountsThem)
{
    const auto limit = robot_glb().bytes.size() + vase_glb().bytes.size();
    start({"--quota-bytes", std::to_string(limit)});
    robot_ = import_asset(port(), {robot_glb()});
    ASSERT_FALSE(robot_.empty());
    ASSERT_EQ(end_of(post(vase_glb())), "succeeded");
    const auto full = post(koi_glb());
    EXPECT_EQ(full.status, 507);
    EXPECT_EQ(text_at(full.json(), "/code"), "quota_exceeded");
    EXPECT_EQ(upload(port(), {koi_glb()}).status, 507);
    const auto begun =
        fetch(port(), "POST", "/v1/uploads", {{"Tus-Resumable", "1.0.0"}, {"Upload-Length", "1"}});
    EXPECT_EQ(begun.status, 507);
    EXPECT_EQ(restore(1).status, 201) << "the content is there already";
    EXPECT_EQ(fetch(port(), "DELETE", path()).status, 204);
    EXPECT_EQ(upload(port(), {koi_glb()}).status, 507) << "the trash counts";
    const auto storage = get(port(), "/v1/storage").json();
    EXPECT_EQ(storage.at("originalBytes").to_number<std::size_t>(), limit);
    EXPECT_EQ(storage.at("quotaBytes").to_number<std::size_t>(), limit);
    EXPECT_THAT(get(port(), "/metrics").body, HasSubstr(fmt::format("vitrine_original_bytes {}", limit)));
}

} // namespace
} // namespace vitrine::test
