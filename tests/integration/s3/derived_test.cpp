// Derived files in a real object store that several processes share.

#include <array>
#include <thread>

#include "server/services/s3/s3_client.hpp"
#include "server/services/s3/s3_derived_store.hpp"
#include "server/services/storage/shared_derived.hpp"
#include "tests/integration/s3/object_store.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/support/cache_of_process.hpp"

namespace vitrine::test {
namespace {

using namespace std::chrono_literals;
using server::testing::CacheOfProcess;
using server::testing::key_named;
using server::testing::text_of;

class S3DerivedTest : public ObjectStoreTest {
protected:
    std::unique_ptr<CacheOfProcess> open(const std::string& name, const std::string& prefix)
    {
        return std::make_unique<CacheOfProcess>(
            folder.path() / name, server::make_s3_derived_store(store->options(prefix)), limits);
    }
    static std::string object_of(const std::string& name) { return "derived/" + key_named(name).digest(); }
    static std::uint64_t bytes_in(server::S3Client& client)
    {
        std::uint64_t bytes = 0;
        for (const auto& object : client.list("derived/").objects)
            bytes += object.size_bytes;
        return bytes;
    }

    server::SharedDerivedOptions limits{
        .missing_time = 1h, .answer_wait = 20s, .transfer_wait = 60s, .first_pause = 300ms};
    prometheus::Registry registry;
};

TEST_F(S3DerivedTest, EachProcessFindsWhatAnotherHasMade)
{
    const auto a = open("a", "derived-found"), b = open("b", "derived-found");
    EXPECT_EQ(b->find("picture"), "");
    EXPECT_TRUE(a->store("picture", "pixels"));
    ASSERT_TRUE(a->cache.publish(key_named("picture")));
    EXPECT_EQ(b->find("picture"), "") << "missing a moment ago";
    EXPECT_EQ(text_of(b->cache.find_published(key_named("picture")).value()), "pixels");
    EXPECT_EQ(open("c", "derived-found")->find("picture"), "pixels");
    b->store("picture", "pixels");
    EXPECT_TRUE(eventually([&] { return b->shared.known.Value() >= 1; }));
    EXPECT_EQ(b->shared.stored.Value(), 0.0);
}

TEST_F(S3DerivedTest, LargeFilesAreSentInParts)
{
    const auto a = open("a", "derived-large");
    const std::string scene((17u << 20) + 5, 's');
    a->store("scene", scene);
    ASSERT_TRUE(a->cache.publish(key_named("scene")));
    EXPECT_EQ(open("b", "derived-large")->find("scene"), scene);
}

TEST_F(S3DerivedTest, DamagedObjectsAreMadeAgain)
{
    limits.missing_time = 0ms;
    server::S3Client client(store->options("derived-damaged"), registry);
    const auto a = open("a", "derived-damaged");
    a->store("picture", "pixels");
    ASSERT_TRUE(a->cache.publish(key_named("picture")));
    int reader = 0;
    for (const char* bytes : {"", "pixels", "quixels and sixteen more"}) {
        client.put_text(object_of("picture"), bytes);
        const auto b = open("b" + std::to_string(++reader), "derived-damaged");
        EXPECT_EQ(b->find("picture"), "") << bytes;
        EXPECT_EQ(b->shared.damaged.Value(), 1.0);
        EXPECT_FALSE(client.find(object_of("picture")));
        b->store("picture", "pixels");
        ASSERT_TRUE(b->cache.publish(key_named("picture")));
        EXPECT_EQ(open("c" + std::to_string(reader), "derived-damaged")->find("picture"), "pixels");
    }
}

TEST_F(S3DerivedTest, AnAbsentStoreCostsABoundedTime)
{
    limits = {.missing_time = 0ms, .answer_wait = 200ms, .first_pause = 300ms};
    const auto a = open("a", "derived-absent"), b = open("b", "derived-absent");
    a->store("before", "pixels");
    ASSERT_TRUE(a->cache.publish(key_named("before")));
    store->stop();
    const auto begun = std::chrono::steady_clock::now();
    for (int i = 0; i < 40; ++i) {
        const auto name = "picture" + std::to_string(i);
        EXPECT_EQ(b->find(name), "");
        EXPECT_TRUE(b->store(name, "pixels"));
        EXPECT_EQ(b->find(name), "pixels");
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 40 * limits.answer_wait)
        << "it is not asked for a while";
    EXPECT_FALSE(b->cache.publish(key_named("picture0")));
    EXPECT_EQ(b->shared.is_available.Value(), 0.0);
    store->start();
    EXPECT_TRUE(eventually([&] { return b->find("before") == "pixels"; }));
    EXPECT_TRUE(eventually([&] { return b->cache.publish(key_named("picture0")).has_value(); }));
    EXPECT_EQ(b->shared.is_available.Value(), 1.0);
}

TEST_F(S3DerivedTest, RacingCollectorsHoldTheLimit)
{
    server::S3Client client(store->options("derived-race"), registry);
    limits.limit_bytes = 16 * 8'000; // objects of 1,000 bytes
    const std::array processes{open("a", "derived-race"), open("b", "derived-race")};
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < processes.size(); ++i)
            threads.emplace_back([&, i] {
                for (int n = 0; n < 120; ++n) {
                    auto& own = *processes[i];
                    const auto name = std::to_string(n) + (n % 2 == 0 ? "" : std::to_string(i));
                    own.store(name, std::string(1'000 - server::trailer_bytes, 'x'));
                    EXPECT_TRUE(own.cache.publish(key_named(name)));
                }
            });
    }
    EXPECT_TRUE(eventually([&] { // those that were offered
        return processes[0]->shared.removed.Value() + processes[1]->shared.removed.Value() > 0;
    }));
    for (const auto& process : processes)
        process->cache.interrupt();
    server::Metrics metrics(registry);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 2; ++i)
            threads.emplace_back([&] {
                server::SharedDerived tier(server::make_s3_derived_store(store->options("derived-race")),
                                           limits, metrics.shared_derived(), {});
                for (const char digit : std::string_view("0123456789abcdef"))
                    tier.collect(digit);
            });
    }
    EXPECT_LE(bytes_in(client), limits.limit_bytes);
    EXPECT_GT(bytes_in(client), limits.limit_bytes / 4);
}

} // namespace
} // namespace vitrine::test
