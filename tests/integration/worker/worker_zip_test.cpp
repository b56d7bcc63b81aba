// unpack_zip: through a real process onto the disk.

#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "loaders/worker/client/folder_writer.hpp"
#include "tests/integration/worker/loader_fixture.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/zip_builder.hpp"

using namespace vitrine;
using test::ZipBuilder;
namespace fs = std::filesystem;

namespace {

class WorkerZip : public test::LoaderTest {
protected:
    WorkerZip()
    {
        options_.program = test::program("vitrine-loader");
        fs::create_directory(out_);
    }

    LoadResult<std::vector<worker::BundleFile>> unpack(const std::string& zip)
    {
        return worker::unpack_zip(write("upload.zip", zip).path, out_, options_);
    }
    static std::string content(const fs::path& path)
    {
        std::ifstream in(path, std::ios::binary);
        return (std::ostringstream() << in.rdbuf()).str();
    }

    fs::path out_ = folder_ / "out";
};

} // namespace

TEST_F(WorkerZip, WritesTheMembers)
{
    const std::string large(3'000'000, 'x');
    const auto files = unpack(
        ZipBuilder().add("a/b/c.bin", large, {.deflated = true}).add("a/d.txt", "d").add("e", "").bytes());
    ASSERT_TRUE(files.has_value()) << files.error().detail;
    ASSERT_EQ(files->size(), 3u);
    EXPECT_EQ((*files)[0].name, "a/b/c.bin");
    EXPECT_EQ((*files)[0].path, out_ / "a/b/c.bin");
    EXPECT_EQ(content(out_ / "a/b/c.bin"), large);
    EXPECT_EQ(content(out_ / "a/d.txt"), "d");
    EXPECT_EQ(content(out_ / "e"), "");
}

TEST_F(WorkerZip, PassesTheMembersOn)
{
    const std::string large(3'000'000, 'x');
    const auto zip =
        write("upload.zip",
              ZipBuilder().add("a/c.bin", large, {.deflated = true}).add("e", "").add("d.txt", "d").bytes());
    std::vector<std::pair<std::string, std::string>> files;
    const worker::UnpackSink sink{.begin = [&](const std::string& name) { files.emplace_back(name, ""); },
                                  .append = [&](std::string_view bytes) { files.back().second += bytes; }};
    ASSERT_TRUE(worker::unpack_zip(zip, sink, options_));
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[0].first, "a/c.bin");
    EXPECT_TRUE(files[0].second == large);
    EXPECT_EQ(files[1], (std::pair<std::string, std::string>("e", "")));
    EXPECT_EQ(files[2].second, "d");
    EXPECT_EQ(std::distance(fs::directory_iterator(out_), {}), 0);

    const worker::BundleFile open{"upload.zip", {}, ::open(zip.path.c_str(), O_RDONLY | O_CLOEXEC)};
    files.clear();
    EXPECT_TRUE(worker::unpack_zip(open, sink, options_)) << "of an open file";
    EXPECT_EQ(files.size(), 3u);
    ::close(open.descriptor);
    EXPECT_THROW(
        (void)worker::unpack_zip(
            zip, {.begin = [](const auto&) { throw std::runtime_error("full"); }, .append = {}}, options_),
        std::runtime_error);
    options_.limits.zip_bytes = 1000;
    EXPECT_EQ(worker::unpack_zip(zip, sink, options_).error().code, LoadErrc::limit_exceeded);
}

TEST_F(WorkerZip, RejectsPathTraversal)
{
    for (const auto* name : {"../escaped", "/tmp/escaped", "a/../../escaped", "..\\escaped"}) {
        const auto files = unpack(ZipBuilder().add(name, "x").bytes());
        ASSERT_FALSE(files.has_value()) << name;
        EXPECT_EQ(files.error().code, LoadErrc::malformed);
        EXPECT_FALSE(files.error().where.empty());
    }
    EXPECT_FALSE(fs::exists(folder_ / "escaped"));
}

TEST_F(WorkerZip, RejectsBombs)
{
    options_.limits.zip_bytes = 10 << 20;
    const std::string zeros(20 << 20, '\0');
    const auto files = unpack(ZipBuilder().add("bomb", zeros, {.deflated = true}).bytes());
    ASSERT_FALSE(files.has_value());
    EXPECT_EQ(files.error().code, LoadErrc::limit_exceeded);
    EXPECT_FALSE(fs::exists(out_ / "bomb")) << "its size stands in the directory";
}

TEST_F(WorkerZip, RejectsAFileThatIsAlsoAFolder)
{
    for (const auto& zip :
         {ZipBuilder().add("a", "1").add("a/b", "2"), ZipBuilder().add("c/b", "1").add("c", "2")}) {
        const auto files = unpack(zip.bytes());
        ASSERT_FALSE(files.has_value());
        EXPECT_EQ(files.error().code, LoadErrc::malformed);
    }
}

TEST_F(WorkerZip, RejectsInvalidZips)
{
    const auto files = unpack("hello");
    ASSERT_FALSE(files.has_value());
    EXPECT_EQ(files.error().code, LoadErrc::malformed);
}

// A loader process that sends wrong names and numbers.
TEST_F(WorkerZip, WriterChecksNamesAndNumbers)
{
    options_.limits.zip_entries = 2;
    options_.limits.zip_bytes = 5;
    worker::FolderWriter writer(out_, options_.limits);
    const auto take = [&](worker::MessageType type, const char* text) {
        return writer.take({type, 0, text});
    };
    using enum worker::MessageType;
    EXPECT_EQ(take(data, "x").error().code, LoadErrc::crashed) << "data without a file";
    for (const auto* name : {"../a", "/a", "a/../b", "", "a\\b"})
        EXPECT_EQ(take(entry, name).error().code, LoadErrc::malformed) << name;
    EXPECT_TRUE(take(entry, "dir/a").has_value());
    EXPECT_TRUE(take(data, "1234").has_value());
    EXPECT_EQ(take(data, "56").error().code, LoadErrc::limit_exceeded);
    EXPECT_EQ(take(entry, "dir/a").error().code, LoadErrc::malformed) << "twice";
    EXPECT_TRUE(take(entry, "b").has_value());
    EXPECT_EQ(take(entry, "c").error().code, LoadErrc::limit_exceeded);
}

TEST_F(WorkerZip, WriterDoesNotFollowLinks)
{
    fs::create_directory_symlink(folder_, out_ / "link");
    fs::create_symlink(folder_ / "target", out_ / "file");
    worker::FolderWriter writer(out_, options_.limits);
    EXPECT_FALSE(writer.take({worker::MessageType::entry, 0, "link/a"}).has_value());
    EXPECT_FALSE(writer.take({worker::MessageType::entry, 0, "file"}).has_value());
    EXPECT_FALSE(fs::exists(folder_ / "a"));
    EXPECT_FALSE(fs::exists(folder_ / "target"));
}
