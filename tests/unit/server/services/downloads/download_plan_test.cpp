#include "server/services/downloads/download_plan.hpp"

#include <gmock/gmock.h>

#include "server/services/downloads/zip_source.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/services/downloads/zip_reader.hpp"
#include "tests/unit/server/services/support/migrated_catalog.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;

TEST(FolderNames, AreUniqueAndStayInTheirFolder)
{
    FolderNames folders;
    EXPECT_EQ(folders.add("Robot"), "Robot");
    EXPECT_EQ(folders.add("robot"), "robot (2)");
    EXPECT_EQ(folders.add("robot"), "robot (3)");
    EXPECT_EQ(folders.add(".."), "model");
    EXPECT_EQ(folders.add("../../etc/passwd"), ".._.._etc_passwd");
    EXPECT_EQ(folders.add("C:\\a*b?.glb"), "C__a_b_.glb");
    EXPECT_EQ(folders.add("a\nb"), "a_b");
    EXPECT_EQ(folders.add("dots . ."), "dots");
    EXPECT_EQ(folders.add("H\u00e4nd"), "H\u00e4nd");
    EXPECT_LE(folders.add(std::string(300, 'x')).size(), 130u);
}

class DownloadTest : public ::testing::Test {
protected:
    FileRecord file(const std::string& name, std::string_view bytes)
    {
        const auto writer = blobs_->create();
        writer->write(std::as_bytes(std::span(bytes)));
        const auto blob = writer->commit();
        return {.name = name, .blob = blob.hash, .size_bytes = blob.size_bytes, .pin = blob.pin};
    }
    std::string add(const std::string& name, std::vector<FileRecord> files)
    {
        const auto main = files.front().name;
        return catalog_.create_assets(std::vector{NewAsset{name, main, std::move(files)}}).front().asset.id;
    }
    std::vector<DownloadMember> plan(const std::vector<std::string>& ids)
    {
        return plan_download(catalog_, *blobs_, ids).value();
    }
    static Result<std::size_t> write(ZipSource source, const std::filesystem::path& path)
    {
        std::ofstream out(path, std::ios::binary);
        std::size_t largest = 0;
        for (;;) {
            const auto piece = source.next();
            if (!piece) return std::unexpected(piece.error());
            if (piece->empty()) return largest;
            largest = std::max(largest, piece->size());
            out << *piece;
        }
    }

    test::TempDir folder_;
    std::unique_ptr<BlobStore> blobs_ = make_file_blob_store(folder_.path() / "blobs");
    Catalog catalog_{with_tables(folder_.path() / "catalog.sqlite")};
    std::filesystem::path archive_ = folder_.path() / "archive.zip";
};

TEST_F(DownloadTest, HasTheFilesOfEachAssetInAFolder)
{
    const std::string large(1'000'000, 'y');
    const auto robot = add("robot", {file("robot.gltf", "{}"), file("textures/skin.png", large)});
    const auto other = add("Robot", {file("robot.obj", "v 0 0 0")});
    const auto largest = write(ZipSource(*blobs_, plan({robot, other, robot})), archive_);
    ASSERT_TRUE(largest);
    EXPECT_LT(*largest, 2 * zip_source_piece_bytes + 1024) << "memory holds one piece";
    const ZipReader zip(archive_);
    ASSERT_EQ(zip.size(), 3u);
    EXPECT_THAT((std::vector{zip.name(0), zip.name(1), zip.name(2)}),
                ElementsAre("robot/robot.gltf", "robot/textures/skin.png", "Robot (2)/robot.obj"));
    EXPECT_EQ(zip.bytes(0), "{}");
    EXPECT_EQ(zip.bytes(1), large);
    EXPECT_EQ(zip.bytes(2), "v 0 0 0");
}

TEST_F(DownloadTest, WhatIsMissingIsToldBefore)
{
    const auto robot = add("robot", {file("robot.gltf", "{}")});
    EXPECT_EQ(plan_download(catalog_, *blobs_, std::vector<std::string>{robot, "asset_none"}).error().code,
              "no_asset");
    const auto members = plan({robot});
    std::filesystem::remove(blobs_->find_local(members[0].blob)->path);
    EXPECT_EQ(plan_download(catalog_, *blobs_, std::vector{robot}).error().code, "blob_missing");
    EXPECT_EQ(write(ZipSource(*blobs_, members), archive_).error().code, "blob_missing");
    ASSERT_TRUE(catalog_.trash_asset(robot));
    EXPECT_EQ(plan_download(catalog_, *blobs_, std::vector{robot}).error().code, "asset_in_trash");
}

TEST_F(DownloadTest, AFileOfAnotherSizeEndsIt)
{
    auto members = plan({add("robot", {file("robot.gltf", "{}")})});
    members[0].size_bytes = 3;
    EXPECT_EQ(write(ZipSource(*blobs_, members), archive_).error().code, "blob_corrupt");
}

TEST_F(DownloadTest, ExportsAreMadeInTheirTurnAndFailuresAreListed)
{
    const auto robot = add("robot", {file("Robot.glb", "{}")});
    const auto broken = add("not exported.txt", {file("a/b.obj", "v 0 0 0")});
    const auto both = plan_download(catalog_, *blobs_, std::vector{robot, broken}, DownloadContent::both);
    std::vector<std::string> made;
    const auto make = [&](const DownloadMember& member) -> Result<MemberContent> {
        made.push_back(member.name);
        EXPECT_EQ(member.version, 1u);
        if (member.asset == broken)
            return make_error(Errc::unprocessable, "too_many_joints", std::string(900, 'x'));
        const std::string bytes(600'000, 'g');
        return MemberContent{.size_bytes = bytes.size(),
                             .read = [bytes](std::uint64_t offset, std::size_t count) {
                                 const auto part = std::as_bytes(std::span(bytes)).subspan(offset, count);
                                 return std::vector(part.begin(), part.end());
                             }};
    };
    const auto largest = write(ZipSource(*blobs_, both.value(), make), archive_);
    ASSERT_TRUE(largest);
    EXPECT_LT(*largest, 2 * zip_source_piece_bytes + 1024);
    EXPECT_THAT(made, ElementsAre("robot/robot (2).glb", "not exported.txt (2)/not exported.txt (2).glb"));
    const ZipReader zip(archive_);
    ASSERT_EQ(zip.size(), 4u);
    EXPECT_EQ(zip.name(0), "robot/Robot.glb");
    EXPECT_EQ(zip.name(1), made[0]);
    EXPECT_EQ(zip.bytes(1), std::string(600'000, 'g'));
    EXPECT_EQ(zip.name(2), "not exported.txt (2)/a/b.obj");
    EXPECT_EQ(zip.name(3), export_report_name);
    EXPECT_EQ(zip.bytes(3), made[1] + "\t" + broken + "\ttoo_many_joints: " + std::string(300, 'x') + "\n");
}

TEST_F(DownloadTest, ExportsAloneHaveNoReportIfAllWereMade)
{
    const auto robot = add("robot", {file("robot.glb", "{}")});
    const auto members = plan_download(catalog_, *blobs_, std::vector{robot}, DownloadContent::exports);
    const auto make = [](const DownloadMember&) -> Result<MemberContent> {
        return MemberContent{.read = [](std::uint64_t, std::size_t) { return std::vector<std::byte>(); }};
    };
    ASSERT_TRUE(write(ZipSource(*blobs_, members.value(), make), archive_));
    const ZipReader zip(archive_);
    ASSERT_EQ(zip.size(), 1u);
    EXPECT_EQ(zip.name(0), "robot/robot.glb");
}

// A store whose files have their paths no more.
class MovedBlobs final : public BlobStore {
public:
    explicit MovedBlobs(BlobStore& other) : other_(other) {}
    Result<LocalBlob> find_local(const std::string& hash) const override
    {
        auto found = other_.find_local(hash);
        if (!found) return found;
        const auto file = std::make_shared<OpenFile>(OpenFile::find(found->path).value());
        return LocalBlob{"/dev/null", file, file->descriptor()};
    }
    std::unique_ptr<BlobWriter> create() override { return other_.create(); }
    void make_durable(std::span<const std::string> hashes) override { other_.make_durable(hashes); }
    Result<BlobRef> pin(const std::string& hash) override { return other_.pin(hash); }
    void visit(const std::function<bool(const std::string& hash)>& visit) const override
    {
        other_.visit(visit);
    }
    bool remove_unless(const std::string& hash, const std::function<bool()>& is_wanted) override
    {
        return other_.remove_unless(hash, is_wanted);
    }
    std::vector<std::string> wait_for_candidates(const std::stop_token& stop) override
    {
        return other_.wait_for_candidates(stop);
    }

private:
    BlobStore& other_;
};

TEST_F(DownloadTest, ReadsTheFileThatWasFoundWhateverItsPathHasNow)
{
    const auto members = plan({add("robot", {file("robot.gltf", "{}")})});
    const MovedBlobs moved(*blobs_);
    ASSERT_TRUE(write(ZipSource(moved, members), archive_));
    EXPECT_EQ(ZipReader(archive_).bytes(0), "{}");
}

TEST_F(DownloadTest, CountsItsMemory)
{
    const std::string name(500, 'x');
    const auto one = memory_bytes_of(std::vector<DownloadMember>(1));
    EXPECT_GT(one, 100u);
    EXPECT_EQ(memory_bytes_of(std::vector<DownloadMember>(200'000)), 200'000 * one);
    EXPECT_GE(memory_bytes_of(std::vector{DownloadMember{.name = name}}), one + name.size());
}

} // namespace
} // namespace vitrine::server::testing
