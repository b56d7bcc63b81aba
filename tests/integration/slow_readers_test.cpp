// Peers that request large responses and do not read them, and a reader of the log that stops.

#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {
namespace {

// Returns the memory that the process has written to, in MiB (proc(5): RssAnon).
std::uint64_t memory_mb(pid_t process)
{
    std::ifstream status(fmt::format("/proc/{}/status", process));
    std::string line;
    while (std::getline(status, line))
        if (line.starts_with("RssAnon:")) return std::stoull(line.substr(8)) >> 10;
    ADD_FAILURE() << "no RssAnon of process " << process;
    return 0;
}

// A height field of `side` * `side` quads.
UploadFile terrain(int side)
{
    std::string text;
    for (int y = 0; y <= side; ++y)
        for (int x = 0; x <= side; ++x)
            text += fmt::format("v {} {} {}\n", x * 0.01, (x * 7 + y * 13) % 11 * 0.003, y * 0.01);
    for (int y = 0; y < side; ++y)
        for (int x = 1; x <= side; ++x) {
            const int corner = y * (side + 1) + x;
            text += fmt::format("f {} {} {} {}\n", corner, corner + 1, corner + side + 2, corner + side + 1);
        }
    return {"terrain.obj", text};
}

// Requests that are sent but whose responses are not read.
std::vector<Socket> request_without_reading(int port, std::string_view path, int count)
{
    std::vector<Socket> sockets;
    for (int i = 0; i < count; ++i) {
        sockets.emplace_back(port);
        sockets.back().send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path));
    }
    return sockets;
}

// A server with one large model.
struct TerrainServer {
    TempDir folder;
    ServerProcess process{folder.path() / "data"};
    std::string id = import_asset(process.port(), {terrain(350)}); // empty: not imported
};

} // namespace

TEST(SlowReaders, OfAMeshShareOneFile)
{
    const TerrainServer terrains;
    const auto& server = terrains.process;
    ASSERT_FALSE(terrains.id.empty());
    const std::string path = "/v1/assets/" + terrains.id + "/mesh";
    const Reply whole = get(server.port(), path);
    ASSERT_GT(whole.body.size(), 10u << 20);
    const std::uint64_t before = memory_mb(server.pid());
    const auto sockets = request_without_reading(server.port(), path, 40);
    const Reply next = get(server.port(), path); // after the others: each has its response
    EXPECT_TRUE(next.body == whole.body);
    EXPECT_LT(memory_mb(server.pid()), before + 150)
        << "40 copies have " << (40 * whole.body.size() >> 20) << " MiB";
    const Reply same = get(server.port(), path, {{"If-None-Match", whole.header("etag")}});
    EXPECT_EQ(same.status, 304);
}

// Original files are sent from the disk, however many peers ask for one and do not read it.
TEST(SlowReaders, OfAnOriginalFileHoldNoMemory)
{
    const TerrainServer terrains;
    const auto& server = terrains.process;
    ASSERT_FALSE(terrains.id.empty());
    const std::string path = "/v1/assets/" + terrains.id + "/files/terrain.obj";
    const Reply whole = get(server.port(), path);
    ASSERT_GT(whole.body.size(), 5u << 20);
    const std::uint64_t before = memory_mb(server.pid());
    const auto sockets = request_without_reading(server.port(), path, 200); // under the limit of requests
    Reply next;
    ASSERT_TRUE(eventually([&] { return (next = get(server.port(), path)).status == 200; }))
        << "while the files of the others are opened, it may be told to try again: " << next.body;
    EXPECT_TRUE(next.body == whole.body);
    EXPECT_LT(memory_mb(server.pid()), before + 30) << "of 200 connections";
}

TEST(SlowReaders, OfPosesAreLimitedTogether)
{
    TempDir folder;
    ServerProcess server(folder.path() / "data", {"--response-memory-mb", "4", "--response-disk-mb", "64"});
    ASSERT_NE(server.port(), 0);
    const std::string id = import_asset(server.port(), {robot_glb()});
    ASSERT_FALSE(id.empty());
    const std::string poses = "/v1/assets/" + id + "/clips/c0/pose?t=0/2/0.001";
    const Reply whole = get(server.port(), poses);
    ASSERT_EQ(whole.status, 200) << whole.body;
    ASSERT_GT(whole.body.size(), 9u << 20);
    EXPECT_EQ(whole.json().at("poses").as_array().size(), 2'001u);
    const std::uint64_t before = memory_mb(server.pid());
    {
        const auto sockets = request_without_reading(server.port(), poses, 24);
        Reply rejected;
        ASSERT_TRUE(eventually([&] { return (rejected = get(server.port(), poses)).status == 503; }));
        EXPECT_EQ(text_at(rejected.json(), "/code"), "responses_full");
        EXPECT_FALSE(rejected.header("retry-after").empty());
        EXPECT_LT(memory_mb(server.pid()), before + 100);
        EXPECT_EQ(get(server.port(), "/v1/assets/" + id).status, 200) << "small responses are not limited";
    }
    EXPECT_TRUE(eventually([&] { return get(server.port(), poses).status == 200; }))
        << "the peers have disconnected";
}

// The reader of stderr stops. The server continues, counts the lines that it drops, and can be stopped.
TEST(SlowReaders, OfTheLogStopNothing)
{
    TempDir folder;
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    ServerProcess server(folder.path() / "data", {"--log", "info"}, "vitrine", ends[1]);
    ::close(ends[1]);
    ASSERT_NE(server.port(), 0);
    const std::string path = "/v1/assets/" + std::string(8'000, 'x');
    for (int i = 0; i < 200; ++i) // 1.6 MB of log lines
        ASSERT_EQ(get(server.port(), path).status, 404) << i;
    const std::string metrics = get(server.port(), "/metrics").body;
    const std::string dropped = "\nvitrine_log_lines_dropped_total ";
    const auto at = metrics.find(dropped);
    ASSERT_NE(at, metrics.npos);
    EXPECT_GT(std::atoi(metrics.c_str() + at + dropped.size()), 0);
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait(), 0);
    ::close(ends[0]);
}

} // namespace vitrine::test
