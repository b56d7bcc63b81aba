// Cached responses of the real program: no response is older than a write that has returned, whoever asks.

#include <atomic>
#include <set>
#include <thread>

#include <boost/json/parse.hpp>

#include "tests/integration/http_cached_responses_fixture.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

TEST_F(HttpCachedResponses, AreServedWithoutAHandler)
{
    Client client(port());
    const auto first = client.get(asset_path("/skeleton"));
    const auto hits = metric("vitrine_answer_cache_hits_total");
    const auto again = client.get(asset_path("/skeleton"));
    EXPECT_EQ(metric("vitrine_answer_cache_hits_total"), hits + 1);
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(again.body, first.body);
    EXPECT_NE(again.header("x-request-id"), first.header("x-request-id"));
    EXPECT_EQ(again.header("date").size(), std::string_view("Sun, 06 Nov 1994 08:49:37 GMT").size());
    EXPECT_GT(metric("vitrine_answer_cache_bytes"), first.body.size());
}

TEST_F(HttpCachedResponses, EveryWriteIsSeenByTheNextRead)
{
    Client client(port());
    for (int i = 0; i < 50; ++i) {
        const auto name = fmt::format("name {}", i);
        ASSERT_EQ(rename(name).status, 200);
        for (int again = 0; again < 2; ++again) { // from the handler, then stored
            ASSERT_EQ(client.get(asset_path("")).json().at("name").as_string(), name);
            ASSERT_TRUE(lists(client, name));
        }
    }
}

TEST_F(HttpCachedResponses, TrashIsSeenByTheNextRead)
{
    Client client(port());
    ASSERT_EQ(rename("koi").status, 200);
    for (int i = 0; i < 20; ++i) {
        for (const char* rest : {"", "/skeleton", "/thumbnail"})
            ASSERT_EQ(client.get(asset_path(rest)).status, 200);
        ASSERT_TRUE(lists(client, "koi") && !lists(client, "koi", "?trash=true"));
        ASSERT_EQ(fetch(port(), "DELETE", asset_path("")).status, 204);
        for (const char* rest : {"", "/skeleton", "/thumbnail"})
            ASSERT_EQ(client.get(asset_path(rest)).status, 404) << rest;
        ASSERT_TRUE(!lists(client, "koi") && lists(client, "koi", "?trash=true"));
        ASSERT_EQ(fetch(port(), "POST", asset_path("/restore")).status, 200);
    }
}

TEST_F(HttpCachedResponses, UserClipsAreSeenByTheNextRead)
{
    Client client(port());
    for (int i = 0; i < 5; ++i) {
        const auto name = fmt::format("cut {}", i);
        ASSERT_FALSE(has_clip(client, name));
        const auto body =
            fmt::format(R"({{"name":"{}","clip":"c0","firstFrame":0,"lastFrame":{}}})", name, 5 + i);
        ASSERT_EQ(fetch(port(), "PATCH", asset_path("/clips"), {}, body).status, 200);
        ASSERT_TRUE(has_clip(client, name));
        const auto pose = asset_path(fmt::format("/clips/cut%20{}/pose?t=0", i));
        ASSERT_EQ(client.get(pose).status, 200);
        ASSERT_EQ(client.get(pose).status, 200);
        ASSERT_EQ(fetch(port(), "DELETE", asset_path(fmt::format("/clips/cut%20{}", i))).status, 200);
        ASSERT_EQ(client.get(pose).status, 404);
        ASSERT_FALSE(has_clip(client, name));
    }
}

// An import changes its asset several times while others read it.
TEST_F(HttpCachedResponses, EndedImportIsSeenByTheNextRead)
{
    Client client(port());
    for (int i = 0; i < 4; ++i) {
        auto file = koi_glb();
        file.name = fmt::format("copy {}.glb", i);
        const auto created = upload(port(), {file}).json();
        const auto path = "/v1/assets/" + text_at(created, "/items/0/asset/id");
        const auto job = "/v1/jobs/" + text_at(created, "/items/0/job/id");
        ASSERT_TRUE(lists(client, fmt::format("copy {}", i)));
        std::string state;
        const auto until = std::chrono::steady_clock::now() + wait_timeout;
        while (state != "succeeded" && std::chrono::steady_clock::now() < until) {
            client.get(path);
            client.get(path + "/thumbnail");
            client.get("/v1/assets");
            state = text_at(client.get(job).json(), "/state");
        }
        ASSERT_EQ(state, "succeeded");
        const auto asset = client.get(path).json();
        EXPECT_EQ(asset.at("status").as_string(), "ready");
        EXPECT_TRUE(asset.at("hasThumbnail").as_bool());
        EXPECT_EQ(client.get(path + "/thumbnail").status, 200);
        EXPECT_EQ(client.get(path + "/skeleton").status, 200);
        ASSERT_EQ(fetch(port(), "POST", path + "/reimport").status, 202);
        EXPECT_NE(client.get(path).header("etag"), std::string());
        const auto next = text_at(client.get(path).json(), "/job");
        EXPECT_NE("/v1/jobs/" + next, job) << "the new import is seen";
        EXPECT_EQ(text_at(await_job(port(), next), "/state"), "succeeded");
    }
}

// Four connections read what a fifth one changes.
TEST_F(HttpCachedResponses, NoReaderSeesLessThanWhatWasAcknowledged)
{
    constexpr int writes = 150;
    std::atomic<int> acknowledged = -1;
    ASSERT_EQ(rename("0").status, 200);
    acknowledged = 0;
    std::atomic<std::size_t> reads = 0;
    const auto read = [&](bool list) {
        Client client(port());
        int newest = 0; // that this reader has seen
        while (acknowledged < writes) {
            const int least = acknowledged;
            int seen = -1;
            if (list) {
                for (const auto& item : client.get("/v1/assets").json().at("items").as_array())
                    if (item.at("id").as_string() == koi)
                        seen = std::stoi(std::string(item.at("name").as_string()));
            } else {
                seen = std::stoi(text_at(client.get(asset_path("")).json(), "/name"));
            }
            ASSERT_GE(seen, least);
            ASSERT_GE(seen, newest) << "time went backward";
            newest = seen;
            ++reads;
        }
    };
    std::vector<std::jthread> readers;
    for (int i = 0; i < 4; ++i)
        readers.emplace_back(read, i % 2 == 1);
    for (int i = 1; i <= writes; ++i) {
        EXPECT_EQ(rename(std::to_string(i)).status, 200);
        acknowledged = i;
    }
    readers.clear();
    EXPECT_GT(reads, static_cast<std::size_t>(writes));
}

// The page reads an asset when an event names it.
TEST_F(HttpCachedResponses, EventsComeAfterTheCacheIsInvalidated)
{
    Client events(port()), client(port());
    events.send("/v1/events");
    while (!events.read_line().starts_with("retry:")) {
    }
    std::jthread writer([&] {
        for (int i = 0; i < 60; ++i)
            rename(fmt::format("event {}", i));
    });
    for (int i = 0; i < 60;) {
        const auto line = events.read_line();
        ASSERT_FALSE(line.empty());
        if (!line.starts_with("data: ")) continue;
        const auto data = json::parse(line.substr(6));
        const auto named = text_at(data, "/asset/name");
        if (!named.starts_with("event ")) continue;
        const auto seen = text_at(client.get(asset_path("")).json(), "/name");
        ASSERT_TRUE(seen.starts_with("event ")) << seen;
        ASSERT_GE(std::stoi(seen.substr(6)), std::stoi(named.substr(6)));
        ++i;
    }
}

TEST_F(HttpCachedResponses, PipelinedRequestsAreAnsweredInOrder)
{
    Client client(port());
    ASSERT_EQ(rename("koi").status, 200);
    std::set<std::string> ids;
    for (int i = 0; i < 100; ++i)
        client.send(i % 3 == 0 ? asset_path("") : i % 3 == 1 ? "/v1/nothing" : asset_path("/skeleton"));
    for (int i = 0; i < 100; ++i) {
        const auto reply = client.read();
        EXPECT_EQ(reply.status, i % 3 == 1 ? 404 : 200) << i;
        if (i % 3 == 0) {
            EXPECT_EQ(text_at(reply.json(), "/name"), "koi");
        }
        EXPECT_EQ(reply.body.contains("inverseBind"), i % 3 == 2) << i;
        ids.insert(reply.header("x-request-id"));
    }
    EXPECT_EQ(ids.size(), 100u);
}

// The socket has no room for all of them: the rest is sent when the reader continues.
TEST_F(HttpCachedResponses, SlowReaderGetsEveryByte)
{
    Client client(port());
    const auto expected = client.get("/openapi.json").body;
    constexpr int count = 150;
    for (int i = 0; i < count; ++i)
        client.send("/openapi.json");
    for (int i = 0; i < count; ++i) {
        const auto reply = client.read();
        ASSERT_EQ(reply.status, 200) << i;
        ASSERT_TRUE(reply.body == expected) << i;
    }
}

} // namespace
} // namespace vitrine::test
