// Access of a local model to files around its folder.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "loaders/worker/protocol/surroundings.hpp"

using namespace vitrine::worker;
using testing::ElementsAre;
namespace fs = std::filesystem;

namespace {

class Surroundings : public testing::Test {
protected:
    Surroundings()
    {
        std::string pattern = testing::TempDir() + "vitrine-around-XXXXXX";
        folder_ = fs::canonical(::mkdtemp(pattern.data()));
        fs::create_directories(folder_ / "a/b/c");
    }
    ~Surroundings() override { fs::remove_all(folder_); }

    void touch(const std::string& name) const
    {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << name;
    }
    // Contents of the file opened from a/b/c; "-" if it cannot be opened.
    std::string read(const std::string& name) const
    {
        const FileDescriptor file = open_above(folder_ / "a/b/c", name);
        std::array<char, 100> text{};
        const auto size = file.valid() ? ::read(file.get(), text.data(), text.size()) : -1;
        return size < 0 ? "-" : std::string(text.data(), static_cast<std::size_t>(size));
    }

    fs::path folder_;
};

} // namespace

TEST_F(Surroundings, AcceptsNamesUpToThreeLevelsAbove)
{
    for (const auto* good : {"../x.bin", "../other/x.bin", "../../../x.bin", "../a b/deep/x"})
        EXPECT_TRUE(is_name_above(good)) << good;
    for (const auto* bad : {"x.bin", "../../../../x.bin", "/etc/passwd", "../", "..", "../../", "../a/../b",
                            "../.ssh/id", "../a/.hidden", "..//x", "../a\\b", "a/../../x", "../c:x", ""})
        EXPECT_FALSE(is_name_above(bad)) << bad;
    EXPECT_TRUE(is_image_name("a.PNG"));
    for (const auto* bad : {"a.txt", "../a.png", "x/a.png", ".a.png", "", "png"})
        EXPECT_FALSE(is_image_name(bad)) << bad;
}

TEST_F(Surroundings, OpensFilesBelowTheNamedFolder)
{
    touch("a/b/x.bin");
    touch("a/other/y.bin");
    touch("secret");
    EXPECT_EQ(read("../x.bin"), "a/b/x.bin");
    EXPECT_EQ(read("../../other/y.bin"), "a/other/y.bin");
    EXPECT_EQ(read("../../other/gone.bin"), "-");
    fs::create_symlink(folder_ / "secret", folder_ / "a/b/link.bin");
    fs::create_symlink("../../secret", folder_ / "a/b/up.bin");
    EXPECT_EQ(read("../link.bin"), "-") << "a link that leaves the folder";
    EXPECT_EQ(read("../up.bin"), "-");
    EXPECT_FALSE(open_above("/", "../etc/hostname").valid());
    EXPECT_FALSE(open_above("/tmp", "../etc/hostname").valid()) << "never from the root";
}

TEST_F(Surroundings, ListsTextureFoldersFirst)
{
    fs::create_directories(folder_ / "a/b/zeta");
    fs::create_directories(folder_ / "a/b/texture");
    fs::create_directories(folder_ / "a/b/alpha");
    fs::create_directories(folder_ / "a/b/.hidden");
    touch("a/b/file");
    EXPECT_THAT(folders_beside(folder_ / "a/b/c"),
                ElementsAre("../textures", "../texture", "..", "../alpha", "../zeta"));
    EXPECT_THAT(folders_beside("/tmp"), ElementsAre());
}
