// Blobs in a real object store that several servers share.

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "server/services/s3/s3_client.hpp"
#include "server/services/storage/blob_garbage_collector.hpp"
#include "server/util/sha256.hpp"
#include "tests/integration/s3/blobs_of_server.hpp"
#include "tests/integration/s3/object_store.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/support/fixture.hpp"
#include "tests/unit/server/services/support/log_watch.hpp"
#include "tests/unit/server/services/support/stored_text.hpp"

namespace vitrine::test {
namespace {

using namespace std::chrono_literals;
using server::BlobStore;
using server::S3Client;
using server::StorageError;
using server::testing::bytes_of;
using server::testing::LogWatch;
using server::testing::put_blob;
using server::testing::stored_text;

class S3BlobsTest : public ObjectStoreTest {
protected:
    // A server's view of the store; each has a data folder of its own.
    std::unique_ptr<BlobStore> open(const std::string& data, const std::string& prefix)
    {
        server::S3BlobsConfig config{
            .store = store->options(prefix), .grace = grace, .mark_life = mark_life, .first_collection = {}};
        config.store.deadline = deadline;
        return open_blobs(folder.path() / data, config, registry);
    }

    prometheus::Registry registry;
    std::chrono::seconds grace{3600}, mark_life{60};
    std::chrono::milliseconds deadline{20'000};
};

TEST_F(S3BlobsTest, EachServerReadsWhatAnotherHasStored)
{
    const auto first = open("a", "shared"), second = open("b", "shared");
    const auto hash = store_text(*first, "content");
    EXPECT_EQ(stored_text(*second, hash), "content");
    EXPECT_EQ(second->find_local(std::string(64, '0')).error().code, "blob_missing");
    EXPECT_EQ(second->find_local("../../etc/passwd").error().code, "blob_missing");
}

TEST_F(S3BlobsTest, ManyBlobsAreFetchedAtATime)
{
    const auto blobs = open("a", "many"), other = open("b", "many");
    std::vector<std::string> hashes{std::string(64, '0')}; // a missing one is no error
    for (int i = 0; i < 40; ++i)
        hashes.push_back(put_blob(*blobs, bytes_of(std::to_string(i))).hash);
    EXPECT_THROW(blobs->make_durable(hashes), StorageError) << "one was never written";
    blobs->make_durable(std::span(hashes).subspan(1));
    other->prefetch(hashes);
    EXPECT_EQ(server::testing::files_under(folder.path() / "b/blob-cache"), 40u);
}

// Uploads of stateless requests and unpacked zips are never sent to the store.
TEST_F(S3BlobsTest, OnlyDurableBlobsAreSent)
{
    const auto blobs = open("a", "durable");
    S3Client client(store->options("durable"), registry);
    auto blob = put_blob(*blobs, bytes_of("temporary"));
    EXPECT_EQ(stored_text(*blobs, blob.hash), "temporary");
    EXPECT_FALSE(client.find("blobs/" + blob.hash));
    blobs->make_durable(std::vector{blob.hash});
    EXPECT_TRUE(client.find("blobs/" + blob.hash));
}

TEST_F(S3BlobsTest, DamagedObjectsAreFoundAndRepaired)
{
    S3Client client(store->options("damaged"), registry);
    const auto hash = store_text(*open("a", "damaged"), "content");
    for (const char* bytes : {"xontent", "cont", ""}) {
        client.put_text("blobs/" + hash, bytes);
        const auto other = open("b", "damaged");
        const auto found = other->find_local(hash);
        ASSERT_FALSE(found) << bytes;
        EXPECT_EQ(found.error().code, "blob_corrupt");
        EXPECT_EQ(found.error().kind, server::Errc::unavailable);
        EXPECT_EQ(store_text(*other, "content"), hash);
        EXPECT_EQ(stored_text(*open("c", "damaged"), hash), "content");
        std::filesystem::remove_all(folder.path() / "b");
        std::filesystem::remove_all(folder.path() / "c");
    }
}

TEST_F(S3BlobsTest, CopiesAreReadWithoutTheStore)
{
    deadline = 1s;
    const auto blobs = open("a", "copies"), other = open("b", "copies");
    const auto hash = store_text(*blobs, "content");
    store->stop();
    EXPECT_EQ(stored_text(*blobs, hash), "content");
    EXPECT_THROW(other->find_local(hash), StorageError);
    EXPECT_THROW(store_text(*blobs, "more"), StorageError);
    store->start();
    EXPECT_TRUE(eventually([&] {
        try {
            return stored_text(*other, hash) == "content";
        } catch (const StorageError&) {
            return false;
        }
    }));
}

TEST_F(S3BlobsTest, AreRemovedWhenOldUnlessPinnedOrWanted)
{
    grace = 2s;
    mark_life = 8s;
    const auto blobs = open("a", "removal"), other = open("b", "removal");
    auto blob = put_blob(*blobs, bytes_of("content"));
    blobs->make_durable(std::vector{blob.hash});
    const auto remove = [&](BlobStore& by, bool wanted) {
        return by.remove_unless(blob.hash, [=] { return wanted; });
    };
    EXPECT_FALSE(remove(*other, false)) << "it is young: an upload may be about to refer to it";
    std::size_t seen = 0;
    const auto count = [&](const std::string&) { return ++seen > 0; };
    other->visit(count);
    EXPECT_EQ(seen, 0u);
    ASSERT_TRUE(eventually([&] {
        other->visit(count);
        return seen == 1;
    }));
    EXPECT_FALSE(remove(*blobs, false)) << "an upload of this server holds it";
    blob.pin.reset();
    EXPECT_FALSE(remove(*blobs, true));
    EXPECT_EQ(blobs->wait_for_candidates({}), std::vector{blob.hash});
    EXPECT_TRUE(remove(*blobs, false));
    EXPECT_EQ(open("c", "removal")->find_local(blob.hash).error().code, "blob_missing");
}

TEST_F(S3BlobsTest, TheGarbageCollectorRemovesWhatNoAssetNames)
{
    grace = 2s;
    mark_life = 8s;
    const auto blobs = open("a", "collector");
    S3Client client(store->options("collector"), registry);
    server::Catalog catalog(folder.path() / "catalog.sqlite");
    server::Metrics metrics(registry);
    const auto wanted = store_text(*blobs, "wanted"), unwanted = store_text(*blobs, "unwanted");
    catalog.create_assets(std::vector{server::NewAsset{"a", "a.obj", {{"a.obj", wanted, 6}}}});
    server::BlobGarbageCollector collector(catalog, *blobs, metrics);
    collector.start();
    EXPECT_TRUE(eventually([&] { return metrics.blobs_removed.Value() == 1.0; }));
    collector.stop();
    EXPECT_TRUE(client.find("blobs/" + wanted));
    EXPECT_FALSE(client.find("blobs/" + unwanted));
}

// Otherwise a server that was started with another catalog by mistake would remove the blobs of all.
TEST_F(S3BlobsTest, ServersWithAnEmptyCatalogRemoveNothing)
{
    grace = 2s;
    mark_life = 8s;
    const auto blobs = open("a", "empty");
    S3Client client(store->options("empty"), registry);
    server::Catalog catalog(folder.path() / "catalog.sqlite");
    server::Metrics metrics(registry);
    const auto unwanted = store_text(*blobs, "unwanted");
    const LogWatch log("objects of the store are kept");
    server::BlobGarbageCollector collector(catalog, *blobs, metrics);
    collector.start();
    EXPECT_TRUE(eventually([&] { return log.lines() > 0; })) << "it is old";
    // A round lists what it may remove by a few requests.
    EXPECT_TRUE(eventually([&, before = request_count(registry)] {
        return request_count(registry) >= before + 10;
    })) << "more rounds";
    EXPECT_TRUE(client.find("blobs/" + unwanted));
    catalog.create_assets(std::vector{server::NewAsset{"a", "a.obj", {{"a.obj", std::string(64, '0'), 6}}}});
    EXPECT_TRUE(eventually([&] { return !client.find("blobs/" + unwanted); }));
    collector.stop();
}

// What the servers share: which blobs their catalog refers to.
class SharedReferences {
public:
    void add(const std::string& hash, int count)
    {
        const std::lock_guard lock(mutex);
        counts[hash] += count;
    }
    // The answer is late, so that uploads fall between it and the removal.
    bool is_wanted(const std::string& hash)
    {
        const bool wanted = contains(hash);
        std::this_thread::sleep_for(700ms);
        return wanted;
    }

private:
    bool contains(const std::string& hash)
    {
        const std::lock_guard lock(mutex);
        return counts[hash] > 0;
    }

    std::mutex mutex;
    std::map<std::string, int> counts;
};

std::string racing_text(unsigned content)
{
    return "content " + std::to_string(content);
}

// Servers on one store, and what their threads have done.
struct Race {
    static constexpr unsigned contents = 6;

    // Uploads random contents and refers to each for a moment, in which the store must have it.
    void run_uploads(BlobStore& blobs, unsigned seed)
    {
        std::minstd_rand random{seed};
        while (!is_over)
            try {
                const auto blob = put_blob(blobs, bytes_of(racing_text(random() % contents)));
                blobs.make_durable(std::vector{blob.hash});
                references.add(blob.hash, 1);
                ++uploads;
                std::this_thread::sleep_for(std::chrono::milliseconds(900));
                lost += client.find("blobs/" + blob.hash) ? 0 : 1;
                references.add(blob.hash, -1);
                std::this_thread::sleep_for(std::chrono::milliseconds(random() % 2500));
            } catch (const StorageError&) {
                ++rejected; // the blob is being removed: the client repeats the upload
            }
    }

    void run_removals(BlobStore& blobs, unsigned content)
    {
        const auto hash = server::sha256_hex(racing_text(content));
        while (!is_over) {
            removals += blobs.remove_unless(hash, [&] { return references.is_wanted(hash); }) ? 1 : 0;
            std::this_thread::sleep_for(200ms);
        }
    }

    S3Client& client;
    std::atomic<bool> is_over = false;
    SharedReferences references{};
    std::atomic<int> uploads = 0, rejected = 0, removals = 0, lost = 0;
};

// Two servers upload few contents again and again while both remove what nothing refers to. Whatever is
// referred to must be in the store.
TEST_F(S3BlobsTest, RacingUploadsAndRemovalsLoseNothing)
{
    grace = 2s;
    mark_life = 6s;
    const std::array servers{open("a", "race"), open("b", "race")};
    S3Client client(store->options("race"), registry);
    Race race{client};
    {
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < 8; ++i)
            threads.emplace_back([&, i] { race.run_uploads(*servers[i % 2], i + 1); });
        for (unsigned i = 0; i < 2 * Race::contents; ++i)
            threads.emplace_back([&, i] { race.run_removals(*servers[i % 2], i / 2); });
        EXPECT_TRUE(eventually([&] { return race.uploads > 20 && race.removals > 2; }));
        race.is_over = true;
    }
    std::printf("%d uploads, %d rejected, %d removals\n", race.uploads.load(), race.rejected.load(),
                race.removals.load());
    EXPECT_EQ(race.lost, 0);
}

} // namespace
} // namespace vitrine::test
