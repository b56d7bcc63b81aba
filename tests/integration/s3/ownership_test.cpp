// To which catalog the objects of a store belong, and what its servers know of them in common.

#include "server/services/catalog/blob_ledger.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/services/s3/s3_ownership.hpp"
#include "server/util/ids.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/integration/s3/blobs_of_server.hpp"
#include "tests/integration/s3/object_store.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/paths.hpp"
#include "tests/unit/server/services/support/fixture.hpp"
#include "tests/unit/server/services/support/stored_text.hpp"

namespace vitrine::test {
namespace {

using namespace std::chrono_literals;
using server::BlobLedger;
using server::BlobStore;
using server::Catalog;
using server::S3Client;
using server::StorageError;
using server::testing::bytes_of;
using server::testing::put_blob;
using server::testing::stored_text;

// A catalog in a file, and a server's view of the store.
struct OwningServer {
    OwningServer(const std::filesystem::path& folder, const server::S3BlobsConfig& config,
                 const std::string& catalog_name)
        : catalog(folder / catalog_name), ledger(catalog)
    {
        blobs = open_blobs(folder / server::new_id("data"), config, registry);
    }

    std::string store(std::string_view text) { return store_text(*blobs, text); }

    prometheus::Registry registry;
    Catalog catalog;
    BlobLedger ledger;
    std::unique_ptr<BlobStore> blobs;
};

class S3OwnershipTest : public ObjectStoreTest {
protected:
    std::unique_ptr<OwningServer> open(const std::string& prefix, const std::string& catalog)
    {
        server::S3BlobsConfig config{
            .store = store->options(prefix), .grace = 4s, .take_over = take_over, .first_collection = {}};
        config.store.deadline = 1s;
        return std::make_unique<OwningServer>(folder.path(), config, catalog);
    }

    bool take_over = false;
    prometheus::Registry registry;
};

std::string refusal(const std::function<void()>& call)
{
    try {
        call();
    } catch (const StorageError& error) {
        return error.what();
    }
    return {};
}

TEST_F(S3OwnershipTest, ServersOfOneCatalogShareAPrefix)
{
    const auto a = open("own-same", "catalog.sqlite"), b = open("own-same", "catalog.sqlite");
    EXPECT_EQ(a->ledger.identity(), b->ledger.identity());
    a->blobs->join(a->ledger);
    b->blobs->join(b->ledger);
    EXPECT_EQ(stored_text(*b->blobs, a->store("content")), "content");
}

TEST_F(S3OwnershipTest, AnotherCatalogIsRefusedUntilItTakesOver)
{
    const auto a = open("own-other", "a.sqlite");
    a->blobs->join(a->ledger);
    const auto hash = a->store("content");
    auto b = open("own-other", "b.sqlite");
    const auto sentence = refusal([&] { b->blobs->join(b->ledger); });
    EXPECT_NE(sentence.find("s3://vitrine/own-other/ belongs to another catalog (" + a->ledger.identity()),
              sentence.npos)
        << sentence;
    take_over = true;
    b = open("own-other", "b.sqlite");
    b->blobs->join(b->ledger);
    EXPECT_EQ(b->store("content"), hash);
    server::S3Client client(store->options("own-other"), registry);
    server::S3Ownership first(client, false);
    EXPECT_NE(refusal([&] { first.join(a->ledger); }), "");
    EXPECT_FALSE(first.confirm());
    EXPECT_NE(refusal([&] { first.require(); }), "");
}

// The garbage collector of the first catalog asks again before it removes anything.
TEST_F(S3OwnershipTest, NothingIsRemovedAfterAnotherHasTakenOver)
{
    const auto a = open("own-collect", "a.sqlite");
    a->blobs->join(a->ledger);
    a->store("content");
    take_over = true;
    const auto b = open("own-collect", "b.sqlite");
    b->blobs->join(b->ledger);
    std::stop_source stop;
    std::vector<std::string> found{"not yet"};
    std::jthread collector([&] { found = a->blobs->wait_for_candidates(stop.get_token()); });
    EXPECT_NE(b->blobs->wait_for_candidates({}), std::vector<std::string>()) << "the blob is old";
    // Each round asks for the owner, by at most two requests.
    EXPECT_TRUE(eventually([&, before = request_count(a->registry)] {
        return request_count(a->registry) >= before + 4;
    })) << "two more rounds";
    stop.request_stop();
    collector.join();
    EXPECT_EQ(found, std::vector<std::string>());
}

TEST_F(S3OwnershipTest, AnAbsentStoreIsAskedLater)
{
    const auto a = open("own-absent", "a.sqlite");
    store->stop();
    a->blobs->join(a->ledger);
    EXPECT_NE(refusal([&] { a->store("content"); }), "");
    store->start();
    EXPECT_TRUE(eventually([&] { return refusal([&] { a->store("content"); }).empty(); }));
    const auto b = open("own-absent", "b.sqlite");
    EXPECT_NE(refusal([&] { b->blobs->join(b->ledger); }), "");
}

TEST_F(S3OwnershipTest, StrangeOwnersAreShownWithoutControlCharacters)
{
    S3Client client(store->options("own-strange"), registry);
    client.put_text("owner", "a\x1b[31m\r\n" + std::string(5'000, 'x'));
    const auto a = open("own-strange", "a.sqlite");
    const auto sentence = refusal([&] { a->blobs->join(a->ledger); });
    EXPECT_NE(sentence.find("(a?[31m??xxx"), sentence.npos) << sentence;
    EXPECT_LT(sentence.size(), 500u);
}

// One server finds the damage, another has the content.
TEST_F(S3OwnershipTest, DamageIsKnownToAllServers)
{
    S3Client client(store->options("own-damage"), registry);
    const auto a = open("own-damage", "a.sqlite"), b = open("own-damage", "a.sqlite");
    a->blobs->join(a->ledger);
    b->blobs->join(b->ledger);
    const auto hash = a->store("content");
    client.put_text("blobs/" + hash, "xontent"); // young, with the right size
    EXPECT_EQ(b->blobs->find_local(hash).error().code, "blob_corrupt");
    EXPECT_TRUE(a->ledger.is_damaged(hash));
    EXPECT_EQ(a->store("content"), hash);
    EXPECT_FALSE(b->ledger.is_damaged(hash));
    EXPECT_EQ(stored_text(*b->blobs, hash), "content");
}

TEST_F(S3OwnershipTest, TheProgramRefusesToStart)
{
    const auto prefix = "own-program";
    const auto run = [&](const std::string& data, std::vector<std::string> more = {}) {
        auto flags = store->flags(prefix);
        flags.insert(flags.end(), more.begin(), more.end());
        return std::make_unique<ServerProcess>(folder.path() / data, flags);
    };
    EXPECT_NE(run("a")->port(), 0);
    auto other = run("b");
    EXPECT_EQ(other->port(), 0);
    EXPECT_EQ(other->wait(), 1);
    EXPECT_NE(run("b", {"--take-over-blobs"})->port(), 0);
    EXPECT_EQ(run("a")->port(), 0);
}

} // namespace
} // namespace vitrine::test
