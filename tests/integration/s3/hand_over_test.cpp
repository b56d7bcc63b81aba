// Files that one server hands over to another for one request, in a real object store.

#include <csignal>
#include <future>

#include "server/services/s3/s3_client.hpp"
#include "server/services/storage/blob_garbage_collector.hpp"
#include "tests/integration/s3/blobs_of_server.hpp"
#include "tests/integration/s3/object_store.hpp"
#include "tests/integration/s3/roles_fixture.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/support/fixture.hpp"
#include "tests/unit/server/services/support/stored_text.hpp"

namespace vitrine::test {
namespace {

using namespace std::chrono_literals;
using server::BlobStore;
using server::S3Client;
using server::testing::bytes_of;
using server::testing::put_blob;
using server::testing::stored_text;

std::size_t count_objects(S3Client& client, const std::string& folder)
{
    return client.list(folder).objects.size();
}

class HandOverTest : public ObjectStoreTest {
protected:
    std::unique_ptr<BlobStore> open(const std::string& data, const server::S3Options& options,
                                    std::chrono::seconds grace = 3600s)
    {
        return open_blobs(folder.path() / data,
                          {.store = options, .grace = grace, .mark_life = 8s, .first_collection = {}},
                          registry);
    }

    prometheus::Registry registry;
};

TEST_F(HandOverTest, FilesExistForOneRequest)
{
    const auto options = store->options("request");
    const auto sender = open("a", options);
    const auto receiver = open("b", options);
    S3Client client(options, registry);
    const auto small = put_blob(*sender, bytes_of("content")), same = put_blob(*sender, bytes_of("content"));
    const auto large_text = std::string(17u << 20, 'x');
    const auto large = put_blob(*sender, bytes_of(large_text));
    const std::vector hashes{small.hash, same.hash, large.hash};
    auto handed = sender->hand_over(hashes), another = sender->hand_over(std::vector{small.hash});
    EXPECT_EQ(count_objects(client, "handed/"), 3u);
    EXPECT_EQ(count_objects(client, "blobs/"), 0u);
    {
        const auto received = receiver->receive(handed.place, hashes);
        ASSERT_TRUE(received);
        EXPECT_EQ(received->size(), hashes.size());
        EXPECT_EQ(stored_text(*receiver, small.hash), "content");
        EXPECT_EQ(stored_text(*receiver, large.hash), large_text);
    }
    handed.kept.reset();
    EXPECT_TRUE(eventually([&] { return count_objects(client, "handed/") == 1; })) << "of the other request";
    const auto late = open("c", options);
    EXPECT_EQ(late->receive(handed.place, hashes).error().code, "blob_missing");
    EXPECT_TRUE(late->receive(another.place, std::vector{small.hash}));
    EXPECT_EQ(late->receive(another.place, std::vector<std::string>{"../owner"}).error().code,
              "blob_missing");
    another.kept.reset();
    EXPECT_TRUE(eventually([&] { return count_objects(client, "handed/") == 0; }));
}

// Before, during and after the request.
TEST_F(HandOverTest, AnAssetOfTheSameContentStays)
{
    const auto options = store->options("same");
    const auto sender = open("a", options);
    const auto uploader = open("b", options);
    S3Client client(options, registry);
    const auto posted = put_blob(*sender, bytes_of("content")),
               uploaded = put_blob(*uploader, bytes_of("content"));
    for (int round = 0; round < 3; ++round) {
        auto handed = sender->hand_over(std::vector{posted.hash});
        auto upload =
            std::async(std::launch::async, [&] { uploader->make_durable(std::vector{uploaded.hash}); });
        handed.kept.reset();
        upload.get();
        EXPECT_TRUE(eventually([&] { return count_objects(client, "handed/") == 0; }));
        EXPECT_TRUE(client.find("blobs/" + uploaded.hash));
    }
}

// The process of the API is killed while its image waits for a worker.
TEST_F(Roles, FilesOfAKilledProcessAreRemovedAfterTheGracePeriod)
{
    const auto options = store->options(folder.path().filename());
    prometheus::Registry registry;
    S3Client client(options, registry);
    const auto model = koi_glb().bytes;
    EXPECT_EQ(fetch(api->port(), "POST", "/v1/render?w=64&name=koi.glb", {}, model).status, 200);
    EXPECT_TRUE(eventually([&] { return count_objects(client, "handed/") == 0; }));
    EXPECT_EQ(count_objects(client, "blobs/"), 0u) << "nothing of it is kept";
    for (auto& worker : workers)
        worker->signal(SIGSTOP);
    auto reply = std::async(std::launch::async, [&] {
        return fetch(api->port(), "POST", "/v1/render?w=65&name=koi.glb", {}, model);
    });
    EXPECT_TRUE(eventually([&] { return count_requests("state <> 'done'") == 1; }));
    api->signal(SIGKILL);
    EXPECT_EQ(api->wait(), 128 + SIGKILL);
    reply.wait();
    EXPECT_EQ(count_objects(client, "handed/"), 1u);
    for (auto& worker : workers)
        worker->signal(SIGCONT);
    const auto other =
        open_blobs(folder.path() / "other",
                   {.store = options, .grace = 2s, .mark_life = 8s, .first_collection = {}}, registry);
    server::Catalog assets(catalog);
    server::Metrics metrics(registry);
    server::BlobGarbageCollector collector(assets, *other, metrics);
    collector.start();
    EXPECT_TRUE(eventually([&] { return count_objects(client, "handed/") == 0; }));
    collector.stop();
}

} // namespace
} // namespace vitrine::test
