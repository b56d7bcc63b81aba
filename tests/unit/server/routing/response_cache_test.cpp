// Cached responses: their validity, their order of eviction and their budget.

#include "server/routing/response_cache.hpp"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <prometheus/registry.h>

namespace vitrine::server {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

class ResponseCacheTest : public ::testing::Test {
protected:
    // Stores a response with this body.
    SharedCachedResponse put(ResponseCache& cache, const ResponseCacheKey& key, std::string body,
                             const ResponseCache::Validity& validity = {})
    {
        CachedResponse response{.head = "HTTP/1.1 200 OK\r\n", .etag = "\"tag\"", .content = std::move(body)};
        return cache.insert(key, response, validity);
    }
    // Returns the body of the current response; "-" without one.
    static std::string found(ResponseCache& cache, const ResponseCacheKey& key)
    {
        const auto response = cache.find(key);
        return response ? std::string(response->body()) : "-";
    }
    double metric(const std::string& name)
    {
        for (const auto& family : registry.Collect())
            if (family.name == name)
                return family.metric.front().gauge.value + family.metric.front().counter.value;
        return -1;
    }

    prometheus::Registry registry;
};

TEST_F(ResponseCacheTest, FindsByTargetAcceptAndEncoding)
{
    ResponseCache cache(mebibyte, registry);
    put(cache, {"/a", "image/webp", Encoding::identity}, "one");
    put(cache, {"/a", "image/png", Encoding::identity}, "two");
    put(cache, {"/a", "image/png", Encoding::brotli}, "three");
    EXPECT_EQ(found(cache, {"/a", "image/webp", Encoding::identity}), "one");
    EXPECT_EQ(found(cache, {"/a", "image/png", Encoding::identity}), "two");
    EXPECT_EQ(found(cache, {"/a", "image/png", Encoding::brotli}), "three");
    EXPECT_EQ(found(cache, {"/a", "", Encoding::identity}), "-");
    EXPECT_EQ(found(cache, {"/b", "image/png", Encoding::identity}), "-");
    EXPECT_EQ(metric("vitrine_answer_cache_hits_total"), 3);
}

TEST_F(ResponseCacheTest, ReplacesAnAnswer)
{
    ResponseCache cache(mebibyte, registry);
    put(cache, {"/a", ""}, "one");
    const auto bytes = metric("vitrine_answer_cache_bytes");
    put(cache, {"/a", ""}, "two");
    EXPECT_EQ(found(cache, {"/a", ""}), "two");
    EXPECT_EQ(metric("vitrine_answer_cache_bytes"), bytes);
}

TEST_F(ResponseCacheTest, ChangeEndsResponsesFromBeforeIt)
{
    Generations generations;
    ResponseCache cache(mebibyte, registry);
    const auto before = generations.of_asset("fish");
    put(cache, {"/fish", ""}, "old", {.stamp = before});
    EXPECT_EQ(found(cache, {"/fish", ""}), "old");
    Generations::Change(generations, std::vector<std::string>{"fish"});
    EXPECT_EQ(found(cache, {"/fish", ""}), "-");
    ASSERT_TRUE(cache.find_any({"/fish", ""}));
    EXPECT_EQ(cache.find_any({"/fish", ""})->body(), "old");
    put(cache, {"/fish", ""}, "read before the change, stored after it", {.stamp = before});
    EXPECT_EQ(found(cache, {"/fish", ""}), "-");
    put(cache, {"/fish", ""}, "new", {.stamp = generations.of_asset("fish")});
    EXPECT_EQ(found(cache, {"/fish", ""}), "new");
}

TEST_F(ResponseCacheTest, ResponseEndsAtItsTime)
{
    using namespace std::chrono_literals;
    ResponseCache cache(mebibyte, registry);
    put(cache, {"/page", ""}, "now", {.until = ResponseCache::Clock::now() + 1h});
    EXPECT_EQ(found(cache, {"/page", ""}), "now");
    put(cache, {"/page", ""}, "then", {.until = ResponseCache::Clock::now()});
    EXPECT_EQ(found(cache, {"/page", ""}), "-");
}

TEST_F(ResponseCacheTest, RemovesTheLeastRecentlyUsedWithinTheBudget)
{
    ResponseCache cache(mebibyte, registry);
    const std::string body(100'000, 'x');
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(put(cache, {"/" + std::to_string(i), ""}, body));
        EXPECT_LE(metric("vitrine_answer_cache_bytes"), mebibyte);
    }
    EXPECT_GE(metric("vitrine_answer_cache_bytes"), 9e5) << "the budget is used";
    EXPECT_EQ(metric("vitrine_answer_cache_evictions_total"), 20);
    EXPECT_EQ(found(cache, {"/19", ""}), "-");
    EXPECT_EQ(found(cache, {"/20", ""}), body);
}

// A client that asks for thousands of targets once each.
TEST_F(ResponseCacheTest, KeepsWhatIsAskedForAgain)
{
    ResponseCache cache(mebibyte, registry);
    const std::string body(20'000, 'x');
    for (const char* target : {"/liked", "/also"}) {
        put(cache, {target, ""}, body);
        EXPECT_EQ(found(cache, {target, ""}), body);
    }
    for (int i = 0; i < 1000; ++i)
        put(cache, {"/scan/" + std::to_string(i), ""}, body);
    EXPECT_EQ(found(cache, {"/liked", ""}), body);
    EXPECT_EQ(found(cache, {"/also", ""}), body);
}

TEST_F(ResponseCacheTest, EvictsRepeatedResponsesToo)
{
    ResponseCache cache(mebibyte, registry);
    const std::string body(100'000, 'x');
    for (int i = 0; i < 10; ++i) {
        put(cache, {"/" + std::to_string(i), ""}, body);
        found(cache, {"/" + std::to_string(i), ""});
    }
    EXPECT_TRUE(put(cache, {"/new", ""}, body));
    EXPECT_EQ(found(cache, {"/new", ""}), body);
}

// Slow readers of responses that were removed meanwhile.
TEST_F(ResponseCacheTest, AnswersCountUntilTheyAreSent)
{
    ResponseCache cache(mebibyte, registry);
    const std::string body(100'000, 'x');
    std::vector<SharedCachedResponse> being_sent;
    for (int i = 0; i < 40; ++i)
        if (auto response = put(cache, {"/" + std::to_string(i), ""}, body)) being_sent.push_back(response);
    EXPECT_EQ(being_sent.size(), 10u);
    EXPECT_LE(metric("vitrine_answer_cache_bytes"), mebibyte);
    being_sent.erase(being_sent.begin(), being_sent.begin() + 5);
    EXPECT_TRUE(put(cache, {"/next", ""}, body));
    EXPECT_LE(metric("vitrine_answer_cache_bytes"), mebibyte);
}

TEST_F(ResponseCacheTest, UnstoredResponseIsUnchanged)
{
    ResponseCache none(0, registry);
    CachedResponse response{.head = "head", .content = std::string("body")};
    EXPECT_FALSE(none.insert({"/a", ""}, response, {}));
    EXPECT_EQ(response.body(), "body");
}

TEST_F(ResponseCacheTest, StoresNeitherLargeResponsesNorLongTargets)
{
    ResponseCache cache(64 * mebibyte, registry);
    EXPECT_FALSE(put(cache, {"/a", ""}, std::string(ResponseCache::max_response_bytes, 'x')));
    EXPECT_FALSE(put(cache, {std::string(ResponseCache::max_target_bytes + 1, 'a'), ""}, "x"));
    EXPECT_FALSE(put(cache, {"/a", std::string(ResponseCache::max_target_bytes + 1, 'a')}, "x"));
    EXPECT_EQ(metric("vitrine_answer_cache_bytes"), 0);
}

TEST_F(ResponseCacheTest, AnswersOutliveTheCache)
{
    SharedCachedResponse response;
    {
        ResponseCache cache(mebibyte, registry);
        response = put(cache, {"/a", ""}, "body");
    }
    EXPECT_EQ(response->body(), "body");
    response.reset();
    EXPECT_EQ(metric("vitrine_answer_cache_bytes"), 0);
}

TEST_F(ResponseCacheTest, ThreadsShareIt)
{
    Generations generations;
    ResponseCache cache(mebibyte, registry);
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&, thread] {
                for (int i = 0; i < 2000; ++i) {
                    const auto target = "/" + std::to_string((i * 7 + thread) % 50);
                    if (i % 100 == 0) Generations::Change(generations, std::vector<std::string>{});
                    if (const auto response = cache.find({target, ""})) {
                        EXPECT_TRUE(response->body() == target + std::string(40'000, 'x'));
                    } else {
                        put(cache, {target, ""}, target + std::string(40'000, 'x'),
                            {.stamp = generations.of_catalog()});
                    }
                }
            });
    }
    EXPECT_LE(metric("vitrine_answer_cache_bytes"), mebibyte);
}

} // namespace
} // namespace vitrine::server
