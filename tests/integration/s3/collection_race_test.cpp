// Processes that upload, delete and upload again the same contents while all of them collect, on PostgreSQL
// and an object store. Skipped without VITRINE_TEST_DATABASE (script/with-postgres).

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <new>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/services/catalog/blob_ledger.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/services/storage/blob_garbage_collector.hpp"
#include "server/util/sha256.hpp"
#include "tests/integration/s3/blobs_of_server.hpp"
#include "tests/integration/s3/object_store.hpp"
#include "tests/support/catalog_place.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/support/fixture.hpp"

namespace vitrine::test {
namespace {

using namespace std::chrono_literals;
using server::testing::bytes_of;

constexpr unsigned race_contents = 12; // every fourth one is kept by some of its assets

std::string text_of_content(unsigned content)
{
    return "content of the race " + std::to_string(content);
}

// A server with a catalog, blobs and a garbage collector. Tiny times: a reference must follow within 1.5 s.
struct CollectingServer {
    CollectingServer(const std::string& location, const server::S3Options& store,
                     const std::filesystem::path& data)
        : client(store, registry), catalog(location), ledger(catalog)
    {
        blobs = open_blobs(data, {.store = store, .grace = 6s, .mark_life = 6s, .first_collection = {}},
                           registry);
        blobs->join(ledger);
        collector.emplace(catalog, *blobs, metrics);
        collector->start();
    }
    ~CollectingServer() { collector->stop(); }

    bool is_stored(const std::string& hash) { return client.find("blobs/" + hash).has_value(); }

    prometheus::Registry registry;
    server::Metrics metrics{registry};
    server::S3Client client;
    server::Catalog catalog;
    server::BlobLedger ledger;
    std::unique_ptr<server::BlobStore> blobs;
    std::optional<server::BlobGarbageCollector> collector;
};

// What one process has done; in memory that it shares with the test.
struct RaceCounts {
    std::atomic<int> uploads = 0, rejected = 0, deleted = 0, lost = 0, removed = 0;
};
struct RaceState {
    std::atomic<bool> is_over = false;
    std::array<RaceCounts, 3> processes{};
    static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);
};

// Of this process and those that it forks afterwards.
class SharedRaceState {
public:
    SharedRaceState()
    {
        void* memory =
            ::mmap(nullptr, sizeof(RaceState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        state_ = new (memory) RaceState; // NOLINT: destroyed with the mapping
    }
    ~SharedRaceState() { ::munmap(state_, sizeof(RaceState)); }
    SharedRaceState(const SharedRaceState&) = delete;
    SharedRaceState& operator=(const SharedRaceState&) = delete;
    RaceState* operator->() const { return state_; }
    RaceState& operator*() const { return *state_; }

private:
    RaceState* state_;
};

// Uploads a content as a new asset, which is in the store as long as it is not deleted.
void upload_and_delete(CollectingServer& server, const std::string& location, unsigned seed,
                       const std::atomic<bool>& is_over, RaceCounts& counts)
{
    std::minstd_rand random{seed};
    const auto sql = server::make_dialect(location)->connect(false);
    while (!is_over)
        try {
            const auto content = static_cast<unsigned>(random() % race_contents);
            const auto text = text_of_content(content);
            const auto blob = server::testing::put_blob(*server.blobs, bytes_of(text));
            server.blobs->make_durable(std::vector{blob.hash});
            const auto name = server::new_id("model");
            const auto created = server.catalog.create_assets(
                std::vector{server::NewAsset{name, name, {{name, blob.hash, text.size()}}}});
            ++counts.uploads;
            counts.removed = static_cast<int>(server.metrics.blobs_removed.Value());
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % 1'000));
            counts.lost += server.is_stored(blob.hash) ? 0 : 1;
            if (content % 4 == 0 && random() % 2 == 0) continue;
            *sql << "DELETE FROM files WHERE asset = '" + created.front().asset.id + "'";
            ++counts.deleted;
            std::this_thread::sleep_for(std::chrono::milliseconds(random() % 5'000));
        } catch (const server::StorageError&) {
            ++counts.rejected; // the blob is being removed: the client repeats the upload
        }
}

// In a child process; returns its exit status.
int run_race(const std::string& location, const server::S3Options& store, const std::filesystem::path& data,
             unsigned process, RaceState& race)
{
    CollectingServer server(location, store, data);
    auto& counts = race.processes[process];
    {
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < 3; ++i)
            threads.emplace_back(
                [&, i] { upload_and_delete(server, location, 10 * process + i + 1, race.is_over, counts); });
    }
    std::printf("%d uploads, %d rejected, %d deleted, %d lost, %d removed\n", counts.uploads.load(),
                counts.rejected.load(), counts.deleted.load(), counts.lost.load(), counts.removed.load());
    std::fflush(stdout);
    return counts.lost == 0 ? 0 : 1;
}

class CollectionRace : public ObjectStoreTest {
protected:
    void SetUp() override
    {
        if (server::testing::CatalogPlace::database().empty())
            GTEST_SKIP() << "needs PostgreSQL: script/with-postgres";
        ObjectStoreTest::SetUp();
    }

    // This process has no other threads: the child may go on without a new program.
    pid_t begin(const std::string& location, unsigned process)
    {
        const pid_t child = ::fork();
        if (child != 0) return child;
        int status = 2;
        try {
            status = run_race(location, options(), folder.path() / std::to_string(process), process, *race);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
        }
        ::_exit(status);
    }
    int uploads(std::initializer_list<std::size_t> processes) const
    {
        return sum(processes, &RaceCounts::uploads);
    }
    int removed(std::initializer_list<std::size_t> processes) const
    {
        return sum(processes, &RaceCounts::removed);
    }
    server::S3Options options() const { return store->options("race-" + folder.path().filename().string()); }

    SharedRaceState race;

private:
    int sum(std::initializer_list<std::size_t> processes, std::atomic<int> RaceCounts::* count) const
    {
        int total = 0;
        for (const auto process : processes)
            total += race->processes[process].*count;
        return total;
    }
};

int status_of(pid_t child)
{
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(CollectionRace, LosesNothingThatIsReferredTo)
{
    const server::testing::CatalogPlace place(folder.path());
    { // the schema
        server::Catalog catalog(place.location);
    }
    const auto a = begin(place.location, 0), b = begin(place.location, 1);
    EXPECT_TRUE(eventually([&] { return uploads({1}) >= 10 && removed({0, 1}) > 0; }));
    const auto c = begin(place.location, 2);
    ::kill(b, SIGKILL); // in the middle of something
    const int before = removed({0, 2});
    EXPECT_TRUE(eventually([&] { return uploads({0, 2}) >= 50 && removed({0, 2}) >= before + 3; }, 4min))
        << "blobs are removed while others are uploaded";
    race->is_over = true;
    EXPECT_EQ(status_of(b), 128 + SIGKILL);
    EXPECT_EQ(status_of(a), 0);
    EXPECT_EQ(status_of(c), 0);
    EXPECT_GT(uploads({2}), 3);
    CollectingServer last(place.location, options(), folder.path() / "last");
    std::set<std::string> kept, gone;
    for (unsigned i = 0; i < race_contents; ++i) {
        const auto hash = server::sha256_hex(text_of_content(i));
        (last.catalog.names_blob(hash) && i % 4 == 0 ? kept : gone).insert(hash);
    }
    const auto sql = server::make_dialect(place.location)->connect(false);
    for (const auto& hash : gone)
        *sql << "DELETE FROM files WHERE blob = '" + hash + "'";
    EXPECT_TRUE(eventually([&] {
        return std::ranges::none_of(gone, [&](const auto& hash) { return last.is_stored(hash); });
    })) << "what nothing refers to";
    EXPECT_FALSE(kept.empty());
    for (const auto& hash : kept)
        EXPECT_TRUE(last.is_stored(hash)) << hash;
}

} // namespace
} // namespace vitrine::test
