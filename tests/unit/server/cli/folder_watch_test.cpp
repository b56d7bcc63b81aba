// inotify events of folders, and recovery of lost events.

#include "server/cli/folder_watch.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <gtest/gtest.h>

#include "server/util/files.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;

class FolderWatchTest : public ::testing::Test {
protected:
    static bool has(const std::vector<FolderEvent>& events, const fs::path& path, FileChange change)
    {
        return std::ranges::any_of(
            events, [&](const auto& event) { return event.path == path && event.change == change; });
    }
    static void write(const fs::path& path) { std::ofstream(path) << "x"; }

    server::TemporaryFolder scratch{fs::temp_directory_path()};
    fs::path root = scratch.path();
    FolderWatch watch;
};

TEST_F(FolderWatchTest, ExistingFilesCountAsWritten)
{
    fs::create_directories(root / "a");
    write(root / "a/model.obj");
    write(root / "a/.hidden");
    const auto events = watch.add(root);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_TRUE(has(events, root / "a/model.obj", FileChange::written));
    EXPECT_TRUE(watch.read().empty());
}

TEST_F(FolderWatchTest, ChangesAreReported)
{
    watch.add(root);
    std::ofstream open(root / "model.obj");
    open << "x" << std::flush;
    EXPECT_TRUE(has(watch.read(), root / "model.obj", FileChange::writing));
    open.close();
    EXPECT_TRUE(has(watch.read(), root / "model.obj", FileChange::written));
    fs::remove(root / "model.obj");
    EXPECT_TRUE(has(watch.read(), root / "model.obj", FileChange::removed));
    fs::create_directories(root / "new");
    write(root / "new/late.obj");
    EXPECT_TRUE(has(watch.read(), root / "new/late.obj", FileChange::written));
    EXPECT_TRUE(watch.watches(root / "new"));
}

// The kernel's queue overflows and later events are lost: the folders are read again.
TEST_F(FolderWatchTest, RecoversEventsLostByAnOverflow)
{
    std::size_t limit = 0;
    std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> limit;
    if (limit == 0 || limit > 200'000) GTEST_SKIP() << "this system queues " << limit << " events";
    fs::create_directories(root / "deep");
    watch.add(root);
    std::array<std::ofstream, 2> files{std::ofstream(root / "a.tga"), std::ofstream(root / "b.tga")};
    for (std::size_t events = 0; events <= limit; events += 2) // equal consecutive events would be merged
        for (auto& file : files)
            file << 'x' << std::flush;
    write(root / "deep/lost.obj");
    fs::create_directories(root / "lost");
    write(root / "lost/in.obj");
    const auto events = watch.read();
    EXPECT_TRUE(has(events, root / "deep/lost.obj", FileChange::written));
    EXPECT_TRUE(has(events, root / "lost/in.obj", FileChange::written));
    EXPECT_TRUE(watch.watches(root / "lost"));
    write(root / "lost/next.obj");
    EXPECT_TRUE(has(watch.read(), root / "lost/next.obj", FileChange::written));
}

} // namespace
} // namespace vitrine::cli
