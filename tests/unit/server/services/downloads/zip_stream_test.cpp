#include "server/services/downloads/zip_stream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/services/downloads/zip_reader.hpp"

namespace vitrine::server::testing {
namespace {

constexpr std::int64_t instant = 1'795'892'000; // 2026-11-28 18:53:20 UTC

// A file that has holes where ZipStream::skip() has counted zeros.
class SparseArchive {
public:
    SparseArchive() : descriptor_(::open(path().c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)) {}
    ~SparseArchive() { ::close(descriptor_); }
    SparseArchive(const SparseArchive&) = delete;
    SparseArchive& operator=(const SparseArchive&) = delete;

    std::filesystem::path path() const { return folder_.path() / "archive.zip"; }
    void add(const std::string& name, std::string_view bytes)
    {
        zip.begin_member(name, instant, bytes.size(), out);
        zip.add(std::as_bytes(std::span(bytes)), out);
        zip.end_member(out);
        write();
    }
    void add_zeros(const std::string& name, std::uint64_t count)
    {
        zip.begin_member(name, instant, count, out);
        write();
        zip.skip(count, checksum_of_zeros(count));
        ::lseek(descriptor_, static_cast<off_t>(count), SEEK_CUR);
        zip.end_member(out);
        write();
    }
    void finish()
    {
        while (zip.finish(out))
            write();
    }

private:
    static std::uint32_t checksum_of_zeros(std::uint64_t count)
    {
        uLong all = 0, power = crc32_z(0, reinterpret_cast<const Bytef*>("\0"), 1);
        for (std::uint64_t length = 1; length <= count; length *= 2) {
            if ((count & length) != 0) all = crc32_combine64(all, power, static_cast<z_off64_t>(length));
            power = crc32_combine64(power, power, static_cast<z_off64_t>(length));
        }
        return static_cast<std::uint32_t>(all);
    }
    void write()
    {
        ASSERT_EQ(::write(descriptor_, out.data(), out.size()), static_cast<ssize_t>(out.size()));
        out.clear();
    }

    test::TempDir folder_;
    int descriptor_;
    ZipStream zip;
    std::string out;
};

TEST(ZipStream, IsReadByAnotherProgram)
{
    SparseArchive archive;
    archive.add("robot/robot.gltf", "{}");
    archive.add("H\u00e4nd \u6f22\u5b57/empty.bin", "");
    archive.add("robot/data.bin", std::string(300'000, 'x'));
    archive.finish();
    const ZipReader zip(archive.path());
    ASSERT_EQ(zip.size(), 3u);
    EXPECT_EQ(zip.name(1), "H\u00e4nd \u6f22\u5b57/empty.bin");
    EXPECT_EQ(zip.bytes(0), "{}");
    EXPECT_EQ(zip.bytes(1), "");
    EXPECT_EQ(zip.bytes(2), std::string(300'000, 'x'));
    EXPECT_EQ(zip.stat(0).comp_method, ZIP_CM_STORE);
}

TEST(ZipStream, WithoutMembersIsAnArchive)
{
    SparseArchive archive;
    archive.finish();
    EXPECT_EQ(ZipReader(archive.path()).size(), 0u);
}

// A member over 4 GiB, and one that begins behind 4 GiB.
TEST(ZipStream, MayExceedFourGibibytes)
{
    constexpr auto large = 5ull << 30;
    SparseArchive archive;
    archive.add("first.txt", "first");
    archive.add_zeros("large.bin", large);
    archive.add_zeros("half.bin", 1ull << 31);
    archive.add("last.txt", "last");
    archive.finish();
    EXPECT_GT(std::filesystem::file_size(archive.path()), large);
    const ZipReader zip(archive.path());
    ASSERT_EQ(zip.size(), 4u);
    EXPECT_EQ(zip.stat(1).size, large);
    EXPECT_EQ(zip.stat(1).comp_size, large);
    EXPECT_EQ(zip.stat(2).size, 1ull << 31);
    EXPECT_EQ(zip.bytes(0), "first");
    EXPECT_EQ(zip.bytes(3), "last");
}

TEST(ZipStream, MayHaveMoreThan65535Members)
{
    SparseArchive archive;
    for (int i = 0; i < 70'000; ++i)
        archive.add(fmt::format("{}.txt", i), "");
    archive.finish();
    const ZipReader zip(archive.path());
    ASSERT_EQ(zip.size(), 70'000u);
    EXPECT_EQ(zip.name(69'999), "69999.txt");
}

} // namespace
} // namespace vitrine::server::testing
