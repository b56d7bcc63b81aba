// Uploads in pieces: what is acknowledged is stored, and found by other processes.

#include <fstream>

#include <gtest/gtest.h>

#include "server/services/uploads/upload_store.hpp"
#include "server/util/sha256.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;

class CatalogUploadTest : public CatalogTest {
protected:
    static OpenUpload of_length(std::uint64_t length, std::string concat = {})
    {
        return {.name = "a/koi.glb",
                .metadata = "filename a29pLmdsYg==",
                .concat = std::move(concat),
                .length = length};
    }
    UploadStore make_store(const UploadLimits& limits = {})
    {
        return {catalog.connections(), *blobs, limits};
    }
    static Result<OpenUpload> append(UploadStore& store, const std::string& id, std::uint64_t offset,
                                     std::string_view bytes)
    {
        const auto part = store.write_part();
        part->write(std::as_bytes(std::span(bytes)));
        return store.append(id, offset, *part);
    }
    std::string bytes_of_blob(const std::string& hash)
    {
        std::ifstream file(blobs->find_local(hash).value().path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    bool is_stored(const std::string& bytes) { return blobs->find_local(sha256_hex(bytes)).has_value(); }
    // Removes what the collector would.
    void collect(std::initializer_list<std::string> contents)
    {
        for (const auto& bytes : contents) {
            const auto hash = sha256_hex(bytes);
            blobs->remove_unless(hash, [&] { return catalog.names_blob(hash); });
        }
    }

    std::unique_ptr<BlobStore> blobs = make_file_blob_store(folder() / "data");
};

TEST_F(CatalogUploadTest, PiecesBecomeOneFile)
{
    auto store = make_store();
    const auto id = store.create(of_length(6)).value().id;
    EXPECT_EQ(append(store, id, 0, "abc").value().received, 3u);
    const auto early = store.read_file(store.find(id).value());
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, "upload_unfinished");
    auto other = make_store(); // of another process
    EXPECT_EQ(append(other, id, 3, "def").value().received, 6u);
    const auto file = store.read_file(store.find(id).value()).value();
    EXPECT_EQ(file.name, "a/koi.glb");
    EXPECT_EQ(file.size_bytes, 6u);
    EXPECT_EQ(file.blob, sha256_hex("abcdef"));
    EXPECT_EQ(bytes_of_blob(file.blob), "abcdef");
}

TEST_F(CatalogUploadTest, PieceThatBeginsElsewhereIsRejected)
{
    auto store = make_store();
    const auto id = store.create(of_length(6)).value().id;
    EXPECT_TRUE(append(store, id, 0, "abc"));
    for (const std::uint64_t offset : {0u, 2u, 4u}) {
        const auto rejected = append(store, id, offset, "x");
        ASSERT_FALSE(rejected);
        EXPECT_EQ(rejected.error().code, "offset_mismatch");
    }
    EXPECT_EQ(store.find(id).value().received, 3u);
    EXPECT_EQ(append(store, "upload_other", 0, "x").error().code, "no_upload");
}

TEST_F(CatalogUploadTest, BlobsOfPiecesAreKeptUntilTheUploadIsRemoved)
{
    auto store = make_store();
    const auto upload = store.create(of_length(6)).value();
    EXPECT_TRUE(append(store, upload.id, 0, "abc"));
    collect({"abc"});
    EXPECT_TRUE(is_stored("abc"));
    std::stop_source stop;
    EXPECT_FALSE(blobs->wait_for_candidates(stop.get_token()).empty()); // its pin is gone
    EXPECT_TRUE(store.remove(upload));
    EXPECT_FALSE(store.remove(upload));
    EXPECT_FALSE(store.find(upload.id));
    EXPECT_EQ(blobs->wait_for_candidates(stop.get_token()), std::vector{sha256_hex("abc")});
    collect({"abc"});
    EXPECT_FALSE(is_stored("abc"));
}

TEST_F(CatalogUploadTest, FileOfOnePieceIsItsBlobAndPinned)
{
    auto store = make_store();
    const auto upload = store.create(of_length(3)).value();
    EXPECT_TRUE(append(store, upload.id, 0, "abc"));
    auto file = store.read_file(store.find(upload.id).value()).value();
    store.remove(upload);
    collect({"abc"});
    EXPECT_TRUE(is_stored("abc"));
    file = {};
    collect({"abc"});
    EXPECT_FALSE(is_stored("abc"));
}

TEST_F(CatalogUploadTest, EmptyFileIsFinishedAtOnce)
{
    auto store = make_store();
    const auto upload = store.create(of_length(0)).value();
    EXPECT_TRUE(upload.is_finished());
    EXPECT_EQ(store.read_file(upload).value().blob, sha256_hex(""));
}

TEST_F(CatalogUploadTest, NumberBytesAndPiecesAreBounded)
{
    auto store = make_store({.max_bytes = 10, .max_uploads = 2, .max_parts = 2});
    const auto first = store.create(of_length(8)).value();
    EXPECT_EQ(store.create(of_length(3)).error().code, "uploads_full");
    EXPECT_TRUE(store.create(of_length(2)));
    EXPECT_EQ(store.create(of_length(0)).error().code, "uploads_full");
    EXPECT_TRUE(append(store, first.id, 0, "a"));
    EXPECT_TRUE(append(store, first.id, 1, "b"));
    EXPECT_EQ(append(store, first.id, 2, "c").error().code, "limit_exceeded");
    EXPECT_TRUE(store.remove(first));
    EXPECT_TRUE(store.create(of_length(8)));
}

TEST_F(CatalogUploadTest, PiecesOfJoinedUploadsAreBounded)
{
    auto store = make_store({.max_parts = 3});
    const auto part = store.create(of_length(2, "partial")).value();
    EXPECT_TRUE(append(store, part.id, 0, "a"));
    EXPECT_TRUE(append(store, part.id, 1, "b"));
    EXPECT_EQ(store.join({.concat = "final;x", .partials = {part.id, part.id}}).error().code,
              "limit_exceeded");
    const auto joined = store.join({.concat = "final;x", .partials = {part.id}});
    ASSERT_TRUE(joined) << "nothing of the other one is left";
    EXPECT_EQ(store.read_file(*joined).value().blob, sha256_hex("ab"));
}

TEST_F(CatalogUploadTest, ExpiredUploadsAreGoneAndRemoved)
{
    auto store = make_store({.max_uploads = 1, .lifetime = 0s});
    const auto made = store.create(of_length(3));
    EXPECT_FALSE(made) << "expired before it was read";
    auto lasting = make_store({.max_uploads = 1});
    const auto upload = lasting.create(of_length(3)).value();
    auto expiring = make_store({.lifetime = 0s});
    EXPECT_FALSE(append(expiring, upload.id, 0, "abc"));
    EXPECT_FALSE(lasting.find(upload.id));
    collect({"abc"});
    expiring.remove_expired();
    collect({"abc"});
    EXPECT_FALSE(is_stored("abc"));
    EXPECT_TRUE(lasting.create(of_length(3)));
}

TEST_F(CatalogUploadTest, FinishedPartialUploadsAreJoined)
{
    auto store = make_store();
    const auto first = store.create(of_length(3, "partial")).value();
    const auto second = store.create(of_length(2, "partial")).value();
    const auto single = store.create(of_length(0)).value();
    EXPECT_TRUE(append(store, first.id, 0, "abc"));
    OpenUpload whole{.name = "w", .concat = "final;x", .partials = {first.id, second.id}};
    EXPECT_EQ(store.join(whole).error().code, "upload_unfinished");
    EXPECT_EQ(store.join({.concat = "final;x", .partials = {single.id}}).error().code, "bad_upload");
    EXPECT_EQ(store.join({.concat = "final;x", .partials = {"upload_other"}}).error().code, "no_upload");
    EXPECT_TRUE(append(store, second.id, 0, "de"));
    const auto joined = store.join(whole).value();
    EXPECT_EQ(joined.length, 5u);
    EXPECT_TRUE(joined.is_finished());
    EXPECT_EQ(store.read_file(joined).value().blob, sha256_hex("abcde"));
    EXPECT_TRUE(store.remove(joined));
    EXPECT_FALSE(store.find(first.id));
}

} // namespace
} // namespace vitrine::server::testing
