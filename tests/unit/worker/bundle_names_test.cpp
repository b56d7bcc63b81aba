#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/worker/client/client.hpp"
#include "loaders/worker/files/bundle_names.hpp"
#include "tests/unit/worker/folder_test.hpp"

using namespace vitrine::worker;
using testing::ElementsAre;
using testing::IsEmpty;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_of(const std::vector<BundleFile>& files)
{
    std::vector<std::string> names;
    for (const auto& file : files)
        names.push_back(file.name);
    return names;
}

class BundleBeside : public vitrine::test::FolderTest {};

} // namespace

TEST(NormalizedName, IsRelativeAndStaysBelow)
{
    for (const auto* good : {"a", "a.obj", "dir/a b.obj", "日本/テ.png", "..a", "a.."})
        EXPECT_TRUE(is_normalized_name(good)) << good;
    for (const auto* bad :
         {"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a\\b", "C:a", "a\nb"})
        EXPECT_FALSE(is_normalized_name(bad)) << bad;
    EXPECT_FALSE(is_normalized_name(std::string(256, 'a')));
    EXPECT_FALSE(is_normalized_name(std::string(2000, '/')));
}

TEST(ModelNames, FindsModelsByName)
{
    EXPECT_THAT(model_names({"a.obj", "a.mtl", "tex/a.png", "b.GLB", "c.gltf", "c.bin", "notes.txt"}),
                ElementsAre("a.obj", "b.GLB", "c.gltf"));
}

TEST(ModelNames, IncludesUnsupportedModelFormats)
{
    EXPECT_THAT(model_names({"a.fbx", "b.3ds", "c.md2", "d.md3", "e.dae", "f.zae"}),
                ElementsAre("a.fbx", "b.3ds", "c.md2", "d.md3", "e.dae", "f.zae"));
}

TEST(ModelNames, AnimationsBelongToTheirMesh)
{
    EXPECT_THAT(model_names({"walk.md5anim", "hero.md5mesh", "run.md5anim"}), ElementsAre("hero.md5mesh"));
    EXPECT_THAT(model_names({"walk.md5anim"}), ElementsAre("walk.md5anim"));
}

TEST(ModelNames, ExcludesPartsOfOtherModels)
{
    EXPECT_THAT(model_names({"a/head.md3", "a/head_1.md3", "a/lower.md3", "a/upper.md3", "gun.md3"}),
                ElementsAre("a/lower.md3", "gun.md3"));
    EXPECT_THAT(model_names({"tris.md2", "weapon.md2"}), ElementsAre("tris.md2"));
}

TEST(ModelNames, SomeAreModelsWhateverOtherFilesThereAre)
{
    for (const char* name : {"a.obj", "b/A.3DS", "c.md2", "hero.md5mesh"})
        EXPECT_TRUE(is_always_model(name)) << name;
    for (const char* name : {"a.png", "a.mtl", "a.glb", "a.gltf", "a.fbx", "a.dae", "walk.md5anim", "gun.md3",
                             "b/Weapon.MD2", "._a.obj", "__MACOSX/a.obj", "obj", ""})
        EXPECT_FALSE(is_always_model(name)) << name;
}

TEST(ModelNames, ExcludesMacOsMetadata)
{
    EXPECT_THAT(model_names({"__MACOSX/._a.obj", "dir/._b.glb", "dir/b.glb"}), ElementsAre("dir/b.glb"));
    EXPECT_THAT(model_names({}), IsEmpty());
}

TEST_F(BundleBeside, IncludesTheFolderButNotItsParent)
{
    touch("above.png");
    touch("m/model.obj");
    touch("m/z.mtl");
    touch("m/textures/a.png");
    EXPECT_THAT(names_of(list_sibling_files(folder_ / "m/model.obj")),
                ElementsAre("model.obj", "textures/a.png", "z.mtl"));
}

TEST_F(BundleBeside, FollowsLinksThatStayInside)
{
    touch("above.png");
    touch("m/model.obj");
    fs::create_symlink(folder_ / "m/model.obj", folder_ / "m/same.obj");
    fs::create_symlink(folder_ / "above.png", folder_ / "m/outside.png");
    fs::create_symlink(folder_ / "m/model.obj", folder_ / "link.obj");
    EXPECT_THAT(names_of(list_sibling_files(folder_ / "m/model.obj")), ElementsAre("model.obj", "same.obj"));
    EXPECT_EQ(list_sibling_files(folder_ / "link.obj")[0].path, folder_ / "m/model.obj") << "the given file";
}

TEST_F(BundleBeside, IncludesAMissingFile)
{
    const auto files = list_sibling_files(folder_ / "nothing.obj");
    EXPECT_THAT(names_of(files), ElementsAre("nothing.obj"));
}

TEST_F(BundleBeside, LimitsDepth)
{
    touch("model.obj");
    touch("1/2/3/near.png");
    touch("1/2/3/4/5/far.png");
    EXPECT_THAT(names_of(list_sibling_files(folder_ / "model.obj")),
                ElementsAre("model.obj", "1/2/3/near.png"));
}
