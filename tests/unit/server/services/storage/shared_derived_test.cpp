// Derived files that several caches share in a folder.

#include <atomic>
#include <filesystem>
#include <fstream>
#include <latch>
#include <thread>
#include <vector>

#include "loaders/base/stop.hpp"
#include "server/util/circuit_breaker.hpp"
#include "tests/unit/server/services/storage/shared_derived_fixture.hpp"

namespace vitrine::server::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using vitrine::test::eventually;

TEST_F(SharedDerivedTest, EachFindsWhatAnotherHasMade)
{
    const auto a = open("a"), b = open("b");
    EXPECT_TRUE(a->store("picture", "pixels"));
    ASSERT_TRUE(eventually([&] { return is_shared("picture"); }));
    EXPECT_EQ(b->find("picture"), "pixels");
    EXPECT_EQ(b->metrics.derived_hits.Value(), 1.0);
    EXPECT_EQ(b->metrics.derived_misses.Value(), 0.0);
    fs::rename(place, folder() / "away");
    EXPECT_EQ(b->find("picture"), "pixels") << "it has a file of its own since";
}

TEST_F(SharedDerivedTest, OpenReadsTheSharedFile)
{
    const auto a = open("a"), b = open("b");
    a->store("mesh", "vertices");
    ASSERT_TRUE(a->cache.publish(key_named("mesh")));
    const auto found = b->cache.open(key_named("mesh"));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size_bytes, 8u);
    const auto file = open("c")->cache.open_or_store(key_named("mesh"), [](const ContentSink&) {
        ADD_FAILURE() << "it need not be made";
        return Result<void>();
    });
    EXPECT_TRUE(file && *file);
}

TEST_F(SharedDerivedTest, WhatIsThereIsNotStoredAgain)
{
    const auto a = open("a"), b = open("b");
    a->store("picture", "pixels");
    ASSERT_TRUE(a->cache.publish(key_named("picture")));
    EXPECT_TRUE(eventually([&] { return a->shared.stored.Value() + a->known() == 2; })) << "sent twice";
    const auto written = fs::last_write_time(path_of("picture"));
    b->store("picture", "pixels");
    EXPECT_TRUE(eventually([&] { return b->known() == 1; }));
    EXPECT_EQ(fs::last_write_time(path_of("picture")), written);
    EXPECT_EQ(b->shared.stored.Value(), 0.0);
}

TEST_F(SharedDerivedTest, PublishedFilesAreFoundInSpiteOfARememberedMiss)
{
    const auto worker = open("worker"), api = open("api");
    EXPECT_EQ(api->find("picture"), "");
    EXPECT_EQ(worker->cache.publish(key_named("picture")).error().code, "storage_unavailable")
        << "it was never stored";
    worker->store("picture", "pixels");
    ASSERT_TRUE(worker->cache.publish(key_named("picture")));
    EXPECT_EQ(api->find("picture"), "") << "missing a moment ago";
    EXPECT_EQ(api->shared.missing.Value(), 1.0);
    EXPECT_EQ(text_of(api->cache.find_published(key_named("picture")).value()), "pixels");
    DerivedCache alone(folder() / "alone", 1 << 20, api->metrics);
    EXPECT_FALSE(alone.is_shared());
    EXPECT_EQ(alone.publish(key_named("picture")).error().kind, Errc::unavailable);
}

TEST_F(SharedDerivedTest, AMissWritesNothing)
{
    const auto a = open("a");
    EXPECT_EQ(a->find("picture"), "");
    EXPECT_EQ(a->shared.missing.Value(), 1.0);
    EXPECT_FALSE(fs::exists(folder() / "a")) << "neither a folder nor a file that was removed again";
}

TEST_F(SharedDerivedTest, MissesAreForgotten)
{
    options.missing_time = 50ms;
    const auto a = open("a"), b = open("b");
    EXPECT_EQ(b->find("picture"), "");
    a->store("picture", "pixels");
    EXPECT_TRUE(eventually([&] { return b->find("picture") == "pixels"; }));
}

TEST_F(SharedDerivedTest, DamagedObjectsAreMadeAgain)
{
    options.missing_time = 0ms;
    const auto a = open("a");
    a->store("picture", "pixels of a picture");
    ASSERT_TRUE(a->cache.publish(key_named("picture")));
    // A file that is still being stored would replace the damaged one.
    ASSERT_TRUE(eventually([&] { return a->shared.stored.Value() + a->known() == 2; }));
    const auto whole = fs::file_size(path_of("picture"));
    int reader = 0;
    for (const std::uintmax_t size : {whole, whole - 1, std::uintmax_t{3}, std::uintmax_t{0}}) {
        std::fstream(path_of("picture"), std::ios::in | std::ios::out) << "P";
        fs::resize_file(path_of("picture"), size);
        const auto b = open("b" + std::to_string(++reader));
        EXPECT_EQ(b->find("picture"), "") << size;
        EXPECT_EQ(b->shared.damaged.Value(), 1.0);
        EXPECT_FALSE(is_shared("picture"));
        b->store("picture", "pixels of a picture");
        ASSERT_TRUE(b->cache.publish(key_named("picture")));
        EXPECT_EQ(open("c" + std::to_string(reader))->find("picture"), "pixels of a picture");
    }
}

TEST_F(SharedDerivedTest, WorksWithoutTheStoreUntilItIsBack)
{
    options.missing_time = 0ms;
    const auto a = open("a"), b = open("b");
    fs::rename(place, folder() / "away");
    for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(a->store("picture" + std::to_string(i), "pixels"));
        EXPECT_EQ(a->find("picture" + std::to_string(i)), "pixels");
        EXPECT_EQ(b->find("picture" + std::to_string(i)), "");
    }
    EXPECT_FALSE(a->cache.publish(key_named("picture0")));
    EXPECT_TRUE(eventually([&] { return a->shared.is_available.Value() == 0; }));
    EXPECT_FALSE(fs::exists(place)) << "nothing is written beside the file system that is gone";
    fs::rename(folder() / "away", place);
    EXPECT_TRUE(eventually([&] { return a->cache.publish(key_named("picture0")).has_value(); }));
    EXPECT_EQ(a->shared.is_available.Value(), 1.0);
    EXPECT_TRUE(eventually([&] { return b->find("picture0") == "pixels"; }));
}

// A folder whose reads wait until they are let through.
class SlowStore final : public DerivedStore {
public:
    SlowStore(const fs::path& place, std::latch& go, std::atomic<int>& reads)
        : store_(make_folder_derived_store(place)), go_(go), reads_(reads)
    {
    }
    std::optional<DerivedObject> find(const std::string& digest) override { return store_->find(digest); }
    bool get(const std::string& digest, const std::function<void(std::span<const std::byte>)>& sink) override
    {
        ++reads_;
        go_.wait();
        return store_->get(digest, sink);
    }
    void put(const std::string& digest, const fs::path& file) override { store_->put(digest, file); }
    void remove(const std::string& digest) override { store_->remove(digest); }
    void list(char digit, const std::function<bool(DerivedObject)>& visit) override
    {
        store_->list(digit, visit);
    }

private:
    std::unique_ptr<DerivedStore> store_;
    std::latch& go_;
    std::atomic<int>& reads_;
};

TEST_F(SharedDerivedTest, ASlowStoreIsNotWaitedFor)
{
    options.answer_wait = 20ms;
    options.first_pause = 1h;
    const auto a = open("a");
    for (const char* name : {"0", "1", "2", "3"}) {
        a->store(name, "pixels");
        ASSERT_TRUE(a->cache.publish(key_named(name)));
    }
    std::latch go(1);
    std::atomic<int> reads = 0;
    CacheOfProcess b(folder() / "b", std::make_unique<SlowStore>(place, go, reads), options);
    for (const char* name : {"0", "1", "2"})
        EXPECT_EQ(b.find(name), "");
    EXPECT_TRUE(eventually([&] { return reads == 3; }));
    EXPECT_EQ(b.shared.is_available.Value(), 0.0);
    EXPECT_EQ(b.find("3"), "");
    EXPECT_EQ(reads, 3) << "it is not asked for a while";
    go.count_down();
    EXPECT_TRUE(eventually([&] { return b.cache.contains(key_named("2")); })) << "what came late is kept";
    EXPECT_EQ(b.find("2"), "pixels");
}

TEST_F(SharedDerivedTest, EqualRequestsFetchOnce)
{
    const auto a = open("a");
    a->store("picture", "pixels");
    ASSERT_TRUE(a->cache.publish(key_named("picture")));
    options.answer_wait = 20ms;
    std::latch go(1);
    std::atomic<int> reads = 0;
    CacheOfProcess b(folder() / "b", std::make_unique<SlowStore>(place, go, reads), options);
    for (int i = 1; i <= 6; ++i) {
        EXPECT_EQ(b.find("picture"), "");
        EXPECT_EQ(b.shared.unanswered.Value(), i) << "it waited for the first fetch";
    }
    EXPECT_TRUE(eventually([&] { return reads == 1; }));
    go.count_down();
    EXPECT_TRUE(eventually([&] { return b.cache.contains(key_named("picture")); }));
    EXPECT_EQ(reads, 1);
}

TEST_F(SharedDerivedTest, AllThatWaitGetTheFetchedFile)
{
    const auto a = open("a");
    a->store("picture", "pixels");
    ASSERT_TRUE(a->cache.publish(key_named("picture")));
    options.answer_wait = vitrine::test::wait_timeout;
    options.transfer_wait = vitrine::test::wait_timeout;
    std::latch go(1);
    std::atomic<int> reads = 0, found = 0;
    CacheOfProcess b(folder() / "b", std::make_unique<SlowStore>(place, go, reads), options);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 6; ++i)
            threads.emplace_back([&] { found += b.find("picture") == "pixels" ? 1 : 0; });
        EXPECT_TRUE(eventually([&] { return reads == 1; }));
        go.count_down();
    }
    EXPECT_EQ(found, 6);
    EXPECT_EQ(reads, 1);
}

TEST_F(SharedDerivedTest, AStoppedRequestDoesNotWait)
{
    options.answer_wait = 1h;
    std::latch go(1);
    std::atomic<int> reads = 0;
    CacheOfProcess b(folder() / "b", std::make_unique<SlowStore>(place, go, reads), options);
    std::stop_source stop;
    std::jthread client([&] {
        const StopScope scope(stop.get_token());
        EXPECT_EQ(b.find("picture"), "");
    });
    EXPECT_TRUE(eventually([&] { return reads == 1; }));
    stop.request_stop();
    client.join();
    go.count_down();
}

std::chrono::hours age_of(const fs::path& path)
{
    return std::chrono::duration_cast<std::chrono::hours>(fs::file_time_type::clock::now() -
                                                          fs::last_write_time(path));
}

TEST_F(SharedDerivedTest, FilesInUseStayYoung)
{
    const auto a = open("a");
    a->store("picture", "pixels");
    ASSERT_TRUE(eventually([&] { return fs::exists(path_of("picture")); })) << "it is sent once";
    make_old(path_of("picture"), 100h);
    EXPECT_EQ(a->find("picture"), "pixels");
    EXPECT_GE(age_of(path_of("picture")), 99h) << "this process has refreshed it within a day";
    const auto b = open("b");
    EXPECT_EQ(b->find("picture"), "pixels");
    EXPECT_TRUE(eventually([&] { return age_of(path_of("picture")) < 1h; }));
}

TEST(CircuitBreakerTest, OneCallTriesAgainAfterAPause)
{
    CircuitBreaker breaker(100ms);
    EXPECT_FALSE(breaker.fail());
    EXPECT_FALSE(breaker.fail());
    EXPECT_TRUE(breaker.admit());
    EXPECT_TRUE(breaker.fail());
    EXPECT_FALSE(breaker.admit());
    EXPECT_TRUE(eventually([&] { return breaker.admit(); }));
    EXPECT_FALSE(breaker.admit()) << "one at a time";
    EXPECT_TRUE(breaker.succeed());
    EXPECT_TRUE(breaker.admit());
    EXPECT_FALSE(breaker.succeed()) << "no news";
}

} // namespace
} // namespace vitrine::server::testing
