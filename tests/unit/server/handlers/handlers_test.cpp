// Responses of handlers and the dispatcher, without a socket.

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "server/handlers/handlers.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Headers : public HandlerTest {
protected:
    // Checks the security header fields of SECURITY.md.
    static void expect_secure(const Answered& answered)
    {
        EXPECT_EQ(answered.header("X-Content-Type-Options"), "nosniff") << answered.status();
        EXPECT_EQ(answered.header("Referrer-Policy"), "same-origin") << answered.status();
        EXPECT_EQ(answered.header("X-Frame-Options"), "SAMEORIGIN") << answered.status();
        EXPECT_EQ(answered.header("Cross-Origin-Resource-Policy"), "same-origin") << answered.status();
        const auto policy = answered.header("Content-Security-Policy");
        for (const char* part : {"default-src 'self'", "connect-src 'self'", "object-src 'none'",
                                 "base-uri 'none'", "frame-ancestors 'self'"})
            EXPECT_NE(policy.find(part), std::string::npos) << answered.status() << ": " << policy;
        EXPECT_EQ(policy.find("unsafe-eval"), std::string::npos);
        EXPECT_EQ(policy.find("script-src"), std::string::npos) << "scripts are under default-src";
    }
};

TEST_F(Headers, EveryResponseHasTheSecurityFields)
{
    expect_secure(get("/healthz"));
    expect_secure(get("/v1/assets"));
    expect_secure(get("/v1/nothing"));
    expect_secure(ask(Method::delete_, "/v1/assets"));
    expect_secure(ask(Method::options, "/v1/assets"));
    expect_secure(get("/v1/assets", {{"X-Forwarded-For", "1.2.3.4"}}));
    expect_secure({.io = nullptr, .response = dispatcher.reject(431, "too large")});
}

TEST_F(Headers, EveryResponseHasARequestId)
{
    EXPECT_EQ(get("/v1/nothing").header("X-Request-Id"), "of-the-test");
    const Answered rejected{.io = nullptr, .response = dispatcher.reject(431, "too large")};
    EXPECT_FALSE(rejected.header("X-Request-Id").empty());
    EXPECT_EQ(rejected.json().at("requestId").as_string(), rejected.header("X-Request-Id"));
}

void look_often(ServicesConfig& config)
{
    config.readiness.interval = std::chrono::milliseconds(5);
}

class Readiness : public HandlerTest {
protected:
    Readiness() : HandlerTest(true, look_often) {}

    // Waits until the device is made.
    Answered ready()
    {
        test::eventually([&] { return get("/readyz").status() == 200; });
        return get("/readyz");
    }
    void break_catalog()
    {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder() / "data/catalog.sqlite").c_str(), &database), SQLITE_OK);
        // The server's own connections may be writing.
        ASSERT_EQ(sqlite3_busy_timeout(database, 30'000), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, "DROP TABLE migrations", nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
    }
};

TEST_F(Readiness, IsReported)
{
    const auto ready = this->ready();
    EXPECT_EQ(ready.status(), 200);
    EXPECT_TRUE(ready.json().at("ready").as_bool());
    EXPECT_EQ(ready.json().at_pointer("/device/name").as_string(), "fake");
    EXPECT_EQ(ready.header("Cache-Control"), "no-store");
}

TEST_F(Readiness, EndsWithTheServer)
{
    stopping = true;
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 503);
    EXPECT_FALSE(ready.json().at("ready").as_bool());
    EXPECT_TRUE(ready.json().at("stopping").as_bool());
}

TEST_F(Readiness, NeedsTheCatalog)
{
    EXPECT_EQ(ready().status(), 200);
    break_catalog();
    EXPECT_TRUE(test::eventually([&] { return get("/readyz").status() == 503; }));
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 503);
    EXPECT_FALSE(ready.json().at("ready").as_bool());
    EXPECT_FALSE(ready.json().at("catalog").as_bool());
}

class ReadinessWithoutADevice : public HandlerTest {
protected:
    ReadinessWithoutADevice() : HandlerTest(false) {}
};

TEST_F(ReadinessWithoutADevice, IsServiceUnavailable)
{
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 503);
    EXPECT_FALSE(ready.json().at("ready").as_bool());
    EXPECT_TRUE(ready.json().at("device").is_null());
    EXPECT_FALSE(ready.json().at_pointer("/devices/0/draws").as_bool());
    EXPECT_EQ(get("/healthz").status(), 200) << "alive all the same";
}

// Without free space uploads are rejected, but reads work: still ready.
TEST_F(Readiness, ReportsFreeSpace)
{
    EXPECT_TRUE(ready().json().at("hasDiskSpace").as_bool());
    context.limits.min_free_bytes = ~std::uint64_t{0};
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 200);
    EXPECT_FALSE(ready.json().at("hasDiskSpace").as_bool());
}

class Lists : public HandlerTest {
protected:
    std::vector<std::string> names(std::string_view query)
    {
        std::vector<std::string> found;
        const auto page = get("/v1/assets?" + std::string(query)).json();
        for (const auto& item : page.at("items").as_array())
            found.emplace_back(item.at("name").as_string());
        return found;
    }
};

// Names and the order of imports are different.
TEST_F(Lists, AreSortedByTriangles)
{
    const auto bar = imported("b_bar.obj");   // 20 triangles: 4 sides of 2 quads, 2 caps
    const auto cube = imported("c_cube.obj"); // 12
    const auto rig = imported("a_rig.obj");   // none
    const auto triangles = [&](const std::string& id) {
        return get("/v1/assets/" + id).json().at_pointer("/counts/triangles").to_number<int>();
    };
    ASSERT_EQ(triangles(bar), 20);
    ASSERT_EQ(triangles(cube), 12);
    ASSERT_EQ(triangles(rig), 0);
    EXPECT_THAT(names("sort=triangles"), ElementsAre("a_rig", "c_cube", "b_bar"));
    EXPECT_THAT(names("sort=-triangles"), ElementsAre("b_bar", "c_cube", "a_rig"));
    EXPECT_THAT(names("sort=name"), ElementsAre("a_rig", "b_bar", "c_cube"));
    EXPECT_THAT(names("sort=-name"), ElementsAre("c_cube", "b_bar", "a_rig"));
    EXPECT_THAT(names("sort=created"), ElementsAre("b_bar", "c_cube", "a_rig"));
    EXPECT_THAT(names("sort=-created"), ElementsAre("a_rig", "c_cube", "b_bar"));
    EXPECT_THAT(names(""), ElementsAre("a_rig", "c_cube", "b_bar")) << "the newest first";
}

TEST_F(Lists, BeginAtAPositionOrAnAsset)
{
    const auto first = imported("a_rig.obj");
    const auto second = imported("b_bar.obj");
    EXPECT_THAT(names("sort=name&offset=1"), ElementsAre("b_bar"));
    EXPECT_THAT(names("sort=name&at=" + second), ElementsAre("b_bar"));
    const auto page = get("/v1/assets?sort=name&offset=0&limit=1&total=true");
    EXPECT_EQ(page.json().at("total").to_number<int>(), 2);
    EXPECT_EQ(page.json().at("offset").to_number<int>(), 0);
    EXPECT_EQ(page.header("Link").find("offset"), std::string::npos) << "the next page begins at its cursor";
    EXPECT_EQ(get("/v1/assets?at=asset_none").status(), 404);
    EXPECT_EQ(get("/v1/assets?offset=-1").status(), 400);
    EXPECT_EQ(get("/v1/assets?offset=0&at=" + first).status(), 400);
    EXPECT_EQ(get("/v1/assets?offset=0&cursor=x").status(), 400);
    EXPECT_FALSE(get("/v1/assets").json().as_object().contains("total")) << "not counted unless asked for";
}

class Previews : public HandlerTest {};

// Without an upgrade: why a WebSocket would be rejected.
TEST_F(Previews, ReportTheRejectionOfAWebSocket)
{
    const auto path = "/v1/assets/" + imported("c_cube.obj") + "/preview";
    EXPECT_EQ(get(path).status(), 426);
    EXPECT_EQ(get(path).code(), "websocket_required");
    viewers = context.limits.max_viewers;
    EXPECT_EQ(get(path).status(), 503);
    EXPECT_EQ(get(path).code(), "too_many_viewers");
    EXPECT_EQ(get(path).header("Retry-After"), "5");
    viewers = 0;
    EXPECT_EQ(get("/v1/assets/asset_none/preview").status(), 404);
    EXPECT_EQ(get(path, websocket()).code(), "unknown_protocol");
}

TEST_F(Previews, AreCounted)
{
    viewers = 3;
    const auto metrics = std::get<std::string>(get("/metrics").response.body);
    EXPECT_NE(metrics.find("vitrine_previews 3\n"), std::string::npos) << metrics;
    EXPECT_NE(metrics.find("vitrine_event_streams 0\n"), std::string::npos) << metrics;
}

class Versions : public HandlerTest {};

TEST_F(Versions, AreListed)
{
    const auto bar = imported("bar.obj");
    const auto listed = get("/v1/assets/" + bar + "/versions");
    EXPECT_EQ(listed.status(), 200);
    const auto page = listed.json();
    EXPECT_TRUE(page.at("next").is_null());
    ASSERT_EQ(page.at("items").as_array().size(), 1u);
    EXPECT_EQ(page.at_pointer("/items/0/version").to_number<int>(), 1);
    EXPECT_EQ(page.at_pointer("/items/0/mainFile").as_string(), "bar.obj");
    EXPECT_EQ(page.at_pointer("/items/0/sizeBytes").to_number<int>(), 18) << "content of bar.obj";
    EXPECT_EQ(page.at_pointer("/items/0/createdAt").as_string(),
              get("/v1/assets/" + bar).json().at("createdAt").as_string());
}

class EventStreams : public HandlerTest {
protected:
    // Returns the first `count` pieces of the stream, run on this thread.
    std::vector<std::string> pieces(std::size_t count, const std::string& target = "/v1/events")
    {
        Request request;
        request.target = parse_target(target).value();
        PiecesBody body({});
        std::vector<std::string> all;
        asio::io_context io;
        asio::co_spawn(
            io,
            [&]() -> asio::awaitable<void> {
                auto answer = co_await get_events(request, body, context);
                auto& stream = *std::get<std::unique_ptr<EventStreamBody>>(answer.value().body);
                while (all.size() < count)
                    all.push_back(co_await stream.next());
            },
            [](const std::exception_ptr& error) {
                if (error) std::rethrow_exception(error);
            });
        io.run_for(test::wait_timeout);
        return all;
    }
};

// Proxies close idle streams, and a disconnected peer is detected only by writing.
TEST_F(EventStreams, SendHeartbeatsWhenIdle)
{
    context.limits.heartbeat = 10ms;
    EXPECT_THAT(pieces(3), ElementsAre("retry: 2000\n: vitrine\n\n", ": heartbeat\n\n", ": heartbeat\n\n"));
}

// A client that hears nothing for long goes on behind what was left out.
TEST_F(EventStreams, SilentOnesKeepTheirPlace)
{
    context.limits.heartbeat = 10ms;
    imported("bar.obj");
    const auto stored = services.catalog.newest_events(100);
    ASSERT_TRUE(test::eventually([&] { return services.events.last_id() == stored.back().id; }));
    const auto target = fmt::format("/v1/events?asset=none&lastEventId={}", stored.front().id);
    EXPECT_THAT(pieces(3, target),
                ElementsAre("retry: 2000\n: vitrine\n\n",
                            fmt::format(": heartbeat\nid: {}\n\n", stored.back().id), ": heartbeat\n\n"));
}

TEST_F(EventStreams, AreFilteredByCollection)
{
    context.limits.heartbeat = 10ms;
    const auto in = imported("bar.obj"), out = imported("foo.obj");
    const auto wanted = services.collections.create({.name = "Wanted"}).value().id;
    const auto other = services.collections.create({.name = "Other"}).value().id;
    ASSERT_TRUE(services.collections.insert_members(wanted, {.assets = {in}}));
    ASSERT_TRUE(services.collections.insert_members(other, {.assets = {out}}));
    const auto stored = services.catalog.newest_events(200);
    ASSERT_TRUE(test::eventually([&] { return services.events.last_id() == stored.back().id; }));
    const auto target = fmt::format("/v1/events?collection={}&lastEventId={}", wanted, stored.front().id);
    const auto all = pieces(2, target)[1];
    EXPECT_THAT(all, HasSubstr(in));
    EXPECT_THAT(all, HasSubstr(fmt::format("\"collection\":{{\"id\":\"{}\"", wanted)));
    EXPECT_THAT(all, Not(HasSubstr(out)));
    EXPECT_THAT(all, Not(HasSubstr(other)));
    EXPECT_EQ(get("/v1/events?collection=none").code(), "no_collection");
}

} // namespace
} // namespace vitrine::server::testing
