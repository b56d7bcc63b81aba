// Uploads and imports on a disk that becomes full.

#include "server/util/sha256.hpp"
#include "tests/unit/server/services/importing/fixture.hpp"
#include "tests/unit/server/services/support/log_watch.hpp"
#include "tests/unit/server/services/support/small_filesystem.hpp"
#include "tests/unit/server/services/support/stored_text.hpp"

namespace vitrine::server::testing {
namespace {

// A disk of 8 MB that is full except for a few pages once the loader runs: each number of pages makes another
// write of the import fail.
class FullDiskTest : public ImportTest {
protected:
    std::filesystem::path filler = folder() / "data/filler";
    LogWatch outcomes_not_written{"outcome of a job not stored"}; // nor the return to the queue

    bool fill_but(std::size_t left)
    {
        std::ofstream file(filler, std::ios::binary);
        const std::string page(4096, 'x');
        while (file.write(page.data(), 4096).flush()) {
        }
        file.close();
        const auto size = std::filesystem::file_size(filler);
        std::filesystem::resize_file(filler, size - std::min<std::uintmax_t>(size, left));
        return size >= left;
    }

    void import_on_a_full_disk(Services& services, std::size_t left)
    {
        std::unique_lock held(loader.gate);
        const int loads = loader.loads;
        const double retried = services.metrics.imports_retried.Value();
        const int not_written = outcomes_not_written.lines();
        const auto created = upload(services, "bar" + std::to_string(left) + ".obj");
        EXPECT_TRUE(test::eventually([&] { return loader.loads != loads; }));
        ASSERT_TRUE(fill_but(left));
        held.unlock();
        const auto is_over = [&] { return services.catalog.find_job(created.job.id)->finished != 0; };
        EXPECT_TRUE(test::eventually([&] {
            return is_over() || services.metrics.imports_retried.Value() != retried ||
                   outcomes_not_written.lines() != not_written;
        }));
        EXPECT_NE(services.catalog.find_job(created.job.id)->state, JobState::failed);
        std::filesystem::remove(filler);
        EXPECT_EQ(wait_for(services, created.job.id).state, JobState::succeeded) << left << " bytes left";
        expect_whole(services, created.asset.id);
    }

    static void expect_whole(Services& services, const std::string& id)
    {
        EXPECT_EQ(services.catalog.find_asset(id)->status, AssetStatus::ready);
        const auto blob = services.catalog.files(id, 1).front().blob;
        EXPECT_EQ(sha256_hex(stored_text(*services.blobs, blob)), blob);
        EXPECT_TRUE(services.catalog.find_document(id, 1, AssetDocument::bounds));
    }
};

TEST_F(FullDiskTest, ImportsContinueWhenSpaceIsFree)
{
    std::filesystem::create_directories(folder() / "data");
    TinyDisk disk(folder() / "data", "size=8m");
    if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
    auto made = config();
    made.importer.storage_interval = 5ms;
    made.importer.lease = 1h; // the lease must not expire if the return to the queue cannot be written
    auto services = std::make_unique<Services>(made, registry);
    services->start();
    std::size_t imported = 0;
    for (std::size_t left = 0; left <= 256 << 10; left += left < 64 << 10 ? 8 << 10 : 64 << 10, ++imported)
        import_on_a_full_disk(*services, left);
    EXPECT_GT(services->metrics.imports_retried.Value(), 0.0) << "no write was ever broken";
    EXPECT_EQ(services->metrics.imports.failed.Value(), 0.0);
    services.reset();
    services = std::make_unique<Services>(made, registry);
    EXPECT_EQ(services->catalog.list_assets({.status = AssetStatus::ready})->items.size(), imported);
}

TEST_F(FullDiskTest, ReportsAZipThatDoesNotFit)
{
    const auto services = make();
    const auto unpack = [](const auto&, const auto&) -> LoadResult<std::vector<worker::BundleFile>> {
        throw std::system_error(ENOSPC, std::generic_category(), "write bar.obj");
    };
    Ingest ingest(services->catalog, *services->blobs, loader_with(unpack), folder() / "data/tmp", {});
    try {
        (void)ingest.ingest({part(*services, "kit.zip")});
        FAIL() << "unpacked to a full disk";
    } catch (const StorageError& error) {
        EXPECT_EQ(error.kind, StorageError::Kind::full);
    }
}

} // namespace
} // namespace vitrine::server::testing
