// Libraries and the claims of their scans.

#include "tests/unit/server/services/libraries/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class LibraryTableTest : public LibraryTest {
protected:
    std::string error_of(const std::string& path)
    {
        const auto made = services->libraries.table().create({.name = path, .path = path});
        return made ? std::string() : made.error().code;
    }
    const LibraryTable& table() const { return services->libraries.table(); }
};

TEST_F(LibraryTableTest, DoNotOverlap)
{
    EXPECT_EQ(error_of("/art/a"), "");
    EXPECT_EQ(error_of("/art/a"), "library_exists");
    EXPECT_EQ(error_of("/art/a/b"), "library_exists");
    EXPECT_EQ(error_of("/art"), "library_exists");
    EXPECT_EQ(error_of("/art/ab"), "");
}

TEST_F(LibraryTableTest, KeepWhatTheyWereGiven)
{
    const auto made = table().create({.name = "art",
                                      .path = "/art",
                                      .include = {"*.obj", "a/**"},
                                      .ignored = {"old"},
                                      .created_by = "token:x"});
    const auto found = table().find(made.value().id).value();
    EXPECT_EQ(found.name, "art");
    EXPECT_EQ(found.include, made->include);
    EXPECT_EQ(found.ignored, made->ignored);
    EXPECT_EQ(found.state, LibraryState::waiting);
    EXPECT_GT(found.created, 0);
    EXPECT_EQ(table().list().size(), 1u);
    EXPECT_EQ(table().find("library_none").error().code, "no_library");
}

TEST_F(LibraryTableTest, OneProcessScansAtATime)
{
    const auto path = std::filesystem::canonical(root).native();
    const auto made = table().create({.name = "art", .path = path}).value();
    const auto claim = table().claim(options);
    ASSERT_TRUE(claim);
    EXPECT_EQ(claim->library.id, made.id);
    EXPECT_FALSE(table().claim(options)) << "another process has it";
    EXPECT_TRUE(table().renew(*claim, 7));
    EXPECT_EQ(table().find(made.id)->state, LibraryState::scanning);
    EXPECT_EQ(table().find(made.id)->waiting, 7);
    ASSERT_TRUE(table().request_scan(made.id)); // while it is scanned
    table().finish(*claim, {.pause_s = 3600});
    const auto again = table().claim(options);
    ASSERT_TRUE(again) << "the request came after the scan had begun";
    EXPECT_FALSE(table().renew(*claim, 0)) << "its claim is over";
    table().finish(*again, {.pause_s = 3600});
    EXPECT_FALSE(table().claim(options));
}

TEST_F(LibraryTableTest, AnInterruptedScanIsDueAgain)
{
    const auto path = std::filesystem::canonical(root).native();
    ASSERT_TRUE(table().create({.name = "art", .path = path}));
    table().release(table().claim(options).value());
    EXPECT_TRUE(table().claim(options));
}

TEST_F(LibraryTableTest, ARemovalEndsTheScan)
{
    const auto path = std::filesystem::canonical(root).native();
    const auto made = table().create({.name = "art", .path = path}).value();
    const auto claim = table().claim(options).value();
    ASSERT_TRUE(table().remove(made.id));
    EXPECT_FALSE(table().renew(claim, 0));
    table().finish(claim, {});
    EXPECT_TRUE(table().list().empty());
    EXPECT_EQ(table().claim(options)->library.state, LibraryState::removing);
}

TEST_F(LibraryTableTest, APauseEndsTheScanAndBeginsNone)
{
    const auto path = std::filesystem::canonical(root).native();
    const auto made = table().create({.name = "art", .path = path}).value();
    const auto claim = table().claim(options).value();
    EXPECT_EQ(table().change(made.id, {.paused = true})->state, LibraryState::paused);
    EXPECT_FALSE(table().renew(claim, 0)) << "the scan that runs ends";
    table().release(claim);
    EXPECT_FALSE(table().claim(options));
    EXPECT_EQ(table().request_scan(made.id).error().code, "library_paused");
    EXPECT_EQ(table().change(made.id, {.paused = false})->state, LibraryState::waiting);
    const auto next = table().claim(options);
    ASSERT_TRUE(next);
    table().finish(*next, {.pause_s = 3600});
    EXPECT_EQ(table().find(made.id)->state, LibraryState::ready);
}

TEST_F(LibraryTableTest, AScanThatHasJustEndedLeavesThePause)
{
    const auto path = std::filesystem::canonical(root).native();
    const auto made = table().create({.name = "art", .path = path}).value();
    const auto claim = table().claim(options).value();
    ASSERT_TRUE(table().change(made.id, {.paused = true}));
    table().finish(claim, {.models = 3, .pause_s = 0});
    EXPECT_EQ(table().find(made.id)->state, LibraryState::paused);
    EXPECT_EQ(table().find(made.id)->models, 3);
    EXPECT_EQ(table().change(made.id, {.paused = false})->state, LibraryState::ready);
}

TEST_F(LibraryTableTest, ANewNameNeedsNoScanButNewPatternsDo)
{
    const auto path = std::filesystem::canonical(root).native();
    const auto made = table().create({.name = "art", .path = path, .ignored = {"old"}}).value();
    table().finish(table().claim(options).value(), {.pause_s = 3600});
    EXPECT_EQ(table().change(made.id, {.name = "models", .ignored = {{"old"}}})->name, "models");
    EXPECT_FALSE(table().claim(options));
    EXPECT_EQ(table().find(made.id)->ignored, std::vector<std::string>{"old"});
    ASSERT_TRUE(table().change(made.id, {.include = {{"*.obj"}}}));
    const auto claim = table().claim(options);
    ASSERT_TRUE(claim);
    EXPECT_EQ(claim->library.include, std::vector<std::string>{"*.obj"});
    EXPECT_EQ(table().change("library_none", {}).error().code, "no_library");
}

TEST_F(LibraryTableTest, OnlyOfFoldersBelowARoot)
{
    ASSERT_TRUE(table().create({.name = "art", .path = "/somewhere/else"}));
    EXPECT_FALSE(table().claim(options));
}

} // namespace
} // namespace vitrine::server::testing
