// Blobs of rejected, interrupted and simultaneous uploads.

#include "tests/unit/server/services/importing/fixture.hpp"

namespace vitrine::server::testing {
namespace {

TEST_F(ImportTest, BlobsOfRejectedUploadsAreRemoved)
{
    const auto services = make();
    upload(*services, "bar.obj");
    services->start();
    EXPECT_FALSE(services->ingest.ingest({part(*services, "readme.txt"), part(*services, "notes.txt")}));
    EXPECT_FALSE(services->ingest.ingest({part(*services, "readme.txt", "content of bar.obj")}));
    await_blobs(1);
    // Counted after the file was removed; three if the first sweep was between the two uploads.
    EXPECT_TRUE(test::eventually([&] { return services->metrics.blobs_removed.Value() >= 2.0; }));
}

TEST_F(ImportTest, BlobsOfAKilledProcessAreRemoved)
{
    auto services = make();
    const auto created = upload(*services, "bar.obj");
    put_blob(*services->blobs, bytes_of("never named")); // the process ends before it is removed
    services.reset();
    services = make();
    const auto held = put_blob(*services->blobs, bytes_of("of an upload under way"));
    services->start();
    await_blobs(2);
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    EXPECT_TRUE(services->blobs->find_local(held.hash));
}

TEST_F(ImportTest, UnpackedZipIsRemovedAndItsFilesStay)
{
    const auto services = make();
    services->start();
    const auto unpack = [](const std::filesystem::path&,
                           const std::filesystem::path& to) -> LoadResult<std::vector<worker::BundleFile>> {
        std::ofstream(to / "bar.obj") << "v";
        return std::vector<worker::BundleFile>{{"bar.obj", to / "bar.obj"}};
    };
    Ingest ingest(services->catalog, *services->blobs, loader_with(unpack), folder() / "data/tmp", {});
    const auto created = ingest.ingest({part(*services, "kit.zip")});
    ASSERT_TRUE(created);
    await_blobs(1);
    const auto blob = services->catalog.files(created->front().asset.id, 1).front().blob;
    EXPECT_TRUE(services->blobs->find_local(blob));
}

// The same bytes are rejected and accepted simultaneously by several threads: accepted ones stay.
TEST_F(ImportTest, PinnedBlobsOfOtherUploadsStay)
{
    const auto services = make();
    services->start();
    constexpr int rounds = 40;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < rounds; ++i) {
                    const auto text = "bytes " + std::to_string(i);
                    const auto name = t == 0 ? "bar" + std::to_string(i) + ".obj" : std::string("a.txt");
                    EXPECT_EQ(services->ingest.ingest({part(*services, name, text)}).has_value(), t == 0);
                }
            });
    }
    await_blobs(rounds);
    EXPECT_EQ(services->catalog.asset_count(), static_cast<std::size_t>(rounds));
}

} // namespace
} // namespace vitrine::server::testing
