// Files of libraries as blobs.

#include <stop_token>

#include <unistd.h>

#include "loaders/base/stop.hpp"
#include "server/util/files.hpp"
#include "tests/unit/server/services/libraries/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class LibraryBlobsTest : public LibraryTest {
protected:
    std::string error_of(const std::string& text)
    {
        const auto found = services->blobs->find_local(sha256_hex(text));
        return found ? std::string() : found.error().code;
    }
};

TEST_F(LibraryBlobsTest, AreReadWhereTheyAre)
{
    write("a.obj", "content");
    add();
    const auto found = services->blobs->find_local(sha256_hex("content")).value();
    EXPECT_EQ(found.path, std::filesystem::canonical(root) / "a.obj");
    std::string text(7, ' ');
    EXPECT_EQ(::pread(found.descriptor, text.data(), text.size(), 0), 7);
    EXPECT_EQ(text, "content");
}

TEST_F(LibraryBlobsTest, AChangedFileIsNoBlobBeforeTheNextScan)
{
    write("a.obj", "one");
    add();
    write("a.obj", "two!");
    EXPECT_EQ(error_of("one"), "library_file_changed");
    scan();
    EXPECT_EQ(error_of("two!"), "");
    EXPECT_EQ(error_of("one"), "blob_missing");
}

TEST_F(LibraryBlobsTest, OtherBytesOfTheSameSizeAndTimeAreFound)
{
    write("a.obj", "one");
    add();
    ASSERT_EQ(error_of("one"), "");
    const auto time = std::filesystem::last_write_time(root / "a.obj");
    {
        std::fstream file(root / "a.obj", std::ios::in | std::ios::out);
        file << "two";
    }
    std::filesystem::last_write_time(root / "a.obj", time);
    EXPECT_EQ(error_of("one"), "library_file_changed");
}

TEST_F(LibraryBlobsTest, SayWhatIsMissing)
{
    write("a.obj", "a");
    add();
    move("a.obj", "b.obj");
    EXPECT_EQ(error_of("a"), "library_file_missing");
    std::filesystem::rename(root, folder() / "away");
    EXPECT_EQ(error_of("a"), "library_unavailable");
    EXPECT_EQ(error_of("never seen"), "blob_missing");
}

TEST_F(LibraryBlobsTest, ALinkInThePlaceOfAFileIsNotFollowed)
{
    write("sub/a.obj", "a");
    add();
    move("sub", "../outside");
    std::filesystem::create_directory_symlink(folder() / "outside", root / "sub");
    EXPECT_EQ(error_of("a"), "library_file_missing");
}

TEST_F(LibraryBlobsTest, OnlyBelowTheRootsOfThisProcess)
{
    write("a.obj", "a");
    add();
    options.roots = {std::filesystem::canonical(folder()) / "elsewhere"};
    start_again();
    EXPECT_EQ(error_of("a"), "library_file_missing");
}

TEST_F(LibraryBlobsTest, AnImportReadsThem)
{
    write("bar.obj", "bar");
    add();
    services->start();
    const auto asset = services->catalog.find_asset(id_of("bar")).value();
    EXPECT_EQ(wait_for(*services, asset.job).state, JobState::succeeded);
    EXPECT_EQ(services->catalog.find_asset(asset.id)->status, AssetStatus::ready);
}

TEST_F(LibraryBlobsTest, ACheckDoesNotReadThem)
{
    write("a.obj", "one");
    add();
    const auto time = std::filesystem::last_write_time(root / "a.obj");
    {
        std::fstream file(root / "a.obj", std::ios::in | std::ios::out);
        file << "two";
    }
    std::filesystem::last_write_time(root / "a.obj", time);
    EXPECT_TRUE(services->blobs->check(sha256_hex("one")));
    EXPECT_EQ(error_of("one"), "library_file_changed");
    write("a.obj", "three");
    EXPECT_EQ(services->blobs->check(sha256_hex("one")).error().code, "library_file_changed");
    remove("a.obj");
    EXPECT_EQ(services->blobs->check(sha256_hex("one")).error().code, "library_file_missing");
    EXPECT_EQ(services->blobs->check(sha256_hex("never seen")).error().code, "blob_missing");
}

TEST_F(LibraryBlobsTest, TheFoundFileIsOpenedAndNotAnotherOfItsPath)
{
    write("a.obj", "one");
    add();
    const auto found = services->blobs->find_local(sha256_hex("one")).value();
    remove("a.obj");
    write("a.obj", "another file");
    const auto file = open_blob(found);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->size_bytes(), 3u);
    EXPECT_NE(file->descriptor(), found.descriptor) << "it has its own";
}

TEST_F(LibraryBlobsTest, AStopOfTheWorkEndsTheReading)
{
    write("a.obj", "one");
    write("b.obj", "two");
    add();
    for (const char* name : {"a.obj", "b.obj"}) // so that they are read again
        std::filesystem::permissions(root / name, std::filesystem::perms::owner_read);
    {
        std::stop_source stop;
        stop.request_stop();
        const StopScope scope(stop.get_token());
        EXPECT_THROW(static_cast<void>(error_of("one")), Stopped);
    }
    EXPECT_EQ(error_of("one"), "");
    services->blobs->interrupt();
    EXPECT_THROW(static_cast<void>(error_of("two")), StorageError);
}

} // namespace
} // namespace vitrine::server::testing
