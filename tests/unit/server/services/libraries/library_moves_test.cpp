// Files that were moved or renamed keep their assets.

#include "tests/unit/server/services/libraries/fixture.hpp"

#include <fmt/format.h>

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;

class LibraryMovesTest : public LibraryTest {};

TEST_F(LibraryMovesTest, AMovedFileKeepsItsTags)
{
    write("a.obj", "a");
    add();
    const auto asset = id_of("a");
    tag(asset, "wood");
    move("a.obj", "deep/er/a.obj");
    scan();
    EXPECT_EQ(id_of("a"), asset);
    EXPECT_NE(tags_of(asset).find("wood"), std::string::npos);
    EXPECT_EQ(versions_of(asset), 1u);
    EXPECT_EQ(services->blobs->find_local(sha256_hex("a")).value().path.filename(), "a.obj");
}

TEST_F(LibraryMovesTest, ARenamedFileRenamesItsAssetUnlessItHasANameOfItsOwn)
{
    write("a.obj", "a");
    write("b.obj", "b");
    add();
    const auto first = id_of("a"), second = id_of("b");
    AssetChange change;
    change.name = "The boat";
    ASSERT_TRUE(services->catalog.change_asset(second, change));
    move("a.obj", "c.obj");
    move("b.obj", "d.obj");
    scan();
    EXPECT_EQ(services->catalog.find_asset(first)->name, "c");
    EXPECT_EQ(services->catalog.find_asset(second)->name, "The boat");
    move("c.obj", "e.obj");
    scan();
    EXPECT_EQ(services->catalog.find_asset(first)->name, "e");
    EXPECT_EQ(versions_of(first), 1u);
}

TEST_F(LibraryMovesTest, EveryMovedFileOfAFolderKeepsItsTags)
{
    constexpr int count = 40;
    for (int i = 0; i < count; ++i)
        write(fmt::format("old/{}/model {}.obj", i % 7, i), fmt::format("content {}", i));
    add();
    std::vector<std::string> assets;
    for (int i = 0; i < count; ++i) {
        assets.push_back(id_of(fmt::format("model {}", i)));
        tag(assets.back(), fmt::format("tag {}", i));
    }
    move("old", "new/place");
    for (int i = 0; i < count; i += 3) // and renamed
        move(fmt::format("new/place/{}/model {}.obj", i % 7, i), fmt::format("new/renamed {}.obj", i));
    scan();
    for (int i = 0; i < count; ++i) {
        const auto asset = services->catalog.find_asset(assets[static_cast<std::size_t>(i)]).value();
        EXPECT_EQ(asset.deleted, 0);
        EXPECT_NE(asset.tags.find(fmt::format("tag {}", i)), std::string::npos);
        EXPECT_TRUE(services->blobs->find_local(sha256_hex(fmt::format("content {}", i))));
    }
    EXPECT_EQ(names().size(), static_cast<std::size_t>(count));
}

TEST_F(LibraryMovesTest, TwoFilesThatChangePlacesChangeTheirAssetsToo)
{
    write("a.obj", "one");
    write("b.obj", "two");
    add();
    const auto one = id_of("a"), two = id_of("b");
    move("a.obj", "c.obj");
    move("b.obj", "a.obj");
    move("c.obj", "b.obj");
    scan();
    EXPECT_EQ(services->catalog.find_asset(one)->name, "b");
    EXPECT_EQ(services->catalog.find_asset(two)->name, "a");
    EXPECT_EQ(versions_of(one), 1u);
    EXPECT_EQ(versions_of(two), 1u);
}

TEST_F(LibraryMovesTest, AFileMovedOverAnotherTakesItsPlace)
{
    write("a.obj", "one");
    write("b.obj", "two");
    add();
    const auto one = id_of("a"), two = id_of("b");
    move("a.obj", "b.obj");
    scan();
    EXPECT_EQ(id_of("b"), one);
    EXPECT_NE(services->catalog.find_asset(two)->deleted, 0);
}

TEST_F(LibraryMovesTest, AMovedFileAndANewOneAtItsPlaceAreTwoAssets)
{
    write("a.obj", "one");
    add();
    const auto one = id_of("a");
    move("a.obj", "old/a.obj");
    write("a.obj", "two");
    scan();
    EXPECT_EQ(services->blobs->find_local(sha256_hex("one")).value().path.parent_path().filename(), "old");
    EXPECT_EQ(versions_of(one), 1u);
    EXPECT_EQ(services->catalog.asset_count(), 2u);
}

TEST_F(LibraryMovesTest, AFileMovedToAnotherLibraryKeepsItsTags)
{
    write("first/a.obj", "a");
    write("first/b.obj", "b");
    write("second/c.obj", "c");
    const auto& table = services->libraries.table();
    std::vector<std::string> ids;
    for (const char* name : {"first", "second"})
        ids.push_back(
            table.create({.name = name, .path = std::filesystem::canonical(root / name)}).value().id);
    while (services->libraries.scan_next())
        ;
    const auto asset = id_of("a");
    EXPECT_EQ(services->catalog.find_asset(asset)->library, ids[0]);
    tag(asset, "wood");
    move("first/a.obj", "second/renamed.obj");
    for (const auto& id : ids)
        ASSERT_TRUE(table.request_scan(id));
    while (services->libraries.scan_next())
        ;
    EXPECT_EQ(id_of("renamed"), asset);
    EXPECT_NE(tags_of(asset).find("wood"), std::string::npos);
    EXPECT_EQ(services->catalog.find_asset(asset)->library, ids[1]);
}

TEST_F(LibraryMovesTest, AfterARestartToo)
{
    write("a.obj", "a");
    add();
    const auto asset = id_of("a");
    move("a.obj", "b.obj");
    start_again();
    scan();
    EXPECT_EQ(id_of("b"), asset);
    EXPECT_THAT(names(), ElementsAre("b"));
}

} // namespace
} // namespace vitrine::server::testing
