// Every misbehavior of the loader process results in the right LoadError within the deadline, without leaks.

#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loaders/worker/files/file_descriptor.hpp"
#include "loaders/worker/protocol/sanitizers.hpp"
#include "tests/integration/worker/loader_fixture.hpp"
#include "tests/integration/worker/processes.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

using namespace std::chrono_literals;
using vitrine::LoadErrc;
using vitrine::to_string;

namespace {

class WorkerFaults : public vitrine::test::LoaderTest {
protected:
    void expect(const std::string& name, LoadErrc code, std::string_view detail) const
    {
        const auto error = error_of(name);
        EXPECT_EQ(to_string(error.code), to_string(code)) << name << ": " << error.detail;
        EXPECT_NE(error.detail.find(detail), std::string::npos) << name << ": " << error.detail;
    }
};

using WorkerLoad = WorkerFaults;

} // namespace

TEST_F(WorkerLoad, ReturnsTheScene)
{
    const auto scene = load("bar.good");
    ASSERT_TRUE(scene) << scene.error().detail;
    EXPECT_TRUE(vitrine::test::same(*scene, vitrine::test::skinned_bar()));
}

TEST_F(WorkerLoad, ContentTakesPrecedenceOverTheName)
{
    EXPECT_TRUE(load("bar.crash", "MARK and more").has_value());
}

TEST_F(WorkerLoad, FiftyLoadsDoNotLeak)
{
    for (int i = 0; i < 50; ++i)
        ASSERT_TRUE(load("bar.good").has_value()) << i;
}

TEST_F(WorkerLoad, LoadsInParallel)
{
    write("bar.good", "x");
    const auto work = [&] {
        for (int i = 0; i < 10; ++i)
            EXPECT_TRUE(
                vitrine::worker::load_scene({{"bar.good", folder_ / "bar.good"}}, "bar.good", options_)
                    .has_value());
    };
    std::thread one(work), two(work);
    one.join();
    two.join();
}

TEST_F(WorkerLoad, OpensOnlyTheFilesOfTheBundle)
{
    const auto main = write("model.list", "12345");
    const auto other = write("sub/texture.png", "123");
    std::filesystem::create_symlink(other.path, folder_ / "link.png");
    ::mkfifo((folder_ / "fifo.png").c_str(), 0600);
    const auto error = vitrine::worker::load_scene({{"sub/texture.png", other.path},
                                                    main,
                                                    {"link.png", folder_ / "link.png"},
                                                    {"fifo.png", folder_ / "fifo.png"},
                                                    {"folder", folder_ / "sub"},
                                                    {"gone.png", folder_ / "gone.png"}},
                                                   "model.list", options_)
                           .error();
    EXPECT_EQ(error.detail,
              "fifo.png=none folder=none gone.png=none link.png=none model.list=5 sub/texture.png=3 ");
}

TEST_F(WorkerLoad, ReportsMissingFiles)
{
    const auto gone = vitrine::worker::load_scene({{"a.good", folder_ / "a.good"}}, "a.good", options_);
    ASSERT_FALSE(gone.has_value());
    EXPECT_EQ(gone.error().code, LoadErrc::missing_file);
    const auto unlisted = vitrine::worker::load_scene({write("b.good", "x")}, "a.good", options_);
    ASSERT_FALSE(unlisted.has_value());
    EXPECT_EQ(unlisted.error().code, LoadErrc::missing_file);
    const auto hollow = load("c.good", "");
    ASSERT_FALSE(hollow.has_value());
    EXPECT_EQ(hollow.error().code, LoadErrc::empty);
}

TEST_F(WorkerLoad, KeepsTheLimitsOnFiles)
{
    options_.limits.file_bytes = 4;
    const auto large = load("a.good", "12345");
    ASSERT_FALSE(large.has_value());
    EXPECT_EQ(large.error().code, LoadErrc::limit_exceeded);
    options_.limits = {};
    options_.limits.total_bytes = 7;
    const auto together =
        vitrine::worker::load_scene({write("a.list", "12345"), write("b.png", "123")}, "a.list", options_);
    ASSERT_FALSE(together.has_value());
    EXPECT_EQ(together.error().code, LoadErrc::limit_exceeded);
}

TEST_F(WorkerLoad, ReportsUnknownFormats)
{
    expect("a.xyz", LoadErrc::unknown_format, "neither the name nor the first bytes");
    expect("a.FBX", LoadErrc::unsupported, ".fbx files");
}

TEST_F(WorkerFaults, ProgramIsMissing)
{
    options_.program = folder_ / "nothing";
    expect("a.good", LoadErrc::internal, "cannot start the loader process");
}

TEST_F(WorkerFaults, ProgramIsNotALoader)
{
    options_.program = "/bin/true";
    expect("a.good", LoadErrc::crashed, "status 0");
}

TEST_F(WorkerFaults, Crash)
{
    expect("a.crash", LoadErrc::crashed, vitrine::worker::sanitized ? "" : "SIGSEGV");
    expect("a.abort", LoadErrc::crashed, "SIGABRT");
}

TEST_F(WorkerFaults, HangsAreEndedAtTheDeadline)
{
    options_.deadline = 500ms;
    for (const auto* name : {"a.hang", "a.spin", "a.stop"})
        expect(name, LoadErrc::timed_out, "500 ms");
}

TEST_F(WorkerFaults, StopEndsTheLoaderImmediately)
{
    options_.deadline = 10min; // later than ctest's
    for (const auto* name : {"a.hang", "a.spin", "a.stop"}) {
        std::stop_source stop;
        options_.stop = stop.get_token();
        std::jthread stopper([&] {
            while (vitrine::test::child_of(::getpid()) == 0)
                std::this_thread::yield();
            stop.request_stop();
        });
        expect(name, LoadErrc::timed_out, "was stopped");
    }
}

TEST_F(WorkerFaults, StopBeforeTheStart)
{
    std::stop_source stop;
    stop.request_stop();
    options_.stop = stop.get_token();
    expect("a.hang", LoadErrc::timed_out, "was stopped");
}

TEST_F(WorkerFaults, CpuTimeLimit)
{
    expect("a.cpu", LoadErrc::timed_out, "CPU time");
}

TEST_F(WorkerFaults, MemoryLimit)
{
    if (vitrine::worker::sanitized) GTEST_SKIP() << "sanitizers exclude RLIMIT_AS";
    options_.memory_bytes = 256 << 20;
    expect("a.hungry", LoadErrc::out_of_memory, "memory limit");
}

TEST_F(WorkerFaults, WritesTooMuch)
{
    options_.memory_bytes = 256 << 20;
    expect("a.big", LoadErrc::out_of_memory, "write limit");
}

TEST_F(WorkerFaults, ExceptionTextIsCleaned)
{
    expect("a.throw", LoadErrc::internal, "two lines  [31m and ?");
}

TEST_F(WorkerFaults, ExitWithoutResult)
{
    expect("a.leave", LoadErrc::crashed, "status 7");
}

TEST_F(WorkerFaults, InvalidMessages)
{
    for (const auto* name :
         {"a.garbage", "a.oversized", "a.chatter", "a.foreign", "a.again", "a.seek", "a.hangup"})
        expect(name, LoadErrc::crashed, "violated the protocol");
}

TEST_F(WorkerFaults, BrokenResults)
{
    for (const auto* name : {"a.size", "a.count", "a.liar", "a.nothing"})
        expect(name, LoadErrc::internal, "invalid result");
}

// The process is killed at its reply, and its memory sealed: what it writes until then makes the result too
// long.
TEST_F(WorkerFaults, ResultThatIsStillWrittenIsUnchangedOrInvalid)
{
    options_.memory_bytes = 256 << 20; // where instrumented builds end it
    for (int i = 0; i < 10; ++i) {
        const auto scene = load("a.scribble");
        if (scene)
            EXPECT_TRUE(vitrine::test::same(*scene, vitrine::test::skinned_bar()));
        else
            EXPECT_EQ(scene.error().code, LoadErrc::internal) << scene.error().detail;
    }
}

TEST_F(WorkerFaults, InvalidSceneIsReported)
{
    const auto error = error_of("a.invalid");
    EXPECT_EQ(to_string(error.code), "out_of_range");
    EXPECT_TRUE(error.where.starts_with("/meshes/0")) << error.where;
}

TEST_F(WorkerFaults, EndsWithTheServer)
{
    if (vitrine::worker::sanitized) GTEST_SKIP() << "forks a process with sanitizers";
    const auto file = write("a.hang", "x");
    const pid_t server = ::fork();
    if (server == 0) {
        (void)vitrine::worker::load_scene({file}, "a.hang", options_);
        ::_exit(0);
    }
    const pid_t loader = vitrine::test::await_child(server);
    ASSERT_NE(loader, 0);
    EXPECT_TRUE(vitrine::test::await_confined(loader)) << "otherwise it ends because its socket is closed";
    ::kill(server, SIGKILL);
    ::waitpid(server, nullptr, 0);
    EXPECT_TRUE(vitrine::test::goes_away(loader));
}

// The environment has only the malloc tunables and the time zone set by the loader itself. A descriptor
// without close-on-exec represents those opened by drivers and libraries.
TEST_F(WorkerFaults, HasOnlyItsSocket)
{
    const vitrine::worker::FileDescriptor careless(::open("/dev/null", O_RDONLY));
    const auto detail = error_of("a.report").detail;
    if (vitrine::worker::sanitized)
        EXPECT_TRUE(detail.starts_with("fds 0 1 2 3 5 env ")) << detail;
    else
        EXPECT_EQ(detail, "fds 0 1 2 3 5 env 2");
}
