// A server whose PostgreSQL hangs. Its processes are stopped, so the database must belong to this program
// alone: the test is skipped without VITRINE_TEST_MAY_STOP_DATABASE.

#include <array>
#include <cstdlib>
#include <future>
#include <optional>

#include <gtest/gtest.h>

#include "tests/integration/http_support.hpp"
#include "tests/support/processes/stopped_postgres.hpp"

namespace vitrine::test {
namespace {

using Clock = std::chrono::steady_clock;

class HungDatabase : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (std::getenv("VITRINE_TEST_MAY_STOP_DATABASE") == nullptr ||
            std::getenv("VITRINE_TEST_DATABASE") == nullptr)
            GTEST_SKIP() << "needs a PostgreSQL of its own: ctest -R integration_hung_database";
        start({});
        asset = import_asset(server->port(), {koi_glb()});
        ASSERT_NE(asset, "");
        ASSERT_EQ(get(server->port(), "/v1/assets?q=koi").status, 200);
    }

    void start(const std::vector<std::string>& flags)
    {
        const auto data = folder.path() / "data";
        std::vector<std::string> all{"--database", catalog_location(data), "--log", "error"};
        all.insert(all.end(), flags.begin(), flags.end());
        server.reset(); // one server uses a data folder
        server.emplace(data, all);
        ASSERT_NE(server->port(), 0);
    }
    static std::string database() { return std::getenv("VITRINE_TEST_DATABASE"); }

    TempDir folder;
    std::optional<ServerProcess> server;
    std::string asset;
};

struct TimedReply {
    Reply reply;
    Clock::duration time{};
};

TimedReply timed(int port, std::string_view method, const std::string& path, std::string_view body = {})
{
    const auto begin = Clock::now();
    auto reply = fetch(port, method, path, {{"Content-Type", "application/json"}}, body);
    return {std::move(reply), Clock::now() - begin};
}

TEST_F(HungDatabase, IsA503UntilItGoesOn)
{
    const int port = server->port();
    StoppedPostgres postgres(database());
    ASSERT_TRUE(postgres.is_stopped());
    std::vector<std::future<TimedReply>> replies;
    const auto send = [&](std::string_view method, const std::string& path, std::string_view body = {}) {
        replies.push_back(std::async(std::launch::async, [=] { return timed(port, method, path, body); }));
    };
    for (int i = 0; i < 8; ++i) {
        send("GET", "/v1/assets?q=k" + std::to_string(i));
        send("PATCH", "/v1/assets/" + asset, R"({"name": "carp"})");
        send("GET", "/v1/jobs?limit=" + std::to_string(i + 1));
    }
    for (auto& waiting : replies) {
        const auto [reply, time] = waiting.get();
        EXPECT_EQ(reply.status, 503) << reply.body;
        EXPECT_NE(reply.header("retry-after"), "");
        EXPECT_EQ(text_at(reply.json(), "/code"), "storage_unavailable");
        EXPECT_LT(time, 25s);
    }
    EXPECT_EQ(get(port, "/healthz").status, 200);
    EXPECT_TRUE(eventually([&] { return get(port, "/readyz").status == 503; }));
    postgres.go_on();
    EXPECT_TRUE(eventually([&] { return get(port, "/v1/assets?q=koi").status == 200; }));
    EXPECT_TRUE(eventually([&] { return get(port, "/readyz").status == 200; }));
    EXPECT_TRUE(eventually([&] {
        return timed(port, "PATCH", "/v1/assets/" + asset, R"({"name": "carp"})").reply.status == 200;
    }));
    EXPECT_NE(import_asset(port, {vase_glb()}), "") << "imports go on";
}

// A server that takes one request at a time rejects others while that one waits for the database.
TEST_F(HungDatabase, DoesNotHoldTheEndOfTheServer)
{
    start({"--requests", "1"});
    const int port = server->port();
    const StoppedPostgres postgres(database());
    ASSERT_TRUE(postgres.is_stopped());
    auto waiting = std::async(std::launch::async, [port] {
        while (get(port, "/v1/assets?q=carp").status == 429) {
        }
    });
    ASSERT_TRUE(eventually([&] { return get(port, "/v1/assets?limit=x").status == 429; }));
    server->signal(SIGTERM);
    EXPECT_EQ(server->wait(), 0);
    waiting.get();
}

} // namespace
} // namespace vitrine::test
