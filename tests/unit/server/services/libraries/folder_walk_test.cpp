#include "server/services/libraries/folder_walk.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "tests/unit/server/services/support/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;

class FolderWalkTest : public ServicesTest {
protected:
    void write(const std::string& path) const
    {
        const auto file = folder() / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << path;
    }
    FolderWalk walk(bool stopped = false) const
    {
        const LibraryFilter filter{PathPatterns({}), PathPatterns({})};
        return walk_folder(folder(), filter, [&] { return stopped; });
    }
    static std::vector<std::string> paths(const FolderWalk& walk)
    {
        std::vector<std::string> found;
        for (const auto& folder : walk.folders)
            for (const auto& file : folder.files)
                found.push_back(join_path(folder.path, file.name));
        return found;
    }
};

// As the database orders (folder, name).
TEST_F(FolderWalkTest, IsInTheOrderOfTheIndex)
{
    for (const char* path : {"b.obj", "a/z.obj", "a-b/y.obj", "a/b/x.obj", "Z.obj", "a.txt"})
        write(path);
    EXPECT_THAT(paths(walk()), ElementsAre("Z.obj", "b.obj", "a/z.obj", "a-b/y.obj", "a/b/x.obj"));
}

TEST_F(FolderWalkTest, CountsNamesThatCannotBeStored)
{
    write("a.obj");
    std::ofstream(folder() / "b\xff.obj") << "b";
    std::ofstream(folder() / "c\\d.obj") << "c";
    const auto found = walk();
    EXPECT_THAT(paths(found), ElementsAre("a.obj"));
    EXPECT_EQ(found.skipped, 2u);
}

TEST_F(FolderWalkTest, SaysThatTheFolderCannotBeRead)
{
    const LibraryFilter filter{PathPatterns({}), PathPatterns({})};
    const auto found = walk_folder(folder() / "none", filter, [] { return false; });
    EXPECT_EQ(found.error, ENOENT);
}

TEST_F(FolderWalkTest, EndsAtAStop)
{
    write("a.obj");
    EXPECT_TRUE(walk(true).is_stopped);
}

TEST_F(FolderWalkTest, OpensNoFifoAndNoLink)
{
    write("a/b.obj");
    EXPECT_TRUE(open_below(folder(), "a/b.obj"));
    std::filesystem::create_symlink(folder() / "a/b.obj", folder() / "link.obj");
    std::filesystem::create_directory_symlink(folder() / "a", folder() / "linked");
    EXPECT_FALSE(open_below(folder(), "link.obj"));
    EXPECT_FALSE(open_below(folder(), "linked/b.obj"));
    EXPECT_FALSE(open_below(folder(), "a"));
}

} // namespace
} // namespace vitrine::server::testing
