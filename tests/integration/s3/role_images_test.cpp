// Images that an API process has drawn by workers: while workers end, clients leave and others wait.
// Skipped without VITRINE_TEST_DATABASE (script/with-postgres).

#include <csignal>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "tests/integration/preview_client.hpp"
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

TEST_F(Roles, TheTraceOfARequestIsInTheLogsOfBothProcesses)
{
    for (auto& worker : workers)
        worker.reset();
    const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const Fields fields{{"traceparent", "00-" + trace + "-00f067aa0ba902b7-01"}};
    const auto start = [&](const std::string& role) {
        auto options = flags(role);
        options.insert(options.end(), {"--log", "info"});
        const auto log = folder.path() / (role + ".log");
        const int descriptor = ::open(log.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        auto server = std::make_unique<ServerProcess>(folder.path() / (role + "-logged"), options, "vitrine",
                                                      descriptor);
        ::close(descriptor);
        return server;
    };
    const auto has_line = [&](const std::string& role, const std::string& words) {
        std::ifstream log(folder.path() / (role + ".log"));
        for (std::string line; std::getline(log, line);)
            if (line.contains(words) && line.ends_with(" trace=" + trace)) return true;
        return false;
    };
    const auto worker = start("worker"), front = start("api");
    ASSERT_TRUE(eventually([&] { return live_workers() == 1; }));
    const auto uploaded = fetch(front->port(), "POST", "/v1/assets?name=robot.glb",
                                {fields[0], {"Content-Type", "application/octet-stream"}}, robot_glb().bytes);
    ASSERT_EQ(uploaded.status, 201) << uploaded.body;
    const std::string asset(uploaded.json().at_pointer("/items/0/asset/id").as_string());
    EXPECT_TRUE(eventually([&] { return has_line("worker", "msg=\"import succeeded\""); }));
    const auto path = "/v1/assets/" + asset + "/render";
    EXPECT_EQ(get(front->port(), path + "?w=64&h=48", fields).status, 200);
    EXPECT_TRUE(eventually([&] { return has_line("api", "path=" + path); }));
    EXPECT_TRUE(
        eventually([&] { return has_line("worker", "msg=\"image for another process\" path=" + path); }));
    const WebSocket viewer(front->port(), asset, fields[0].first + ": " + fields[0].second + "\r\n");
    EXPECT_EQ(viewer.status, 101);
    EXPECT_TRUE(eventually([&] { return has_line("worker", "msg=\"preview over a link\""); }));
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
