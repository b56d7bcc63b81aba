#include "server/services/libraries/library_watch.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "tests/unit/server/services/libraries/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LibraryWatchTest : public LibraryTest {};

TEST_F(LibraryWatchTest, ReportsTheLibraryThatHasChanged)
{
    LibraryWatch watch;
    std::filesystem::create_directories(root / "a");
    std::filesystem::create_directories(folder() / "other");
    EXPECT_TRUE(watch.watch("one", root, {"", "a"}).is_new);
    EXPECT_TRUE(watch.watch("two", folder() / "other", {""}).is_complete);
    EXPECT_FALSE(watch.watch("one", root, {"", "a"}).is_new);
    EXPECT_THAT(watch.read(), IsEmpty());
    std::ofstream(root / "a/x.obj") << "x";
    EXPECT_THAT(watch.read(), ElementsAre("one"));
    std::ofstream(folder() / "other/y.obj") << "y";
    EXPECT_THAT(watch.read(), ElementsAre("two"));
    EXPECT_TRUE(watch.watch("one", root, {""}).is_complete);
    std::filesystem::remove(root / "a/x.obj");
    EXPECT_THAT(watch.read(), IsEmpty()) << "the folder is not watched any more";
}

TEST_F(LibraryWatchTest, AChangeIsScannedByTheThread)
{
    write("a.obj", "a");
    add();
    services->start();
    write("b.obj", "b");
    EXPECT_TRUE(test::eventually([&] { return names().size() == 2; }));
}

} // namespace
} // namespace vitrine::server::testing
