// Data that must be on the disk before it is acknowledged, checked by the sync calls: a power failure cannot
// be tested otherwise.

#include <gmock/gmock.h>

#include "tests/unit/server/services/storage/sync_calls.hpp"
#include "tests/unit/server/services/support/fixture.hpp"
#include "tests/unit/server/services/support/migrated_catalog.hpp"

namespace vitrine::server::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;

class DurableWrites : public ServicesTest {
protected:
    // The path as in /proc.
    fs::path root() const { return fs::canonical(folder()); }

    static std::vector<fs::path> paths(const std::vector<SyncCall>& calls)
    {
        std::vector<fs::path> all;
        for (const auto& call : calls)
            all.push_back(call.path);
        return all;
    }
};

TEST_F(DurableWrites, BlobIsSyncedBeforeItsRenameAndItsFoldersAfter)
{
    const auto store = make_file_blob_store(folder());
    const SyncRecorder recorder;
    const auto blob = put_blob(*store, bytes_of("abc"));
    const auto calls = SyncRecorder::calls();
    ASSERT_EQ(calls.size(), 4u);
    EXPECT_EQ(calls[0].path.parent_path(), root() / "tmp");
    EXPECT_EQ(calls[0].size_bytes, 3u);
    EXPECT_EQ(calls[1].path, root() / "blobs/ba/78");
    EXPECT_THAT(calls[1].entries, ElementsAre(blob.hash));
    EXPECT_EQ(calls[2].path, root() / "blobs/ba");
    EXPECT_THAT(calls[2].entries, ElementsAre("78"));
    EXPECT_EQ(calls[3].path, root() / "blobs");
    EXPECT_THAT(calls[3].entries, ElementsAre("ba"));
}

// The upload that wrote them first may not have synced them yet.
TEST_F(DurableWrites, KnownBytesSyncTheirFolderAgain)
{
    const auto store = make_file_blob_store(folder());
    put_blob(*store, bytes_of("abc"));
    const SyncRecorder recorder;
    put_blob(*store, bytes_of("abc"));
    EXPECT_THAT(paths(SyncRecorder::calls()), ElementsAre(root() / "blobs/ba/78"));
}

TEST_F(DurableWrites, NewFoldersOfAStoreAreSynced)
{
    const SyncRecorder recorder;
    const auto store = make_file_blob_store(folder() / "data");
    const auto calls = SyncRecorder::calls();
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].path, root() / "data");
    EXPECT_THAT(calls[0].entries, ::testing::UnorderedElementsAre("blobs", "tmp"));
}

TEST_F(DurableWrites, NewAssetIsSynced)
{
    Catalog catalog(with_tables(folder() / "catalog.sqlite"));
    const SyncRecorder recorder;
    catalog.create_assets(std::vector{asset_named("fish")});
    EXPECT_THAT(paths(SyncRecorder::calls()), Contains(root() / "catalog.sqlite-wal"));
}

TEST_F(DurableWrites, FailedSyncIsAnError)
{
    EXPECT_THROW(OpenFile().sync("no file"), StorageError);
    EXPECT_THROW(sync_folder(folder() / "no folder"), StorageError);
}

} // namespace
} // namespace vitrine::server::testing
