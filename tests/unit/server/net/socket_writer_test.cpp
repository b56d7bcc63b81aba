// Writing: complete, in order, and within the peer's time limit.

#include "server/net/socket_writer.hpp"

#include <fstream>
#include <optional>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "server/util/files.hpp"
#include "tests/unit/server/net/loopback_pair.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

class SocketWriterTest : public ::testing::Test {
protected:
    explicit SocketWriterTest(int receive_buffer = 1) : ends(receive_buffer) {}

    // Returns the result of write(writer); empty if it does not return.
    template <class Write>
    std::optional<bool> run(Write write)
    {
        std::optional<bool> sent;
        asio::co_spawn(
            ends.server.get_executor(), [&] { return write(writer); },
            [&](const std::exception_ptr&, bool good) {
                sent = good;
                ends.io.stop(); // the timer of the deadline may be running
            });
        ends.io.run_for(test::patience);
        return sent;
    }

    FileSlice file_of(std::string_view text, std::uint64_t announced)
    {
        const auto path = folder.path() / "file";
        std::ofstream(path) << text;
        return {std::make_shared<OpenFile>(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), 0, announced};
    }

    LoopbackPair ends;
    NetLimits limits;
    WorkPool work{1, 8};
    Deadline deadline{ends.server};
    SocketWriter writer{ends.server, deadline, limits, work};
    TemporaryFolder folder{std::filesystem::temp_directory_path()};
    const std::string body = std::string(100'000, 'a') + std::string(100'000, 'b') + "end";
};

class ReadingPeer : public SocketWriterTest {
protected:
    ReadingPeer() : SocketWriterTest(1 << 16) {} // less than what is written
};

TEST_F(ReadingPeer, GetsAllBytes)
{
    std::string received;
    std::jthread peer([&] { received = ends.read(3 * body.size() + 4); });
    EXPECT_EQ(run([&](SocketWriter& to) -> asio::awaitable<bool> {
                  co_return co_await to.write(body) && co_await to.write("head", body) &&
                      co_await to.write(file_of(body, body.size()));
              }),
              true);
    peer.join();
    EXPECT_TRUE(received == body + "head" + body + body);
}

TEST_F(SocketWriterTest, WriteTimesOut)
{
    limits.body_time = 0s;
    EXPECT_EQ(run([&](SocketWriter& to) { return to.write(body); }), false);
}

TEST_F(SocketWriterTest, WriteOfHeadAndBodyTimesOut)
{
    limits.body_time = 0s;
    EXPECT_EQ(
        run([&](SocketWriter& to) { return to.write("head", std::string_view(body).substr(0, 60'000)); }),
        false);
}

TEST_F(SocketWriterTest, WriteOfAFileTimesOut)
{
    limits.body_time = 0s;
    EXPECT_EQ(run([&](SocketWriter& to) { return to.write(file_of(body, body.size())); }), false);
}

TEST_F(ReadingPeer, ShorterFileAbortsTheTransfer)
{
    std::jthread peer([&] { ends.read(body.size()); });
    EXPECT_EQ(run([&](SocketWriter& to) { return to.write(file_of(body, body.size() + 1)); }), false);
}

} // namespace
} // namespace vitrine::server
