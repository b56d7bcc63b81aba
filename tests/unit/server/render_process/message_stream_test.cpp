// The socket of a render process: whole messages, descriptors, deadlines, and bytes that are no message.
#include <array>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loaders/worker/protocol/passed_descriptors.hpp"
#include "server/render_process/message_stream.hpp"

namespace vitrine::render_process {
namespace {

Deadline soon()
{
    return std::chrono::steady_clock::now() + std::chrono::seconds(60);
}

Deadline now()
{
    return std::chrono::steady_clock::now();
}

constexpr auto log_type = static_cast<std::uint32_t>(RenderMessageType::log);

struct Ends {
    explicit Ends(StreamPair pair = make_stream_pair())
        : server(std::move(pair.server)), process(std::move(pair.process))
    {
    }
    MessageStream server, process;
};

TEST(MessageStream, CarriesMessagesOfAnySize)
{
    Ends ends;
    for (const std::size_t size :
         {0u, 1u, 100'000u, 5'000'000u}) { // the last ones exceed what the socket holds
        const std::string bytes(size, 'x');
        std::thread sender(
            [&] { EXPECT_TRUE(ends.server.send({.type = log_type, .work_ns = 7}, bytes, soon())); });
        const auto received = ends.process.receive(size, std::nullopt);
        sender.join();
        ASSERT_TRUE(received);
        EXPECT_EQ(received->type, RenderMessageType::log);
        EXPECT_EQ(received->work_ns, 7);
        EXPECT_EQ(received->bytes, bytes);
        EXPECT_FALSE(received->descriptor.valid());
    }
}

TEST(MessageStream, CarriesOneDescriptorToTheProcess)
{
    Ends ends;
    int pipe[2];
    ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
    const FileDescriptor read_end(pipe[0]);
    FileDescriptor write_end(pipe[1]);
    ASSERT_TRUE(ends.server.send({.type = log_type}, "with", soon(), write_end.get()));
    ASSERT_TRUE(ends.server.send({.type = log_type}, "without", soon()));
    auto first = ends.process.receive(100, std::nullopt);
    const auto second = ends.process.receive(100, std::nullopt);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(second->bytes, "without");
    EXPECT_FALSE(second->descriptor.valid());
    ASSERT_TRUE(first->descriptor.valid());
    EXPECT_EQ(::fcntl(first->descriptor.get(), F_GETFD), FD_CLOEXEC);
    write_end.reset();
    EXPECT_EQ(::write(first->descriptor.get(), "x", 1), 1);
    char byte = 0;
    EXPECT_EQ(::read(read_end.get(), &byte, 1), 1);
    first->descriptor.reset();
    EXPECT_EQ(::read(read_end.get(), &byte, 1), 0) << "no other copy of the descriptor is open";
}

TEST(MessageStream, KeepsOneDescriptorOfAMessage)
{
    Ends ends;
    int pipe[2];
    ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
    const FileDescriptor read_end(pipe[0]);
    FileDescriptor write_end(pipe[1]);
    RenderMessageHead head{.type = log_type};
    iovec part{&head, sizeof head};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    worker::ControlBuffer control;
    worker::attach_descriptors(header, control, std::array{write_end.get(), write_end.get()});
    ASSERT_EQ(::sendmsg(ends.server.descriptor(), &header, 0), static_cast<ssize_t>(sizeof head));
    write_end.reset();
    auto received = ends.process.receive(100, std::nullopt);
    ASSERT_TRUE(received && received->descriptor.valid());
    received->descriptor.reset();
    char byte = 0;
    EXPECT_EQ(::read(read_end.get(), &byte, 1), 0) << "no other copy of the descriptor is open";
}

// The kernel closes a descriptor that the server does not ask for.
TEST(MessageStream, RejectsDescriptorsFromTheProcess)
{
    Ends ends;
    int pipe[2];
    ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
    const FileDescriptor read_end(pipe[0]);
    FileDescriptor write_end(pipe[1]);
    ASSERT_TRUE(ends.process.send({.type = log_type}, "with", soon(), write_end.get()));
    write_end.reset();
    const auto received = ends.server.receive(100, soon());
    ASSERT_TRUE(received);
    EXPECT_FALSE(received->descriptor.valid());
    char byte = 0;
    EXPECT_EQ(::read(read_end.get(), &byte, 1), 0);
}

TEST(MessageStream, ReportsDeadlines)
{
    Ends ends;
    EXPECT_EQ(ends.server.receive(100, now()).error(), StreamError::timed_out);
    const std::string much(8 << 20, 'x');
    EXPECT_EQ(ends.server.send({.type = log_type}, much, now()).error(), StreamError::timed_out)
        << "nobody reads";
}

TEST(MessageStream, ReportsAClosedEnd)
{
    Ends ends;
    ASSERT_TRUE(ends.process.send({.type = log_type}, "last", soon()));
    ends.process.close();
    EXPECT_TRUE(ends.server.receive(100, soon())) << "what was sent before";
    EXPECT_EQ(ends.server.receive(100, soon()).error(), StreamError::closed);
    EXPECT_EQ(ends.server.send({.type = log_type}, "", soon()).error(), StreamError::closed);
}

StreamError error_after(const void* bytes, std::size_t size, bool closes)
{
    Ends ends;
    EXPECT_EQ(::send(ends.process.descriptor(), bytes, size, 0), static_cast<ssize_t>(size));
    if (closes) ends.process.close();
    const auto received = ends.server.receive(100, closes ? soon() : now());
    EXPECT_FALSE(received);
    return received ? StreamError::closed : received.error();
}

TEST(MessageStream, RejectsWhatIsNoMessage)
{
    RenderMessageHead head{.type = log_type, .size_bytes = 100};
    EXPECT_EQ(error_after(&head, sizeof head, true), StreamError::closed) << "without its bytes";
    EXPECT_EQ(error_after(&head, sizeof head, false), StreamError::timed_out);
    EXPECT_EQ(error_after(&head, sizeof head - 1, true), StreamError::closed) << "a part of the head";
    head.size_bytes = 101;
    EXPECT_EQ(error_after(&head, sizeof head, false), StreamError::invalid) << "longer than allowed";
    head.size_bytes = ~0ull;
    EXPECT_EQ(error_after(&head, sizeof head, false), StreamError::invalid);
    head.size_bytes = 0;
    ++head.signature;
    EXPECT_EQ(error_after(&head, sizeof head, false), StreamError::invalid) << "another version";
}

} // namespace
} // namespace vitrine::render_process
