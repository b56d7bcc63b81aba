// Search by names in the model, and stored responses by Idempotency-Key.

#include <gtest/gtest.h>

#include "server/services/catalog/request_claim.hpp"
#include "server/util/process_owner.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;

class CatalogKeysTest : public CatalogTest {
protected:
    void add(const std::string& name, const std::string& joint, const std::string& clip)
    {
        catalog.create_assets(std::vector{asset_named(name)});
        const auto lease = catalog.claim_job("me", 10s).value();
        catalog.record_metadata(
            lease, {{.format = "obj", .summary = "{}"}, {.clips = clip + "\n", .joints = joint + "\n"}, {}});
        catalog.succeed(lease);
    }
    std::string found(const ListQuery& query)
    {
        std::string all;
        for (const auto& name : names(query))
            all += name + " ";
        return all;
    }
};

TEST_F(CatalogKeysTest, FindsJointsAndClipsByExactName)
{
    add("fish", "Tail", "walk");
    add("bird", "walker", "Tail");
    add("ox", "ox", "go");
    EXPECT_EQ(found({.joint = "tail"}), "fish ");
    EXPECT_EQ(found({.clip = "tail"}), "bird ");
    EXPECT_EQ(found({.clip = "walk"}), "fish ");
    EXPECT_EQ(found({.joint = "ox"}), "ox "); // too short for trigrams
    EXPECT_EQ(found({.joint = "Tai"}), "");
    EXPECT_EQ(found({.joint = "x' OR 1=1 --"}), "");
    EXPECT_EQ(found({.joint = "\"Tail\""}), "");
    EXPECT_FALSE(catalog.list_assets({.clip = std::string(513, 'x')}));
}

TEST_F(CatalogKeysTest, FindsTheLastOfManyNames)
{
    std::string joints;
    for (int i = 0; i < 20'000; ++i)
        joints += "joint" + std::to_string(i) + "\n";
    add("crowd", joints + "the-last-joint", "walk");
    EXPECT_EQ(found({.joint = "the-last-joint"}), "crowd ");
    EXPECT_EQ(found({.joint = "joint1999"}), "crowd ");
    EXPECT_EQ(found({.joint = "last-joint"}), "");
}

TEST_F(CatalogKeysTest, UserClipsChangeTheDerivedKeyOnly)
{
    add("fish", "tail", "swim");
    const auto fish = catalog.list_assets({}).value().items.at(0);
    UserClipsChange change{.before = "", .after = "[1]", .if_match = fish.etag(), .found = {}};
    change.found.format = "obj";
    change.found.search.clips = "turn\n";
    const auto changed = catalog.set_user_clips(fish.id, change).value();
    EXPECT_EQ(changed.user_clips, "[1]");
    EXPECT_NE(changed.content_hash, fish.content_hash);
    EXPECT_NE(changed.etag(), fish.etag());
    EXPECT_EQ(found({.q = "turn"}), "fish ");
    EXPECT_EQ(catalog.set_user_clips(fish.id, change).error().kind, Errc::precondition_failed);
    change.if_match.clear();
    EXPECT_EQ(catalog.set_user_clips(fish.id, change).error().kind, Errc::conflict) << "not as it was read";

    Catalog again(location());
    EXPECT_EQ(again.find_asset(fish.id)->user_clips, "[1]");
    EXPECT_EQ(again.find_asset(fish.id)->content_hash, changed.content_hash);
    EXPECT_TRUE(again.create_assets(std::vector{asset_named("fish")}).at(0).existing) << "the same files";

    change.before = "[1]";
    change.after = "";
    EXPECT_EQ(catalog.set_user_clips(fish.id, change)->content_hash, fish.content_hash);
}

TEST_F(CatalogKeysTest, KeepsTheFirstResponseOfAKey)
{
    EXPECT_FALSE(catalog.claim_key("k", "fish").response);
    EXPECT_FALSE(catalog.claim_key("k", "fish").response); // the same request, while the first is running
    EXPECT_TRUE(catalog.claim_key("k", "bird").reused_for_different_request);
    EXPECT_EQ(catalog.store_response("k", "fish", {201, "/v1/assets/1", "{}"}).status, 201);
    EXPECT_EQ(catalog.store_response("k", "fish", {200, "", "[]"}).status, 201);
    auto again = catalog.claim_key("k", "fish").response;
    ASSERT_TRUE(again);
    EXPECT_EQ(again->location, "/v1/assets/1");
    EXPECT_EQ(again->body, "{}");
    catalog.release_key("k", "fish"); // a stored response is kept
    EXPECT_TRUE(catalog.claim_key("k", "bird").reused_for_different_request);
}

TEST_F(CatalogKeysTest, KeysExpireAfterADay)
{
    constexpr Micros day = 24ll * 60 * 60 * 1'000'000;
    const Micros start = now();
    catalog.claim_key("answered", "fish", start);
    catalog.store_response("answered", "fish", {201, "/v1/assets/1", "{}"});
    catalog.claim_key("left", "fish", start); // its server was killed
    catalog.claim_key("later", "fish", start + 1);
    EXPECT_TRUE(catalog.claim_key("answered", "fish", start + day).response);
    EXPECT_TRUE(catalog.claim_key("left", "bird", start + day).reused_for_different_request);

    const auto again = catalog.claim_key("answered", "bird", start + day + 1);
    EXPECT_FALSE(again.response);
    EXPECT_FALSE(again.reused_for_different_request);
    EXPECT_FALSE(catalog.claim_key("left", "bird", start + day + 1).reused_for_different_request);
    EXPECT_TRUE(catalog.claim_key("later", "bird", start + day + 1).reused_for_different_request);
    EXPECT_TRUE(catalog.claim_key("answered", "fish", start + day + day).reused_for_different_request)
        << "a day from its new claim on";
}

TEST_F(CatalogKeysTest, ARequestOfAProcessThatHasEndedLosesItsKey)
{
    const auto claim = [&] { return claim_request(catalog.connections(), "k", "fish"); };
    EXPECT_FALSE(claim().is_running);
    EXPECT_TRUE(claim().is_running);
    auto ended = process_owner(); // machine/boot/pid/start
    ended.replace(ended.rfind('/') + 1, std::string::npos, "1");
    catalog.connections().write([&](DatabaseConnection& sql) {
        sql << "UPDATE idempotency SET location = :owner", soci::use(ended);
    });
    EXPECT_FALSE(claim().is_running);
    EXPECT_TRUE(claim().is_running) << "the key is that of this process again";
    EXPECT_EQ(catalog.store_response("k", "fish", {201, "/v1/assets/1", "{}"}).location, "/v1/assets/1");
    EXPECT_EQ(claim().response.value().location, "/v1/assets/1");
}

TEST_F(CatalogKeysTest, ARequestThatHasEndedWithoutResponseLosesItsKey)
{
    const KeyLimits limits{.running = 1000};
    const Micros start = now();
    EXPECT_FALSE(claim_request(catalog.connections(), "k", "fish", start, limits).is_running);
    EXPECT_TRUE(claim_request(catalog.connections(), "k", "fish", start + 1000, limits).is_running);
    EXPECT_FALSE(claim_request(catalog.connections(), "k", "fish", start + 1001, limits).is_running);
    EXPECT_TRUE(claim_request(catalog.connections(), "k", "fish", start + 1002, limits).is_running)
        << "of the second";
}

TEST_F(CatalogKeysTest, TheNewestKeysAreKnown)
{
    const KeyLimits limits{.keys = 3};
    const Micros start = now();
    for (int i = 0; i < 5; ++i)
        claim_request(catalog.connections(), "k" + std::to_string(i), "fish", start + i, limits);
    EXPECT_FALSE(
        claim_request(catalog.connections(), "k0", "bird", start + 5, limits).reused_for_different_request);
    EXPECT_TRUE(
        claim_request(catalog.connections(), "k4", "bird", start + 6, limits).reused_for_different_request);
}

TEST_F(CatalogKeysTest, KeyWithoutResponseCanBeReleased)
{
    catalog.claim_key("k", "fish");
    catalog.release_key("k", "bird");
    EXPECT_TRUE(catalog.claim_key("k", "bird").reused_for_different_request);
    catalog.release_key("k", "fish");
    EXPECT_FALSE(catalog.claim_key("k", "bird").reused_for_different_request);
}

} // namespace
} // namespace vitrine::server::testing
