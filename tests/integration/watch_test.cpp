// `vitrine import --watch` against a real server: each file in a folder is imported once and completely.

#include <array>
#include <csignal>
#include <fstream>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/integration/http_support.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes/spawn.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The watching process; stdout and stderr are combined.
class Watch {
public:
    Watch(int port, const fs::path& folder)
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
        pid_ = spawn({program("vitrine"), "import", "--server", fmt::format("http://127.0.0.1:{}", port),
                      "--watch", folder.string()},
                     {.output = ends[1], .error = ends[1]});
        ::close(ends[1]);
        output_ = ends[0];
    }
    ~Watch()
    {
        if (pid_ > 0) ::kill(pid_, SIGKILL);
        if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
        ::close(output_);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // Returns the next line; empty if none arrives within `limit`.
    std::string line(std::chrono::milliseconds limit = 60s)
    {
        auto until = Clock::now() + limit;
        std::string text;
        for (char c = 0;;) {
            auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
            pollfd end{output_, POLLIN, 0};
            if (::poll(&end, 1, static_cast<int>(std::max<long>(left, 0))) <= 0) return {};
            if (::read(output_, &c, 1) != 1 || c == '\n') return text;
            text.push_back(c);
        }
    }
    // Returns the exit code after a signal; waits until it has closed its output.
    int stop(int signal)
    {
        ::kill(pid_, signal);
        while (!line().empty()) {
        }
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t pid_ = -1;
    int output_ = -1;
};

void write(const fs::path& path, std::string_view bytes)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

std::size_t library_size(int port)
{
    return get(port, "/v1/assets?limit=500").json().at("items").as_array().size();
}

class WatchTest : public ::testing::Test {
protected:
    TempDir folder;
    fs::path inbox = folder.path() / "inbox";
    ServerProcess server{folder.path() / "data"};
};

} // namespace

TEST_F(WatchTest, ImportsCompleteFiles)
{
    write(inbox / "vase.glb", vase_glb().bytes); // exists before the start
    Watch watch(server.port(), inbox);
    ASSERT_EQ(watch.line(), "watching " + inbox.string());
    auto vase = watch.line();
    EXPECT_NE(vase.find("  vase  succeeded"), std::string::npos) << vase;

    // An incomplete file that is open for longer than the quiet time: a later file is imported first.
    auto koi = koi_glb().bytes;
    std::ofstream slow(inbox / "koi.glb", std::ios::binary);
    slow << koi.substr(0, koi.size() / 2) << std::flush;
    for (const auto& file : robot_md5())
        write(inbox / "robot" / file.name, file.bytes); // one folder, one asset with all its clips
    auto robot = watch.line();
    EXPECT_NE(robot.find("  robot  succeeded"), std::string::npos) << robot;
    slow << koi.substr(koi.size() / 2);
    slow.close();
    auto line = watch.line();
    EXPECT_NE(line.find("  koi  succeeded"), std::string::npos) << line;
    EXPECT_EQ(library_size(server.port()), 3u);
    auto asset = get(server.port(), "/v1/assets/" + robot.substr(0, robot.find(' '))).json();
    EXPECT_GT(asset.at_pointer("/counts/clips").to_number<int>(), 0);
    EXPECT_EQ(watch.stop(SIGINT), 0);
}

TEST_F(WatchTest, ReportsErrorsAndContinues)
{
    fs::create_directories(inbox);
    Watch watch(server.port(), inbox);
    ASSERT_EQ(watch.line(), "watching " + inbox.string());
    write(inbox / "broken.glb", "this is no model");
    auto line = watch.line();
    EXPECT_NE(line.find("  broken  failed: "), std::string::npos) << line;
    write(inbox / "notes" / "readme.txt", "nothing to show");
    line = watch.line();
    EXPECT_NE(line.find("notes: the file is not a model of a supported format"), std::string::npos) << line;
    write(inbox / "loose.txt", "no model: left alone");
    write(inbox / ".hidden.glb", "left alone");
    write(folder.path() / "vase.part", vase_glb().bytes);
    fs::rename(folder.path() / "vase.part", inbox / "vase.glb"); // as browsers and rsync do
    line = watch.line();
    EXPECT_NE(line.find("  vase  succeeded"), std::string::npos) << line;
    EXPECT_EQ(watch.stop(SIGTERM), 0);
}

TEST_F(WatchTest, ReportsAMissingServer)
{
    fs::create_directories(inbox);
    Watch watch(server.port(), inbox);
    ASSERT_EQ(watch.line(), "watching " + inbox.string());
    server.signal(SIGTERM);
    ASSERT_EQ(server.wait(), 0);
    write(inbox / "vase.glb", vase_glb().bytes);
    auto line = watch.line();
    EXPECT_NE(line.find("vase.glb: "), std::string::npos) << line;
    EXPECT_EQ(watch.stop(SIGINT), 0);
}

// A server that accepts connections and never answers.
TEST_F(WatchTest, SignalEndsAnUpload)
{
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    ASSERT_EQ(::bind(listener, generic, size), 0);
    ASSERT_EQ(::listen(listener, 1), 0);
    ASSERT_EQ(::getsockname(listener, generic, &size), 0);
    fs::create_directories(inbox);
    Watch watch(ntohs(address.sin_port), inbox);
    ASSERT_EQ(watch.line(), "watching " + inbox.string());
    write(inbox / "vase.glb", vase_glb().bytes);
    const int connection = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    ASSERT_GE(connection, 0);
    EXPECT_EQ(watch.stop(SIGTERM), 0);
    ::close(connection);
    ::close(listener);
}

TEST_F(WatchTest, EndsWhenTheFolderIsRemoved)
{
    fs::create_directories(inbox);
    Watch watch(server.port(), inbox);
    ASSERT_EQ(watch.line(), "watching " + inbox.string());
    fs::remove_all(inbox);
    EXPECT_EQ(watch.line(), "vitrine: the watched folders were removed");
    EXPECT_EQ(watch.stop(0), 1);
}

} // namespace vitrine::test
