// Access of a local model to files around its folder.

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/worker/files/surroundings.hpp"
#include "tests/unit/worker/folder_test.hpp"

using namespace vitrine::worker;
using testing::ElementsAre;
namespace fs = std::filesystem;

namespace {

class Surroundings : public vitrine::test::FolderTest {
protected:
    Surroundings() { fs::create_directories(folder_ / "a/b/c"); }

    std::string read(const std::string& name) const { return content(open_above(folder_ / "a/b/c", name)); }
};

} // namespace

TEST_F(Surroundings, AcceptsNamesUpToThreeLevelsAbove)
{
    for (const auto* good : {"../x.bin", "../other/x.bin", "../../../x.bin", "../a b/deep/x"})
        EXPECT_TRUE(is_name_above(good)) << good;
    for (const auto* bad : {"x.bin", "../../../../x.bin", "/etc/passwd", "../", "..", "../../", "../a/../b",
                            "../.ssh/id", "../a/.hidden", "..//x", "../a\\b", "a/../../x", "../c:x", ""})
        EXPECT_FALSE(is_name_above(bad)) << bad;
    for (const char* good : {"a.PNG", "a.hdr", "a.tiff", "a b.jpeg"})
        EXPECT_TRUE(is_sibling_image_name(good)) << good;
    for (const auto* bad : {"a.txt", "../a.png", "x/a.png", ".a.png", "", "png"})
        EXPECT_FALSE(is_sibling_image_name(bad)) << bad;
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
    EXPECT_THAT(folders_beside(folder_ / "a/b/c").names,
                ElementsAre("textures", "texture", "", "alpha", "zeta"));
    EXPECT_THAT(folders_beside("/tmp").names, ElementsAre());
}

TEST_F(Surroundings, OpensImagesInSiblingFoldersWithoutLeavingTheParent)
{
    fs::create_directories(folder_ / "a/b/alpha");
    touch("a/b/alpha/x.png");
    touch("a/b/y.png");
    touch("a/z.png");
    fs::create_symlink("../../z.png", folder_ / "a/b/alpha/z.png");
    const auto siblings = folders_beside(folder_ / "a/b/c");
    EXPECT_TRUE(open_beside(siblings, "alpha", "x.png").valid());
    EXPECT_TRUE(open_beside(siblings, "", "y.png").valid());
    EXPECT_FALSE(open_beside(siblings, "alpha", "y.png").valid());
    EXPECT_FALSE(open_beside(siblings, "alpha", "z.png").valid()) << "a link that leaves the parent";
    EXPECT_FALSE(open_beside(folders_beside("/tmp"), "", "x.png").valid());
}
