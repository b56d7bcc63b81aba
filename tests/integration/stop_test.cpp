// Start, stop, crash and restart: acknowledged data exists and its import continues.

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "server/services/catalog/catalog.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/support/paths.hpp"

namespace vitrine::test {
namespace {

// After a restart the asset's newest job must succeed and the original file be complete.
void expect_resumed(const std::filesystem::path& data, const std::string& asset, const std::string& job,
                    const UploadFile& file)
{
    ServerProcess server(data);
    ASSERT_NE(server.port(), 0) << server.line();
    auto over = await_job(server.port(), job);
    EXPECT_EQ(text_at(over, "/state"), "succeeded");
    EXPECT_TRUE(get(server.port(), "/v1/assets/" + asset + "/files/" + file.name).body == file.bytes);
    EXPECT_EQ(get(server.port(), "/v1/assets/" + asset + "/thumbnail").status, 200);
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait(), 0);
}

struct Uploaded {
    std::string asset, job;
};

Uploaded upload_one(int port, const UploadFile& file)
{
    auto reply = upload(port, {file});
    if (reply.status != 201) return {};
    auto value = reply.json();
    return {text_at(value, "/items/0/asset/id"), text_at(value, "/items/0/job/id")};
}

// Polls until the job has left the state "queued".
bool await_begun(int port, const std::string& job)
{
    return eventually([&] { return text_at(get(port, "/v1/jobs/" + job).json(), "/state") != "queued"; });
}

// Polls until the job draws its thumbnail; on a busy machine it may have ended already.
bool await_thumbnail(int port, const std::string& job)
{
    return eventually([&] {
        const auto reply = get(port, "/v1/jobs/" + job).json();
        return text_at(reply, "/stage") == "thumbnail" || text_at(reply, "/state") == "succeeded";
    });
}

} // namespace

TEST(Stop, SigtermReturnsAnImportToTheQueue)
{
    TempDir folder;
    Uploaded uploaded;
    {
        ServerProcess server(folder.path() / "data");
        ASSERT_NE(server.port(), 0);
        uploaded = upload_one(server.port(), koi_glb());
        server.signal(SIGTERM);
        EXPECT_EQ(server.wait(), 0);
    }
    expect_resumed(folder.path() / "data", uploaded.asset, uploaded.job, koi_glb());
}

TEST(Stop, SigtermDoesNotWaitForAHungLoader)
{
    TempDir folder;
    const auto loader = folder.path() / "spinning-loader";
    std::ofstream(loader) << "#!/bin/sh\nwhile :; do :; done\n";
    std::filesystem::permissions(loader, std::filesystem::perms::owner_all);
    const auto data = folder.path() / "data";
    Uploaded uploaded;
    {
        ServerProcess server(data, {"--loader", loader.string()}); // the import may take a minute
        ASSERT_NE(server.port(), 0);
        uploaded = upload_one(server.port(), koi_glb());
        ASSERT_TRUE(await_begun(server.port(), uploaded.job));
        server.signal(SIGTERM);
        EXPECT_EQ(server.wait(30s), 0);
    }
    {
        const server::Catalog catalog(catalog_location(data));
        const auto job = catalog.find_job(uploaded.job).value();
        EXPECT_EQ(job.state, server::JobState::queued);
        EXPECT_EQ(job.attempts, 0u);
    }
    expect_resumed(data, uploaded.asset, uploaded.job, koi_glb());
}

// As the out-of-memory killer does.
TEST(Stop, KilledLoaderIsStartedAgain)
{
    TempDir folder;
    const auto loader = folder.path() / "killed-once";
    std::ofstream(loader) << "#!/bin/sh\nif mkdir '" << (folder.path() / "killed").string()
                          << "'; then kill -9 $$; fi\nexec '" << program("vitrine-loader") << "' \"$@\"\n";
    std::filesystem::permissions(loader, std::filesystem::perms::owner_all);
    ServerProcess server(folder.path() / "data", {"--loader", loader.string()});
    ASSERT_NE(server.port(), 0);
    const auto uploaded = upload_one(server.port(), vase_glb());
    const auto job = await_job(server.port(), uploaded.job);
    EXPECT_EQ(text_at(job, "/state"), "succeeded");
    EXPECT_EQ(job.at("attempts"), 2);
    const auto again = fetch(server.port(), "POST", "/v1/assets/" + uploaded.asset + "/reimport");
    EXPECT_EQ(again.status, 202) << again.body;
    const auto second = again.header("location").substr(std::string("/v1/jobs/").size());
    EXPECT_EQ(text_at(await_job(server.port(), second), "/state"), "succeeded");
    EXPECT_EQ(get(server.port(), "/v1/assets/" + uploaded.asset + "/bounds").status, 200);
}

TEST(Stop, KillDuringAnImportKeepsData)
{
    TempDir folder;
    Uploaded uploaded;
    {
        ServerProcess server(folder.path() / "data");
        ASSERT_NE(server.port(), 0);
        uploaded = upload_one(server.port(), koi_glb());
        ASSERT_TRUE(await_begun(server.port(), uploaded.job));
        server.signal(SIGKILL);
        EXPECT_EQ(server.wait(), 128 + SIGKILL);
    }
    expect_resumed(folder.path() / "data", uploaded.asset, uploaded.job, koi_glb());
}

TEST(Stop, KillBetweenStagesKeepsData)
{
    TempDir folder;
    std::vector<Uploaded> uploaded;
    {
        ServerProcess server(folder.path() / "data");
        ASSERT_NE(server.port(), 0);
        std::vector<UploadFile> files;
        for (const char* name : {"a/koi.glb", "b/koi.glb", "c/koi.glb"})
            files.push_back({name, koi_glb().bytes});
        auto items = upload(server.port(), files).json().at("items").as_array();
        for (const auto& item : items)
            uploaded.push_back({text_at(item, "/asset/id"), text_at(item, "/job/id")});
        auto first = uploaded.at(0).job;
        ASSERT_TRUE(await_thumbnail(server.port(), first));
        server.signal(SIGKILL);
        EXPECT_EQ(server.wait(), 128 + SIGKILL);
    }
    ServerProcess server(folder.path() / "data");
    ASSERT_NE(server.port(), 0) << server.line();
    for (const auto& [asset, job] : uploaded) {
        EXPECT_EQ(text_at(await_job(server.port(), job), "/state"), "succeeded");
        EXPECT_EQ(get(server.port(), "/v1/assets/" + asset + "/bounds").status, 200);
        EXPECT_EQ(get(server.port(), "/v1/assets/" + asset + "/thumbnail").status, 200);
    }
}

TEST(Stop, SigtermFinishesARunningUpload)
{
    TempDir folder;
    ServerProcess server(folder.path() / "data");
    ASSERT_NE(server.port(), 0);
    auto file = vase_glb();
    auto head =
        std::string("--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"vase.glb\"\r\n\r\n");
    auto body = head + file.bytes + "\r\n--B--\r\n";
    Socket socket(server.port());
    socket.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; "
                "boundary=B\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body.substr(0, body.size() / 2));
    ASSERT_TRUE(await_files(folder.path() / "data/tmp", 1)) << "the upload has begun";
    server.signal(SIGTERM);
    EXPECT_TRUE(eventually([&] { return !Socket(server.port()).send("GET /healthz HTTP/1.1\r\n\r\n"); }))
        << "new connections are rejected";
    socket.send(body.substr(body.size() / 2));
    auto reply = read_reply(socket);
    EXPECT_EQ(reply.status, 201) << reply.body;
    EXPECT_EQ(reply.header("connection"), "close");
    EXPECT_EQ(server.wait(), 0);
}

TEST(Stop, SlowPeersAreDisconnectedWithoutDelayingOthers)
{
    TempDir folder;
    ServerProcess server(folder.path() / "data",
                         {"--header-seconds", "1", "--body-seconds", "1", "--idle-seconds", "1"});
    ASSERT_NE(server.port(), 0);
    Socket header(server.port());
    header.send("GET /healthz HT");
    Socket body(server.port());
    body.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
              "application/zip\r\nContent-Length: 100\r\n\r\nPK");
    Socket idle(server.port());
    EXPECT_EQ(get(server.port(), "/healthz").status, 200);
    EXPECT_TRUE(header.receive_all().starts_with("HTTP/1.1 408 "));
    EXPECT_TRUE(body.receive_all().starts_with("HTTP/1.1 408 "));
    EXPECT_TRUE(idle.ended());
    EXPECT_EQ(get(server.port(), "/healthz").status, 200);
}

// The client disconnects after the first of two files, which is stored as a blob already.
TEST(Stop, AbortedUploadLeavesNothing)
{
    if (has_object_store()) GTEST_SKIP() << "counts files of the data folder, where a store has only copies";
    TempDir folder;
    ServerProcess server(folder.path() / "data");
    ASSERT_NE(server.port(), 0);
    const auto head = [](const std::string& name) {
        return "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\r\n\r\n";
    };
    const std::string file(2 << 20, 'v'); // several pieces of the body
    Socket socket(server.port());
    socket.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; "
                "boundary=B\r\nContent-Length: 9000000\r\n\r\n" +
                head("first.obj") + file + "\r\n" + head("second.obj") + file);
    EXPECT_TRUE(await_files(folder.path() / "data/blobs", 1));
    EXPECT_TRUE(await_files(folder.path() / "data/tmp", 1));
    socket.close();
    EXPECT_TRUE(await_files(folder.path() / "data/blobs", 0));
    EXPECT_TRUE(await_files(folder.path() / "data/tmp", 0));
}

TEST(Stop, OneServerPerDataFolder)
{
    TempDir folder;
    ServerProcess first(folder.path() / "data");
    ASSERT_NE(first.port(), 0);
    ServerProcess second(folder.path() / "data");
    EXPECT_EQ(second.port(), 0);
    EXPECT_EQ(second.wait(), 1);
}

TEST(Stop, NonLoopbackAddressRequiresAToken)
{
    TempDir folder;
    ServerProcess without(folder.path() / "data", {"--listen", "0.0.0.0:0"});
    EXPECT_EQ(without.port(), 0);
    EXPECT_EQ(without.wait(), 2);
    std::filesystem::create_directories(folder.path() / "web/assets");
    std::ofstream(folder.path() / "web/index.html") << "<!doctype html>";
    std::ofstream(folder.path() / "web/assets/app-1a2b.js") << "export {};";
    ServerProcess server(folder.path() / "data", {"--listen", "0.0.0.0:0", "--token", "s3cret", "--web",
                                                  (folder.path() / "web").string()});
    ASSERT_NE(server.port(), 0) << server.line();
    EXPECT_EQ(get(server.port(), "/healthz").status, 200);
    auto rejected = get(server.port(), "/v1/assets");
    EXPECT_EQ(rejected.status, 401);
    EXPECT_NE(rejected.header("www-authenticate"), "");
    EXPECT_EQ(get(server.port(), "/").status, 401);
    EXPECT_EQ(get(server.port(), "/v1/assets", {{"Authorization", "Bearer s3cret"}}).status, 200);
    const auto script = get(server.port(), "/assets/app-1a2b.js", {{"Authorization", "Bearer s3cret"}});
    EXPECT_EQ(script.header("cache-control"), "private, max-age=31536000, immutable")
        << "shared caches do not know the token";
}

TEST(Stop, ServesTheWebClient)
{
    TempDir folder;
    std::filesystem::create_directories(folder.path() / "web/assets");
    std::ofstream(folder.path() / "web/index.html") << "<!doctype html><title>page</title>";
    std::ofstream(folder.path() / "web/assets/app-1a2b.js") << "export {};";
    ServerProcess server(folder.path() / "data", {"--web", (folder.path() / "web").string()});
    ASSERT_NE(server.port(), 0);
    auto index = get(server.port(), "/");
    EXPECT_EQ(index.header("content-type"), "text/html; charset=utf-8");
    EXPECT_EQ(index.header("cache-control"), "no-cache");
    EXPECT_EQ(get(server.port(), "/assets/as_1").body, index.body); // a route of the web client
    auto script = get(server.port(), "/assets/app-1a2b.js");
    EXPECT_NE(script.header("cache-control").find("immutable"), std::string::npos);
    EXPECT_EQ(get(server.port(), "/", {{"If-None-Match", index.header("etag")}}).status, 304);
    EXPECT_EQ(get(server.port(), "/assets/gone.js").status, 404);
    EXPECT_EQ(get(server.port(), "/%2e%2e/data/lock").status, 404);
}

} // namespace vitrine::test
