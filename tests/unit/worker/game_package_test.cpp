// Which files above its folder a model of an id Software format may request.

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/worker/files/game_package.hpp"
#include "tests/unit/worker/folder_test.hpp"

using namespace vitrine::worker;
using testing::ElementsAre;
namespace fs = std::filesystem;

namespace {

class PackageFolder : public vitrine::test::FolderTest {
protected:
    std::string read(const std::string& name) const { return content(open_beneath(folder_ / "pak", name)); }
};

} // namespace

TEST_F(PackageFolder, IsAboveModels)
{
    EXPECT_EQ(find_package_root(touch("pak/models/players/a/head.md3")), folder_ / "pak");
    EXPECT_EQ(find_package_root(touch("pak/Models/a.MD3")), folder_ / "pak");
    EXPECT_EQ(find_package_root(touch("baseq2/players/male/tris.md2")), folder_ / "baseq2");
    EXPECT_EQ(find_package_root(touch("models/deep/models/a.md5mesh")), folder_ / "models/deep")
        << "the nearest";
    EXPECT_EQ(find_package_root(touch("pak/models/a.obj")), fs::path())
        << "names its files relative to its own folder";
    EXPECT_EQ(find_package_root(touch("pak/things/a.md3")), fs::path());
    EXPECT_EQ(find_package_root(folder_ / "pak/models/gone.md3"), fs::path());
    fs::create_symlink(folder_ / "pak/Models/a.MD3", folder_ / "link.md3");
    EXPECT_EQ(find_package_root(folder_ / "link.md3"), folder_ / "pak") << "the resolved location";
}

TEST_F(PackageFolder, AllowsImagesInItsFolders)
{
    for (const auto* good : {"gfx/blue.tga", "models/players/a/skin.PNG", "textures/a b.jpg"})
        EXPECT_TRUE(may_request_from_package(good)) << good;
    for (const auto* bad :
         {"blue.tga", "/etc/a.png", "../a.png", "gfx/../../a.png", "gfx//a.png", "gfx/a.txt", "gfx/passwd",
          ".ssh/a.png", "gfx/.a.png", "gfx/.x/a.png", "gfx\\a.png", "", "gfx/"})
        EXPECT_FALSE(may_request_from_package(bad)) << bad;
}

TEST_F(PackageFolder, LinksCannotLeaveIt)
{
    touch("pak/gfx/blue.tga");
    touch("outside.tga");
    touch("out/red.tga");
    fs::create_symlink("blue.tga", folder_ / "pak/gfx/within.tga");
    fs::create_symlink("../../outside.tga", folder_ / "pak/gfx/link.tga");
    fs::create_symlink(folder_ / "outside.tga", folder_ / "pak/gfx/absolute.tga");
    fs::create_symlink("../out", folder_ / "pak/out");
    EXPECT_EQ(read("gfx/blue.tga"), "pak/gfx/blue.tga");
    EXPECT_EQ(read("gfx/within.tga"), "pak/gfx/blue.tga");
    for (const auto* name : {"gfx/link.tga", "gfx/absolute.tga", "out/red.tga", "gfx/gone.tga", "gone/a.tga"})
        EXPECT_EQ(read(name), "-") << name;
    EXPECT_EQ(read("../outside.tga"), "-") << "although requests for it are rejected";
}

TEST_F(PackageFolder, AddsItsShaderScripts)
{
    touch("pak/scripts/b.shader");
    touch("pak/scripts/a.SHADER");
    touch("pak/scripts/notes.txt");
    touch("pak/materials/imp.mtr");
    touch("pak/materials/c.shader");
    touch("pak/scripts/deeper/c.shader");
    touch("secret");
    fs::create_symlink(folder_ / "secret", folder_ / "pak/scripts/link.shader");
    std::vector<BundleFile> files{{"scripts/b.shader", "/beside"}};
    add_scripts(files, folder_ / "pak");
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[2].path, folder_ / "pak/materials/imp.mtr");
    EXPECT_EQ(files[0].path, "/beside") << "files next to the model are unchanged";
    EXPECT_EQ(files[1].name, "scripts/a.SHADER");
    EXPECT_EQ(files[1].path, folder_ / "pak/scripts/a.SHADER");
    add_scripts(files, folder_ / "nothing");
    EXPECT_EQ(files.size(), 3u);
}
