// Writing: complete, in order, and within the peer's time limit.

#include "server/net/socket_writer.hpp"

#include <csignal>
#include <deque>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>
#endif

#include "server/util/files.hpp"
#include "tests/unit/server/net/loopback_pair.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

std::size_t allocated_bytes()
{
#if __has_feature(address_sanitizer)
    return __sanitizer_get_current_allocated_bytes();
#else
    const auto info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
}

// sendfile(2) fails with EINVAL then, as on a file system that does not support it.
void make_sendfile_fail(LoopbackPair& ends)
{
    const int socket = ends.server.native_handle();
    ASSERT_EQ(::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_APPEND), 0);
}

// A file on its way to a peer that does not read.
struct StalledTransfer {
    StalledTransfer(const NetLimits& limits, WorkPool& work, FileSlice file, bool copied)
        : deadline(pair.server), writer(pair.server, deadline, limits, work)
    {
        if (copied) make_sendfile_fail(pair);
        asio::co_spawn(pair.server.get_executor(), writer.write(std::move(file)),
                       [this](const std::exception_ptr&, bool good) { sent = good; });
    }
    // Waits until the peer has received something; false if all has been sent.
    bool has_begun()
    {
        return test::eventually([this] { return pair.io.poll(), pair.peer.available() > 0; }) && !sent;
    }
    // Waits for the result of the writer.
    std::optional<bool> result()
    {
        test::eventually([this] { return pair.io.poll(), sent.has_value(); });
        return sent;
    }

    LoopbackPair pair;
    SocketDeadline deadline;
    SocketWriter writer;
    std::optional<bool> sent;
};

class SocketWriterTest : public ::testing::Test {
protected:
    explicit SocketWriterTest(int receive_buffer = 1) : ends(receive_buffer)
    {
        std::signal(SIGPIPE, SIG_IGN); // as the server does
    }

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
        ends.io.run_for(test::wait_timeout);
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
    SocketDeadline deadline{ends.server};
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

TEST_F(ReadingPeer, GetsRangesOfAFile)
{
    const std::string text = body + body + body; // more than is read ahead at once
    const auto whole = file_of(text, text.size());
    const auto part = [&](std::uint64_t offset, std::uint64_t length) {
        return FileSlice{whole.file, offset, length};
    };
    for (const bool copied : {false, true}) {
        if (copied) make_sendfile_fail(ends);
        std::string received;
        std::jthread peer([&] { received = ends.read(text.size() - 7 + 70'001 + 1); });
        ends.io.restart();
        EXPECT_EQ(run([&](SocketWriter& to) -> asio::awaitable<bool> {
                      co_return co_await to.write(part(7, text.size() - 7)) &&
                          co_await to.write(part(65'535, 70'001)) && co_await to.write(part(5, 0)) &&
                          co_await to.write(part(text.size() - 1, 1));
                  }),
                  true);
        peer.join();
        EXPECT_TRUE(received == text.substr(7) + text.substr(65'535, 70'001) + text.back()) << copied;
    }
}

TEST_F(ReadingPeer, ShorterFileAbortsTheTransfer)
{
    std::jthread peer([&] { ends.read(body.size()); });
    EXPECT_EQ(run([&](SocketWriter& to) { return to.write(file_of(body, body.size() + 1)); }), false);
}

// Other processes may change a file that is served, after it was opened and read ahead.
TEST_F(ReadingPeer, FileTruncatedWhileItIsSentAbortsTheTransfer)
{
    for (const bool copied : {false, true}) {
        StalledTransfer transfer(limits, work, file_of(body, body.size()), copied);
        ASSERT_TRUE(transfer.has_begun());
        ASSERT_EQ(::truncate((folder.path() / "file").c_str(), 100), 0);
        std::jthread peer([&] { transfer.pair.read(body.size()); });
        EXPECT_EQ(transfer.result(), false) << copied;
        transfer.pair.server.close();
    }
}

TEST_F(SocketWriterTest, PeerThatLeavesEndsTheTransferOfAFile)
{
    for (const bool copied : {false, true}) {
        StalledTransfer transfer(limits, work, file_of(body, body.size()), copied);
        ASSERT_TRUE(transfer.has_begun());
        transfer.pair.peer.close();
        EXPECT_EQ(transfer.result(), false) << copied;
    }
}

TEST_F(SocketWriterTest, PeersThatDoNotReadHoldNoBytesOfAFile)
{
    for (const bool copied : {false, true}) {
        std::deque<LoopbackPair> pairs(32);
        std::deque<SocketDeadline> limits_of;
        std::deque<SocketWriter> writers;
        for (auto& pair : pairs) {
            if (copied) make_sendfile_fail(pair);
            writers.emplace_back(pair.server, limits_of.emplace_back(pair.server), limits, work);
        }
        const auto slice = file_of(body, body.size());
        const auto before = allocated_bytes();
        for (std::size_t i = 0; i < pairs.size(); ++i)
            asio::co_spawn(pairs[i].server.get_executor(), writers[i].write(slice), asio::detached);
        for (auto& pair : pairs)
            ASSERT_TRUE(test::eventually([&] { return pair.io.poll(), pair.peer.available() > 0; }));
        EXPECT_LT(allocated_bytes(), before + pairs.size() * 32'768) << copied;
        for (auto& pair : pairs)
            pair.peer.close();
        EXPECT_TRUE(test::eventually([&] {
            for (auto& pair : pairs)
                pair.io.poll();
            return slice.file.use_count() == 1;
        })) << "all transfers have ended";
    }
}

} // namespace
} // namespace vitrine::server
