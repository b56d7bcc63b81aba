// Images that an API process has drawn by workers: while workers end, clients leave and others wait.
// Skipped without VITRINE_TEST_DATABASE (script/with-postgres).

#include <csignal>
#include <future>
#include <string>
#include <vector>

#include "tests/integration/s3/roles_fixture.hpp"

namespace vitrine::test {
namespace {

TEST_F(Roles, AnImageSurvivesTheEndOfTheWorkerThatDrawsIt)
{
    const auto asset = import_asset(api->port(), {robot_glb()});
    ASSERT_NE(asset, "");
    const auto path = "/v1/assets/" + asset + "/turntable?frames=100&size=512";
    auto image = std::async(std::launch::async, [&] { return get(api->port(), path); });
    std::optional<ServerProcess>* drawing = nullptr;
    ASSERT_TRUE(eventually([&] { return (drawing = find_drawing_worker()) != nullptr; }));
    (*drawing)->signal(SIGKILL);
    EXPECT_EQ((*drawing)->wait(), 128 + SIGKILL);
    const auto reply = image.get();
    EXPECT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.header("content-type"), "image/webp");
    EXPECT_TRUE(eventually([&] { return live_workers() == 1; }));
    EXPECT_EQ(get(api->port(), path).body, reply.body) << "from the memory of the process";
}

TEST_F(Roles, ADrawingEndsWhenItsClientLeaves)
{
    const auto asset = import_asset(api->port(), {robot_glb()});
    ASSERT_NE(asset, "");
    {
        Socket client(api->port());
        client.send("GET /v1/assets/" + asset +
                    "/turntable?frames=110&size=720 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        ASSERT_TRUE(eventually([&] { return count_requests("state = 'running'") == 1; }));
    }
    EXPECT_TRUE(eventually([&] { return count_requests("state = 'running'") == 0; }));
    EXPECT_EQ(count_requests("state = 'done' AND priority > 0"), 0) << "it was drawn to its end";
}

TEST_F(Roles, WhatNeedsNoWorkerDoesNotWaitBehindImages)
{
    constexpr int images = 50;
    const auto asset = import_asset(api->port(), {robot_glb()});
    ASSERT_NE(asset, "");
    const auto prefix = "/v1/assets/" + asset;
    EXPECT_EQ(get(api->port(), prefix + "/skeleton").status, 200);
    for (auto& worker : workers)
        worker->signal(SIGSTOP);
    std::vector<std::future<Reply>> replies;
    for (int i = 0; i < images; ++i)
        replies.push_back(std::async(std::launch::async, [&, i] {
            return get(api->port(), prefix + "/render?w=" + std::to_string(64 + i));
        }));
    EXPECT_TRUE(eventually([&] { return count_requests("state = 'queued'") == images; }));
    for (const char* rest : {"/skeleton", "/clips/0/pose?t=0.25", "/bounds"}) {
        EXPECT_EQ(get(api->port(), prefix + rest).status, 200);
        EXPECT_EQ(count_requests("state = 'queued'"), images) << rest << " has not waited for one of them";
    }
    EXPECT_EQ(count_requests("state = 'done' AND priority = 0 AND status = 200"), 0);
    for (auto& worker : workers)
        worker->signal(SIGCONT);
    for (auto& reply : replies)
        EXPECT_EQ(reply.get().status, 200);
}

TEST_F(Roles, AFieldOfAnyBytesReachesTheWorker)
{
    const auto asset = import_asset(api->port(), {koi_glb()});
    ASSERT_NE(asset, "");
    const auto image = get(api->port(), "/v1/assets/" + asset + "/render?w=64",
                           {{"Accept", "image/x-\xff\xc3(, image/webp"}});
    EXPECT_EQ(image.status, 200) << image.body;
    EXPECT_EQ(image.header("content-type"), "image/webp");
}

} // namespace
} // namespace vitrine::test
