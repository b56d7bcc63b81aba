// Copies of blobs between folders.

#include <fstream>
#include <sstream>

#include "server/services/moves/blob_places.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/services/moves/small_library.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;

const OnMoveProgress silent_copy = [](const MoveProgress&) {};

class BlobCopies : public ::testing::Test {
protected:
    BlobCopies()
    {
        for (std::size_t i = 0; i < 30; ++i) {
            const auto content = testing::blob_content(i);
            blobs.push_back({sha256_hex(content), content.size()});
            write(source, blobs.back().hash, content);
        }
        std::ranges::sort(blobs, {}, &NamedBlob::hash);
    }

    static fs::path path_in(const fs::path& root, const std::string& hash)
    {
        return root / "blobs" / hash.substr(0, 2) / hash.substr(2, 2) / hash;
    }
    static void write(const fs::path& root, const std::string& hash, const std::string& content)
    {
        fs::create_directories(path_in(root, hash).parent_path());
        fs::remove(path_in(root, hash)); // which may be another name of the same file
        std::ofstream(path_in(root, hash)) << content;
    }
    static std::string read(const fs::path& root, const std::string& hash)
    {
        std::ifstream in(path_in(root, hash));
        return (std::ostringstream() << in.rdbuf()).str();
    }

    BlobTotals copy(FileCopies copies = FileCopies::always, bool trusted = false) const
    {
        const auto from = make_folder_place(source, FileCopies::always, true);
        const auto to = make_folder_place(target, copies, trusted);
        return copy_blobs(*from, *to, blobs, "copying", silent_copy);
    }

    void expect_all_copied() const
    {
        for (const auto& blob : blobs)
            EXPECT_EQ(sha256_hex(read(target, blob.hash)), blob.hash);
    }

    const test::TempDir folder;
    const fs::path source = folder.path() / "source", target = folder.path() / "target";
    std::vector<NamedBlob> blobs;
};

TEST_F(BlobCopies, AreWholeAndNotRepeated)
{
    fs::create_directories(target);
    const auto totals = copy();
    EXPECT_EQ(totals.blobs, 30u);
    EXPECT_EQ(totals.copied, 30u);
    expect_all_copied();
    const auto again = copy();
    EXPECT_EQ(again.copied, 0u);
    EXPECT_EQ(again.digest, totals.digest);
    EXPECT_EQ(again.bytes, totals.bytes);
}

TEST_F(BlobCopies, ReplaceWhatTheTargetHasWrong)
{
    write(target, blobs[3].hash, "torn");
    write(target, blobs[4].hash, std::string(blobs[4].size_bytes, 'x')); // the right size
    EXPECT_EQ(copy().copied, 30u);
    expect_all_copied();
}

TEST_F(BlobCopies, NameDamagedAndMissingOnesAndGoOn)
{
    fs::create_directories(target);
    write(source, blobs[3].hash, std::string(blobs[3].size_bytes, 'x'));
    fs::remove(path_in(source, blobs[7].hash));
    for (const auto copies : {FileCopies::always, FileCopies::linked}) {
        const auto totals = copy(copies);
        EXPECT_EQ(totals.damaged, std::vector{blobs[3].hash});
        EXPECT_EQ(totals.missing, std::vector{blobs[7].hash});
        EXPECT_EQ(totals.blobs, 28u);
        EXPECT_FALSE(fs::exists(path_in(target, blobs[3].hash)));
    }
}

TEST_F(BlobCopies, ShareFilesIfTheyMay)
{
    fs::create_directories(target);
    write(target, blobs[5].hash, "of another size");
    EXPECT_EQ(copy(FileCopies::linked, true).copied, 30u);
    for (const auto& blob : blobs)
        EXPECT_EQ(fs::hard_link_count(path_in(source, blob.hash)), 2u);
    expect_all_copied();
}

TEST_F(BlobCopies, OfNamesThatAreNoHashesAreMissing)
{
    fs::create_directories(target);
    blobs.push_back({"../../etc/passwd", 10});
    const auto totals = copy();
    EXPECT_EQ(totals.missing, std::vector<std::string>{"../../etc/passwd"});
    EXPECT_EQ(totals.blobs, 30u);
}

TEST_F(BlobCopies, FromAPlaceToItselfLookOnly)
{
    write(source, blobs[3].hash, "damage");
    fs::remove_all(path_in(source, blobs[7].hash).parent_path());
    const auto place = make_folder_place(source, FileCopies::always, true);
    const auto totals = copy_blobs(*place, *place, blobs, "verifying", silent_copy);
    EXPECT_EQ(totals.damaged, std::vector{blobs[3].hash});
    EXPECT_EQ(totals.missing, std::vector{blobs[7].hash});
    EXPECT_EQ(totals.blobs, 28u);
    EXPECT_EQ(totals.copied, 0u);
    EXPECT_EQ(read(source, blobs[3].hash), "damage");
    EXPECT_FALSE(fs::exists(path_in(source, blobs[7].hash).parent_path()));
    EXPECT_FALSE(fs::exists(source / "tmp"));
}

TEST_F(BlobCopies, FindWhatOthersHaveThere)
{
    const std::string other(64, 'a');
    write(target, other, "of somebody else");
    const auto place = make_folder_place(target, FileCopies::always, false);
    EXPECT_EQ(list_other_blobs(*place, blobs), std::vector{other});
}

} // namespace
} // namespace vitrine::server
