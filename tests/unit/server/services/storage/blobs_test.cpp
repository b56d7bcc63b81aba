#include "server/services/storage/blob_store.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <future>
#include <stdexcept>
#include <thread>

#include "server/services/catalog/blob_ledger.hpp"
#include "server/services/storage/durable_folders.hpp"
#include "server/util/sha256.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/support/fixture.hpp"
#include "tests/unit/server/services/support/migrated_catalog.hpp"
#include "tests/unit/server/services/support/small_filesystem.hpp"
#include "tests/unit/server/services/support/stored_text.hpp"

namespace vitrine::server::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

using Blobs = ServicesTest;

// Returns how many times this thread has called write() and the like (proc(5), /proc/pid/io).
std::uint64_t write_calls()
{
    std::ifstream counters("/proc/thread-self/io");
    std::string name;
    std::uint64_t value = 0;
    while (counters >> name >> value)
        if (name == "syscw:") return value;
    ADD_FAILURE() << "/proc/thread-self/io has no syscw";
    return 0;
}

TEST_F(Blobs, BelongToOneCatalog)
{
    Catalog first(with_tables(folder() / "first.sqlite")), second(with_tables(folder() / "second.sqlite"));
    BlobLedger of_first(first), of_second(second);
    put_blob(*make_file_blob_store(folder()), bytes_of("abc"));
    for (int start = 0; start < 2; ++start)
        make_file_blob_store(folder())->join(of_first);
    EXPECT_THROW(make_file_blob_store(folder())->join(of_second), StorageError);
    make_file_blob_store(folder(), true)->join(of_second);
    make_file_blob_store(folder())->join(of_second);
    EXPECT_THROW(make_file_blob_store(folder())->join(of_first), StorageError);
}

// Nothing can be removed that another catalog refers to.
TEST_F(Blobs, AnEmptyFolderIsTakenOver)
{
    Catalog first(with_tables(folder() / "first.sqlite")), second(with_tables(folder() / "second.sqlite"));
    BlobLedger of_first(first), of_second(second);
    make_file_blob_store(folder())->join(of_first);
    make_file_blob_store(folder())->join(of_second);
    const auto store = make_file_blob_store(folder());
    put_blob(*store, bytes_of("abc"));
    EXPECT_THROW(store->join(of_first), StorageError);
}

TEST_F(Blobs, KeepBytesUnderTheirHash)
{
    const auto store = make_file_blob_store(folder());
    const auto blob = put_blob(*store, bytes_of("abc"));
    EXPECT_EQ(blob.hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(blob.size_bytes, 3u);
    EXPECT_EQ(store->find_local(blob.hash).value().path, folder() / "blobs/ba/78" / blob.hash);
    EXPECT_EQ(stored_text(*store, blob.hash), "abc");
}

TEST_F(Blobs, HashPieces)
{
    const auto store = make_file_blob_store(folder());
    auto writer = store->create();
    for (const char* piece : {"a", "", "bc"})
        writer->write(bytes_of(piece));
    EXPECT_EQ(writer->commit().hash, put_blob(*store, bytes_of("abc")).hash);
}

// Uploads arrive in pieces of any size.
TEST_F(Blobs, CombineSmallWrites)
{
    const auto store = make_file_blob_store(folder());
    const std::string text(600'000, 'x');
    const auto bytes = bytes_of(text);
    const auto writer = store->create();
    const std::uint64_t before = write_calls();
    for (const std::byte& byte : bytes)
        writer->write({&byte, 1});
    const BlobRef blob = writer->commit();
    EXPECT_LE(write_calls() - before, 3u);
    EXPECT_EQ(blob.hash, put_blob(*store, bytes).hash);
    EXPECT_EQ(blob.size_bytes, bytes.size());
}

TEST_F(Blobs, StoreEqualBytesOnce)
{
    const auto store = make_file_blob_store(folder());
    put_blob(*store, bytes_of("abc"));
    put_blob(*store, bytes_of("abc"));
    EXPECT_EQ(files_under(folder()), 1u);
}

// Each sync waits for the disk in every upload.
TEST_F(Blobs, SyncTheFoldersAboveThemOnce)
{
    std::vector<std::string> synced;
    DurableFolders folders("/blobs", [&](const fs::path& folder) { synced.push_back(folder); });
    folders.ensure_synced("/blobs/ab/cd");
    EXPECT_EQ(synced, (std::vector<std::string>{"/blobs/ab", "/blobs"}));
    folders.ensure_synced("/blobs/ab/cd");
    EXPECT_EQ(synced.size(), 2u);
    folders.ensure_synced("/blobs/ab/ef");
    EXPECT_EQ(synced.size(), 3u) << "a new name in ab";
    folders.ensure_synced("/blobs/ef/ab");
    EXPECT_EQ(synced.size(), 5u);
}

TEST_F(Blobs, RetryAFailedFolderSync)
{
    bool broken = true;
    int syncs = 0;
    DurableFolders folders("/blobs", [&](const fs::path&) {
        ++syncs;
        if (broken) throw StorageError(StorageError::Kind::failed, "no answer");
    });
    EXPECT_THROW(folders.ensure_synced("/blobs/ab/cd"), StorageError);
    broken = false;
    folders.ensure_synced("/blobs/ab/cd");
    EXPECT_EQ(syncs, 3);
}

TEST_F(Blobs, RemoveUncommittedBytes)
{
    const auto store = make_file_blob_store(folder());
    store->create()->write(bytes_of("half an upload"));
    EXPECT_EQ(files_under(folder()), 0u);
}

TEST_F(Blobs, RemoveFilesOfAKilledProcess)
{
    make_file_blob_store(folder());
    std::ofstream(folder() / "tmp/blob_dead.part") << "half";
    make_file_blob_store(folder());
    EXPECT_EQ(files_under(folder()), 0u);
}

TEST_F(Blobs, ReportMissingBlobs)
{
    const auto store = make_file_blob_store(folder());
    for (const std::string& hash : {std::string(64, '0'), std::string("../../etc/passwd"), std::string()}) {
        EXPECT_EQ(store->find_local(hash).error().kind, Errc::not_found);
        EXPECT_EQ(store->find_local(hash).error().code, "blob_missing");
    }
}

TEST_F(Blobs, CopyAFileInPieces)
{
    const auto store = make_file_blob_store(folder() / "store");
    const std::string text(3'000'001, 'x');
    std::ofstream(folder() / "large") << text;
    const auto blob = store->put_file(folder() / "large");
    EXPECT_EQ(blob.hash, sha256_hex(text));
    EXPECT_EQ(std::filesystem::file_size(store->find_local(blob.hash).value().path), text.size());
}

TEST_F(Blobs, AreRemovedUnlessPinnedOrWanted)
{
    const auto store = make_file_blob_store(folder());
    auto blob = put_blob(*store, bytes_of("abc"));
    auto again = put_blob(*store, bytes_of("abc")); // another upload of the same bytes
    const auto remove = [&](bool wanted) { return store->remove_unless(blob.hash, [=] { return wanted; }); };
    EXPECT_FALSE(remove(false));
    blob.pin.reset();
    EXPECT_FALSE(remove(false)) << "the other upload still holds it";
    again.pin.reset();
    EXPECT_EQ(store->wait_for_candidates({}), std::vector{blob.hash});
    EXPECT_FALSE(remove(true));
    EXPECT_TRUE(store->find_local(blob.hash));
    EXPECT_TRUE(remove(false));
    EXPECT_FALSE(store->find_local(blob.hash));
    EXPECT_FALSE(remove(false));
}

// The question whether it is wanted may take a while.
TEST_F(Blobs, RemovalOfOneDelaysNoOther)
{
    const auto store = make_file_blob_store(folder());
    auto blob = put_blob(*store, bytes_of("abc"));
    blob.pin.reset();
    std::future<BlobRef> same;
    EXPECT_TRUE(store->remove_unless(blob.hash, [&] {
        same = std::async(std::launch::async, [&] { return put_blob(*store, bytes_of("abc")); });
        auto other = std::async(std::launch::async, [&] { return put_blob(*store, bytes_of("other")); });
        EXPECT_EQ(other.wait_for(test::wait_timeout), std::future_status::ready);
        EXPECT_EQ(same.wait_for(50ms), std::future_status::timeout) << "it waits for the removal";
        return false;
    }));
    same.get();
    EXPECT_TRUE(store->find_local(blob.hash)) << "stored again";
    EXPECT_THROW(store->remove_unless(blob.hash, []() -> bool { throw std::runtime_error("no database"); }),
                 std::runtime_error);
    EXPECT_EQ(put_blob(*store, bytes_of("abc")).hash, blob.hash) << "the removal has ended";
}

TEST_F(Blobs, AreVisitedOnceEach)
{
    const auto store = make_file_blob_store(folder());
    std::vector<std::string> wanted{put_blob(*store, bytes_of("a")).hash,
                                    put_blob(*store, bytes_of("b")).hash};
    std::ofstream(folder() / "blobs/stray") << "not ours";
    std::vector<std::string> seen;
    store->visit([&](const std::string& hash) {
        seen.push_back(hash);
        return true;
    });
    std::ranges::sort(wanted);
    std::ranges::sort(seen);
    EXPECT_EQ(seen, wanted);
    seen.clear();
    store->visit([&](const std::string& hash) {
        seen.push_back(hash);
        return false;
    });
    EXPECT_EQ(seen.size(), 1u);
}

TEST_F(Blobs, WaitForUnpinnedEndsWithAStop)
{
    const auto store = make_file_blob_store(folder());
    std::jthread waiting(
        [&](const std::stop_token& stop) { EXPECT_TRUE(store->wait_for_candidates(stop).empty()); });
}

TEST_F(Blobs, ReportAFullDiskAndKeepNoPartialBlob)
{
    TinyDisk disk(folder(), "size=1m");
    if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
    const auto store = make_file_blob_store(folder());
    const auto small = put_blob(*store, bytes_of("small"));
    const std::string large(2'000'000, 'x');
    try {
        put_blob(*store, bytes_of(large));
        FAIL() << "2 MB fitted into 1 MB";
    } catch (const StorageError& error) {
        EXPECT_EQ(error.kind, StorageError::Kind::full) << error.what();
    }
    EXPECT_EQ(files_under(folder()), 1u);
    EXPECT_EQ(stored_text(*store, small.hash), "small");
    EXPECT_NO_THROW(put_blob(*store, bytes_of("room for this")));
}

TEST_F(Blobs, ReportAReadOnlyDisk)
{
    TinyDisk disk(folder(), "size=1m");
    if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
    const auto store = make_file_blob_store(folder());
    const auto blob = put_blob(*store, bytes_of("before"));
    ASSERT_TRUE(disk.make_read_only());
    try {
        put_blob(*store, bytes_of("after"));
        FAIL() << "written to a read-only disk";
    } catch (const StorageError& error) {
        EXPECT_EQ(error.kind, StorageError::Kind::read_only) << error.what();
    }
    EXPECT_EQ(stored_text(*store, blob.hash), "before");
}

TEST_F(Blobs, CatalogReportsFullAndReadOnlyDisks)
{
    TinyDisk disk(folder(), "size=1200k");
    if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
    const auto file = folder() / "catalog.sqlite";
    auto catalog = std::make_unique<Catalog>(file, 1);
    std::size_t acknowledged = 0;
    try {
        for (; acknowledged < 10'000; ++acknowledged)
            catalog->create_assets(std::vector{asset_named("model" + std::to_string(acknowledged))});
        FAIL() << "the disk never filled";
    } catch (const StorageError& error) {
        EXPECT_EQ(error.kind, StorageError::Kind::full) << error.what();
    }
    EXPECT_EQ(catalog->asset_count(), acknowledged);
    catalog.reset();
    ASSERT_TRUE(disk.make_read_only());
    EXPECT_THROW(Catalog(file, 1).create_assets(std::vector{asset_named("after")}), StorageError);
}

} // namespace
} // namespace vitrine::server::testing
