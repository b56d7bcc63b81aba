// Scans: which files become assets, and what changes and deletions do to them.

#include "tests/unit/server/services/libraries/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LibraryScanTest : public LibraryTest {};

TEST_F(LibraryScanTest, ModelsBecomeAssetsWithTheirCompanions)
{
    write("hero/hero.obj", "hero");
    write("hero/hero.mtl", "material");
    write("hero/textures/skin.png", "skin");
    write("readme.txt", "no model");
    write("boat.obj", "boat");
    const auto scanned = add();
    EXPECT_EQ(scanned.state, LibraryState::ready);
    EXPECT_EQ(scanned.files, 4);
    EXPECT_EQ(scanned.models, 2);
    EXPECT_THAT(names(), ElementsAre("boat", "hero"));
    EXPECT_THAT(files_of(id_of("hero")), ElementsAre("hero.mtl", "hero.obj", "textures/skin.png"));
    EXPECT_EQ(files_under(folder() / "data/blobs"), 0u) << "nothing is copied";
}

TEST_F(LibraryScanTest, TexturesBesideTheFolderOfTheModelAreItsOwn)
{
    write("chair/source/chair.obj", "chair");
    write("chair/textures/wood.png", "wood");
    add();
    EXPECT_THAT(files_of(id_of("chair")), ElementsAre("source/chair.obj", "textures/wood.png"));
    write("chair/textures/wood.png", "other wood");
    scan();
    EXPECT_EQ(versions_of(id_of("chair")), 2u);
}

TEST_F(LibraryScanTest, UnchangedFilesAreNotRead)
{
    write("a.obj", "a");
    add();
    const auto asset = services->catalog.find_asset(id_of("a")).value();
    // Other bytes of the same size and time: a scan that read them would see the change.
    const auto time = std::filesystem::last_write_time(root / "a.obj");
    {
        std::fstream file(root / "a.obj", std::ios::in | std::ios::out);
        file << "b";
    }
    std::filesystem::last_write_time(root / "a.obj", time);
    scan();
    EXPECT_EQ(services->catalog.find_asset(asset.id)->etag(), asset.etag());
}

TEST_F(LibraryScanTest, OtherPatternsRemoveAndAddModels)
{
    write("a.obj", "a");
    write("old/b.obj", "b");
    write("c.ply", "c");
    add({"*.obj"});
    EXPECT_THAT(names(), ElementsAre("a", "b"));
    const auto asset = id_of("b");
    LibraryChange change;
    change.include.emplace();
    change.ignored = {"old/"};
    ASSERT_TRUE(services->libraries.table().change(library, change));
    scan();
    EXPECT_THAT(names(), ElementsAre("a", "c"));
    change.ignored.emplace();
    ASSERT_TRUE(services->libraries.table().change(library, change));
    scan();
    EXPECT_THAT(names(), ElementsAre("a", "b", "c"));
    EXPECT_EQ(id_of("b"), asset) << "from the trash";
}

TEST_F(LibraryScanTest, ChangedContentIsANewVersion)
{
    write("a.obj", "one");
    add();
    const auto asset = id_of("a");
    tag(asset, "wood");
    write("a.obj", "two");
    scan();
    EXPECT_THAT(names(), ElementsAre("a"));
    EXPECT_EQ(id_of("a"), asset);
    EXPECT_EQ(versions_of(asset), 2u);
    EXPECT_EQ(tags_of(asset), services->catalog.find_asset(asset)->tags);
}

TEST_F(LibraryScanTest, TheTimeAloneMakesNoVersion)
{
    write("a.obj", "one");
    add();
    write("a.obj", "one");
    scan();
    EXPECT_EQ(versions_of(id_of("a")), 1u);
    EXPECT_TRUE(services->blobs->find_local(sha256_hex("one")));
}

TEST_F(LibraryScanTest, DeletedFilesGoToTheTrashAndComeBackWithTheirFacts)
{
    write("sub/a.obj", "a");
    write("b.obj", "b");
    add();
    const auto asset = id_of("a");
    tag(asset, "wood");
    remove("sub");
    scan();
    EXPECT_THAT(names(), ElementsAre("b"));
    EXPECT_NE(services->catalog.find_asset(asset)->deleted, 0);
    write("other/place/a.obj", "a");
    scan();
    EXPECT_EQ(id_of("a"), asset);
    EXPECT_NE(tags_of(asset).find("wood"), std::string::npos);
    EXPECT_EQ(versions_of(asset), 1u);
}

TEST_F(LibraryScanTest, AnAssetThatSomebodyHasDeletedStaysDeleted)
{
    write("a.obj", "a");
    write("b.obj", "b");
    add();
    const auto asset = id_of("a");
    ASSERT_TRUE(services->catalog.trash_asset(asset));
    scan();
    move("a.obj", "moved/a.obj");
    scan();
    EXPECT_THAT(names(), ElementsAre("b"));
}

TEST_F(LibraryScanTest, ALostTextureIsANewVersionWithoutIt)
{
    write("a/a.obj", "a");
    write("a/skin.png", "skin");
    add();
    remove("a/skin.png");
    scan();
    EXPECT_THAT(files_of(id_of("a")), ElementsAre("a.obj"));
    EXPECT_EQ(versions_of(id_of("a")), 2u);
}

TEST_F(LibraryScanTest, FormerContentIsRestored)
{
    write("a.obj", "one");
    add();
    const auto asset = id_of("a");
    services->start();
    const auto is_read = [&](std::uint32_t version) {
        return test::eventually([&] {
            const auto found = services->catalog.find_asset(asset);
            return found->version == version && found->status == AssetStatus::ready;
        });
    };
    ASSERT_TRUE(is_read(1));
    write("a.obj", "two");
    ASSERT_TRUE(services->libraries.table().request_scan(library));
    ASSERT_TRUE(is_read(2));
    write("a.obj", "one");
    ASSERT_TRUE(services->libraries.table().request_scan(library));
    ASSERT_TRUE(is_read(3));
    EXPECT_EQ(services->catalog.files(asset, 3).front().blob, sha256_hex("one"));
}

// The version between has no bytes any more, so that its import fails.
TEST_F(LibraryScanTest, ContentThatComesBackWhileItIsImported)
{
    write("a.obj", "one");
    add();
    const auto asset = id_of("a");
    write("a.obj", "two");
    scan();
    write("a.obj", "one");
    scan();
    services->start();
    EXPECT_TRUE(test::eventually([&] {
        const auto versions = services->catalog.versions(asset);
        return std::ranges::none_of(
            versions, [](const auto& version) { return version.status == AssetStatus::importing; });
    }));
    EXPECT_EQ(services->catalog.find_asset(asset)->version, 1u);
    EXPECT_EQ(services->catalog.find_asset(asset)->status, AssetStatus::ready);
}

TEST_F(LibraryScanTest, PatternsChooseModelsAndIgnoreFolders)
{
    write("a.obj", "a");
    write("b.stl", "b");
    write("a.mtl", "material");
    write("old/c.obj", "c");
    write(".git/d.obj", "d");
    write("@eaDir/e.obj", "e");
    add({"*.obj"}, {"old/"});
    EXPECT_THAT(names(), ElementsAre("a"));
    EXPECT_THAT(files_of(id_of("a")), ElementsAre("a.mtl", "a.obj"));
}

TEST_F(LibraryScanTest, LinksAreNotFollowed)
{
    std::filesystem::create_directories(folder() / "outside");
    std::ofstream(folder() / "outside/secret.obj") << "secret";
    write("a.obj", "a");
    std::filesystem::create_directory_symlink(folder() / "outside", root / "linked");
    std::filesystem::create_symlink(folder() / "outside/secret.obj", root / "secret.obj");
    add();
    EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(LibraryScanTest, AnEmptyOrMissingFolderRemovesNothing)
{
    write("a.obj", "a");
    add();
    std::filesystem::rename(root, folder() / "away");
    EXPECT_EQ(scan().state, LibraryState::unavailable);
    std::filesystem::create_directory(root); // a mount point
    EXPECT_EQ(scan().state, LibraryState::unavailable);
    EXPECT_THAT(names(), ElementsAre("a"));
    std::filesystem::remove(root);
    std::filesystem::rename(folder() / "away", root);
    EXPECT_EQ(scan().state, LibraryState::ready);
    EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(LibraryScanTest, FilesThatAreBeingWrittenWait)
{
    write("a.obj", "a");
    std::ofstream(root / "b.obj") << "b";
    add();
    EXPECT_THAT(names(), ElementsAre("a"));
    std::filesystem::last_write_time(root / "b.obj",
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    scan();
    EXPECT_THAT(names(), ElementsAre("a", "b"));
}

TEST_F(LibraryScanTest, ARemovedLibraryLeavesItsFilesAndComesBackWithItsFacts)
{
    write("a.obj", "a");
    add();
    const auto asset = id_of("a");
    tag(asset, "wood");
    ASSERT_TRUE(services->libraries.table().remove(library));
    EXPECT_EQ(services->libraries.table().find(library).error().code, "no_library");
    while (services->libraries.scan_next())
        ;
    EXPECT_THAT(names(), IsEmpty());
    EXPECT_TRUE(std::filesystem::exists(root / "a.obj"));
    move("a.obj", "new name.obj");
    add();
    EXPECT_EQ(id_of("new name"), asset);
    EXPECT_NE(tags_of(asset).find("wood"), std::string::npos);
}

TEST_F(LibraryScanTest, OneOfTwoEqualFilesKeepsNothingOfTheOther)
{
    write("a.obj", "same");
    write("b.obj", "same");
    add();
    EXPECT_THAT(names(), ElementsAre("a", "b"));
    remove("a.obj");
    scan();
    EXPECT_THAT(names(), ElementsAre("b"));
}

TEST_F(LibraryScanTest, AnUploadOfTheSameContentKeepsTheAsset)
{
    write("a.obj", "a");
    write("b.obj", "b");
    const auto blob = put_blob(*services->blobs, bytes_of("a"));
    const auto uploaded = services->ingest.ingest({{"a.obj", blob.hash, blob.size_bytes}}).value().front();
    add();
    EXPECT_EQ(id_of("a"), uploaded.asset.id);
    remove("a.obj");
    scan();
    EXPECT_THAT(names(), ElementsAre("a", "b"));
}

TEST_F(LibraryScanTest, ANewerUploadedVersionKeepsTheAsset)
{
    write("a.obj", "a");
    write("b.obj", "b");
    add();
    const auto asset = id_of("a");
    const auto blob = put_blob(*services->blobs, bytes_of("newer"));
    NewVersion version;
    version.content = NewAsset{"a", "a.obj", {{"a.obj", blob.hash, blob.size_bytes}}};
    ASSERT_TRUE(services->catalog.create_version(asset, version));
    remove("a.obj");
    scan();
    EXPECT_EQ(services->catalog.find_asset(asset)->deleted, 0);
}

} // namespace
} // namespace vitrine::server::testing
