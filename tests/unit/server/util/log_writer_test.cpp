#include "server/util/log_writer.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace vitrine::server {
namespace {

std::string dropped_line(std::uint64_t count)
{
    return "dropped " + std::to_string(count) + "\n";
}

class Pipe {
public:
    Pipe() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
    ~Pipe()
    {
        close_writer();
        ::close(ends_[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int writer() const { return ends_[1]; }
    void close_writer()
    {
        if (ends_[1] >= 0) ::close(ends_[1]);
        ends_[1] = -1;
    }

    // Fills the pipe, so that the next write blocks. Returns the text that it holds then.
    std::string fill() const
    {
        const int size = ::fcntl(ends_[1], F_SETPIPE_SZ, 4096);
        EXPECT_GT(size, 0);
        std::string text(static_cast<std::size_t>(std::max(size, 1)), 'p');
        EXPECT_EQ(::write(ends_[1], text.data(), text.size()), size);
        return text;
    }

    // Reads until `end` was read, or until the writing end is closed.
    std::string read_until(const std::string& end) const
    {
        std::string text;
        char c = 0;
        while (!text.ends_with(end) && ::read(ends_[0], &c, 1) == 1)
            text += c;
        return text;
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

} // namespace

TEST(LogWriter, WritesLinesInOrder)
{
    Pipe pipe;
    std::string expected;
    {
        LogWriter writer(pipe.writer(), 1 << 20, dropped_line);
        for (int i = 0; i < 100; ++i) {
            const std::string line = "line " + std::to_string(i) + "\n";
            EXPECT_TRUE(writer.add(line));
            expected += line;
        }
    }
    pipe.close_writer();
    EXPECT_EQ(pipe.read_until("end"), expected);
}

// The reader stops; the threads that log do not. Later it gets whole lines and the number of dropped ones.
TEST(LogWriter, DropsAndCountsLinesOfAStoppedReader)
{
    const Pipe pipe;
    std::string expected = pipe.fill();
    LogWriter writer(pipe.writer(), 10'000, dropped_line);
    std::uint64_t dropped = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::string line = std::to_string(i) + std::string(96, 'x') + "\n";
        if (writer.add(line))
            expected += line;
        else
            ++dropped;
    }
    EXPECT_GE(dropped, 700u); // the queue holds a hundred lines, and the writer as many
    std::string text;
    std::uint64_t reported = 0;
    while (reported < dropped || text.size() < expected.size()) {
        const std::string line = pipe.read_until("\n");
        ASSERT_FALSE(line.empty());
        if (line.starts_with("dropped "))
            reported += std::stoull(line.substr(8));
        else
            text += line;
    }
    EXPECT_EQ(reported, dropped);
    EXPECT_TRUE(text == expected);
    EXPECT_TRUE(writer.add("after\n"));
    EXPECT_EQ(pipe.read_until("\n"), "after\n");
}

// A server that ends waits for a stopped reader once, and not in each flush.
TEST(LogWriter, WaitsOnceForAStoppedReader)
{
    using enum LogWriter::FlushResult;
    const Pipe pipe;
    const std::string held = pipe.fill();
    LogWriter writer(pipe.writer(), 10'000, dropped_line);
    EXPECT_TRUE(writer.add("first\n"));
    EXPECT_EQ(writer.flush(), timed_out);
    EXPECT_EQ(writer.flush(), stalled);
    EXPECT_TRUE(writer.add("second\n"));
    EXPECT_EQ(writer.flush(), stalled);
    EXPECT_EQ(pipe.read_until("second\n"), held + "first\nsecond\n");
    while (writer.flush() == stalled) // until the thread has returned from the last write
        std::this_thread::yield();
    EXPECT_EQ(writer.flush(), written);
}

TEST(LogWriter, EndsWhileTheReaderIsStopped)
{
    const Pipe pipe;
    std::string expected = pipe.fill();
    {
        LogWriter writer(pipe.writer(), 10'000, dropped_line);
        EXPECT_TRUE(writer.add("line\n"));
    }
    EXPECT_EQ(pipe.read_until("line\n"), expected + "line\n"); // written when the reader continues
}

TEST(LogWriter, SurvivesAClosedReader)
{
    std::signal(SIGPIPE, SIG_IGN); // as the server does
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    ::close(ends[0]);
    LogWriter writer(ends[1], 10'000, dropped_line);
    EXPECT_TRUE(writer.add("line\n"));
    writer.flush();
    EXPECT_TRUE(writer.add("line\n"));
    writer.flush();
    ::close(ends[1]);
}

} // namespace vitrine::server
