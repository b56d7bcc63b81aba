// Backups and their restoration.

#include <fstream>

#include "server/services/database/database_connections.hpp"
#include "server/services/moves/backup.hpp"
#include "server/services/moves/backup_manifest.hpp"
#include "server/services/moves/catalog_move.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/util/data_lock.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/services/moves/small_library.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;
using testing::error_of;

const OnMoveProgress silent_backup = [](const MoveProgress&) {};

class Backups : public ::testing::Test {
protected:
    Backups()
    {
        fs::create_directories(data);
        catalog.emplace(data / catalog_file);
        blobs = make_file_blob_store(data);
        testing::fill_small_library(*catalog, 8);
        for (std::size_t i = 0; i < 8; ++i)
            store(testing::blob_content(i));
        std::ofstream(data / "token") << "secret\n";
    }

    void store(const std::string& content)
    {
        const auto writer = blobs->create();
        writer->write(std::as_bytes(std::span(content)));
        (void)writer->commit();
    }

    BackupTotals back_up(const BackupOptions& options = {}) const
    {
        return make_backup(data, backup, options, silent_backup);
    }
    BackupTotals restore() const { return restore_backup(backup, restored, silent_backup); }

    fs::path blob_path(const fs::path& root, std::size_t i) const
    {
        const auto hash = sha256_hex(testing::blob_content(i));
        return root / "blobs" / hash.substr(0, 2) / hash.substr(2, 2) / hash;
    }

    const test::TempDir folder;
    const fs::path data = folder.path() / "it's data", backup = folder.path() / "back:up's",
                   restored = folder.path() / "restored";
    std::optional<Catalog> catalog; // of a running server
    std::unique_ptr<BlobStore> blobs;
};

TEST_F(Backups, AreRestoredWhole)
{
    const auto totals = back_up();
    EXPECT_EQ(totals.assets, 8u);
    EXPECT_EQ(totals.blobs.blobs, 8u);
    const auto again = restore();
    EXPECT_EQ(again.blobs.digest, totals.blobs.digest);
    const Catalog copy(restored / catalog_file);
    EXPECT_EQ(copy.asset_count(), 8u);
    EXPECT_EQ(copy.list_assets({.q = "hand"}).value().items.size(),
              catalog->list_assets({.q = "hand"}).value().items.size());
    EXPECT_TRUE(fs::is_regular_file(restored / "token"));
    EXPECT_EQ(fs::status(restored / "token").permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(fs::hard_link_count(blob_path(restored, 1)), 1u);
}

// A client begins them again; the restored catalog must not name pieces that it does not have.
TEST_F(Backups, HaveNoOpenUploads)
{
    catalog->connections().write([](DatabaseConnection& sql) {
        sql << "INSERT INTO open_uploads (id, name, metadata, concat, partials, length, received, expires) "
               "VALUES ('upload_1', '', '', '', '', 6, 3, 9000000000000000)";
        sql << "INSERT INTO upload_parts (upload, start, length, blob) VALUES ('upload_1', 0, 3, 'lost')";
        return 0;
    });
    back_up();
    restore();
    MoveEnd copy(restored / catalog_file);
    EXPECT_EQ(copy.count("open_uploads"), 0u);
    EXPECT_EQ(copy.count("upload_parts"), 0u);
    MoveEnd source(data / catalog_file);
    EXPECT_EQ(source.count("open_uploads"), 1u);
}

TEST_F(Backups, AddWhatIsNewAndRemoveWhatIsNot)
{
    EXPECT_EQ(back_up().blobs.copied, 8u);
    const std::string content = "new";
    store(content);
    const std::vector<NewAsset> added{{"new", "n.glb", {{"n.glb", sha256_hex(content), content.size()}}}};
    (void)catalog->create_assets(added);
    const auto unknown = backup / "blobs/aa/aa" / std::string(64, 'a');
    fs::create_directories(unknown.parent_path());
    std::ofstream(unknown) << "of an asset that was removed";
    const auto second = back_up({.copies = true});
    EXPECT_EQ(second.assets, 9u);
    EXPECT_EQ(second.blobs.copied, 1u);
    EXPECT_EQ(second.removed, 1u);
    EXPECT_FALSE(fs::exists(unknown));
    const auto catalogs = std::ranges::count_if(fs::directory_iterator(backup), [](const auto& entry) {
        return entry.path().extension() == ".sqlite";
    });
    EXPECT_EQ(catalogs, 1);
    EXPECT_EQ(restore().assets, 9u);
}

TEST_F(Backups, ReplaceDamagedBlobsWhenTheyCompare)
{
    back_up({.copies = true});
    const auto size = fs::file_size(blob_path(backup, 2));
    std::ofstream(blob_path(backup, 2)) << std::string(size, 'x');
    EXPECT_EQ(back_up({.copies = true}).blobs.copied, 0u);
    EXPECT_EQ(back_up({.copies = true, .compares = true}).blobs.copied, 1u);
    EXPECT_TRUE(restore().blobs.damaged.empty());
}

TEST_F(Backups, NameABlobThatIsLost)
{
    fs::remove(blob_path(data, 3));
    std::ofstream(blob_path(data, 4)) << "torn";
    const auto totals = back_up();
    EXPECT_EQ(totals.blobs.missing, std::vector{sha256_hex(testing::blob_content(3))});
    EXPECT_EQ(totals.blobs.damaged, std::vector{sha256_hex(testing::blob_content(4))});
    EXPECT_EQ(restore().blobs.blobs, 6u);
}

TEST_F(Backups, AreRefusedWhereTheyWouldDoHarm)
{
    const auto to = [&](const fs::path& target) {
        return error_of([&] { make_backup(data, target, {}, silent_backup); });
    };
    EXPECT_TRUE(to(data / "backup").contains("are in each other"));
    EXPECT_TRUE(to(folder.path()).contains("are in each other"));
    EXPECT_TRUE(to(folder.write("file", "x")).contains("is not a folder"));
    folder.write("other/thesis.doc", "x");
    EXPECT_TRUE(to(folder.path() / "other").contains("has other files and no backup"));
    EXPECT_TRUE(error_of([&] {
                    make_backup(folder.path() / "none", backup, {}, silent_backup);
                }).contains("there is no catalog"));
    EXPECT_FALSE(fs::exists(folder.path() / "none"));
}

TEST_F(Backups, AreNotRestoredOverAnything)
{
    back_up();
    EXPECT_TRUE(error_of([&] { restore_backup(backup, data, silent_backup); }).contains("is not empty"));
    fs::create_directories(restored);
    {
        const DataLock lock(restored);
        EXPECT_TRUE(error_of([&] { restore(); }).contains("another process uses"));
    }
    EXPECT_EQ(error_of([&] { restore(); }), "");
    EXPECT_TRUE(error_of([&] { restore(); }).contains("is not empty"));
}

TEST_F(Backups, GoOnWithAnUnfinishedRestore)
{
    back_up();
    struct Killed {};
    EXPECT_THROW(restore_backup(backup, restored,
                                [](const MoveProgress& progress) {
                                    if (progress.what == "copying blobs" && progress.done == 4)
                                        throw Killed();
                                }),
                 Killed);
    EXPECT_FALSE(fs::exists(restored / catalog_file));
    EXPECT_EQ(restore().blobs.blobs, 8u);
    EXPECT_FALSE(fs::exists(restored / "restore-unfinished"));
}

TEST_F(Backups, ThatAreDamagedOrNotFinishedAreRefused)
{
    const auto error = [&] { return error_of([&] { restore(); }); };
    EXPECT_TRUE(error().contains("there is no backup in"));
    back_up();
    const auto manifest = read_manifest(backup).value();
    std::fstream(backup / manifest.catalog, std::ios::in | std::ios::out).seekp(5000) << "damage";
    EXPECT_TRUE(error().contains("its checksum is not that of the manifest"));
    fs::remove(backup / manifest.catalog);
    EXPECT_TRUE(error().contains("is missing or damaged"));
    write_manifest(backup, {});
    EXPECT_TRUE(error().contains("was not finished"));
    for (const auto* const text :
         {"", "vitrine backup 2\n", "vitrine backup 1\ncatalog ../../x 12\n",
          "vitrine backup 1\ncatalog catalog-1.sqlite abc\n", "vitrine backup 1\nassets many\n"}) {
        std::ofstream(backup / "backup.manifest") << text;
        EXPECT_TRUE(error().contains("not a manifest that this version")) << text;
    }
}

} // namespace
} // namespace vitrine::server
