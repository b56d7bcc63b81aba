#include <csignal>
#include <string>

#include <fcntl.h>

#include <gtest/gtest.h>

#include "loaders/base/printable.hpp"
#include "loaders/worker/protocol/message_socket.hpp"
#include "loaders/worker/protocol/process.hpp"
#include "loaders/worker/protocol/protocol.hpp"

using namespace vitrine;
using namespace vitrine::worker;

TEST(Protocol, MessagesRoundTrip)
{
    const Message message{MessageType::entry, 0x1234567890ull, std::string("a\0b", 3)};
    const auto back = decode_message(encode_message(message));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->type, message.type);
    EXPECT_EQ(back->value, message.value);
    EXPECT_EQ(back->payload, message.payload);
}

TEST(Protocol, RejectsInvalidMessages)
{
    const auto bytes = encode_message({MessageType::done, 0, {}});
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_message(std::string_view(bytes).substr(0, size)).has_value()) << size;
    for (const char type : {'\0', static_cast<char>(static_cast<int>(MessageType::forbidden) + 1), '\xff'}) {
        auto wrong = bytes;
        wrong[0] = type;
        EXPECT_FALSE(decode_message(wrong).has_value());
    }
    EXPECT_FALSE(decode_message(bytes + std::string(payload_limit + 1, 'x')).has_value());
}

TEST(Protocol, JobsRoundTrip)
{
    LoaderJob job;
    job.command = LoaderCommand::unzip;
    job.extrapolation_policy = ExtrapolationPolicy::clamped;
    job.pose_time = -2.5;
    job.timeline_mode = TimelineMode::single_clip;
    job.pixels = PixelResult::left_out;
    job.main = 1;
    job.memory_bytes = 5;
    job.result_bytes = 6;
    job.cpu_seconds = 7;
    job.limits.zip_ratio = 8;
    job.limits.vertices = 9;
    job.names = {"a", "", "b/c"};
    const auto back = decode_job(encode_job(job));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->command, LoaderCommand::unzip);
    EXPECT_EQ(back->extrapolation_policy, ExtrapolationPolicy::clamped);
    EXPECT_EQ(back->pose_time, -2.5);
    EXPECT_EQ(back->timeline_mode, TimelineMode::single_clip);
    EXPECT_EQ(back->pixels, PixelResult::left_out);
    EXPECT_EQ(back->main, 1u);
    EXPECT_EQ(back->memory_bytes, 5u);
    EXPECT_EQ(back->result_bytes, 6u);
    EXPECT_EQ(back->cpu_seconds, 7u);
    EXPECT_EQ(back->limits.zip_ratio, 8u);
    EXPECT_EQ(back->limits.vertices, 9u);
    EXPECT_EQ(back->names, job.names);
}

TEST(Protocol, RejectsTruncatedAndTrailingJobs)
{
    LoaderJob job;
    job.names = {"model.obj", "model.mtl"};
    const auto bytes = encode_job(job);
    EXPECT_FALSE(decode_job(bytes)->pose_time.has_value());
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_job(std::string_view(bytes).substr(0, size)).has_value()) << size;
    EXPECT_FALSE(decode_job(bytes + "x").has_value());
    job.extrapolation_policy = static_cast<ExtrapolationPolicy>(7);
    EXPECT_FALSE(decode_job(encode_job(job)).has_value());
    job.extrapolation_policy = ExtrapolationPolicy::clamped;
    job.timeline_mode = static_cast<TimelineMode>(2);
    EXPECT_FALSE(decode_job(encode_job(job)).has_value());
    job.timeline_mode = TimelineMode::clips;
    job.pixels = static_cast<PixelResult>(2);
    EXPECT_FALSE(decode_job(encode_job(job)).has_value());
    job.pixels = PixelResult::returned;
    job.main = 2;
    EXPECT_FALSE(decode_job(encode_job(job)).has_value());
}

TEST(Protocol, ErrorsRoundTrip)
{
    const auto back = to_error(to_message({LoadErrc::truncated, "line 3", "the file ends"}));
    EXPECT_EQ(back.code, LoadErrc::truncated);
    EXPECT_EQ(back.where, "line 3");
    EXPECT_EQ(back.detail, "the file ends");
}

TEST(Protocol, ErrorsAreLimitedAndSanitized)
{
    const auto back =
        to_error(to_message({LoadErrc::malformed, std::string(9999, 'w'), std::string(9999, '\n')}));
    EXPECT_LE(back.where.size(), 200u);
    EXPECT_LE(back.detail.size(), 600u);
    EXPECT_EQ(back.detail.find('\n'), std::string::npos);

    auto message = to_message({LoadErrc::malformed, "", "x"});
    message.value = 200;
    EXPECT_EQ(to_error(message).code, LoadErrc::internal);
    message.value = 1;
    message.payload = "short";
    EXPECT_EQ(to_error(message).code, LoadErrc::internal);
}

TEST(Printable, KeepsTextAndReplacesOtherBytes)
{
    EXPECT_EQ(printable("grün 日本 \xf0\x9f\x90\x9f", 100), "grün 日本 \xf0\x9f\x90\x9f");
    EXPECT_EQ(printable("a\nb\tc\x7f", 100), "a b c ");
    EXPECT_EQ(printable("\xc2\x9b[31m", 100), " [31m");
    for (const auto* wrong : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe0\x80\x80"})
        EXPECT_EQ(printable(wrong, 100), std::string(std::string_view(wrong).size(), '?'));
    EXPECT_EQ(printable("日本", 4), "日") << "no partial character";
}

TEST(MessageSocket, TransfersMessagesAndDescriptors)
{
    auto ends = make_socket_pair();
    const int passed = ends.child.get();
    MessageSocket parent(std::move(ends.parent));
    MessageSocket child(FileDescriptor(::dup(passed)));
    EXPECT_EQ(parent.receive(Wait::no).status, ReceiveStatus::nothing);
    const int both[] = {0, passed};
    ASSERT_TRUE(child.send({MessageType::open, 7, "seven"}, both));
    const auto incoming = parent.receive(Wait::yes);
    ASSERT_EQ(incoming.status, ReceiveStatus::message);
    EXPECT_EQ(incoming.message.value, 7u);
    EXPECT_EQ(incoming.message.payload, "seven");
    ASSERT_EQ(incoming.descriptors.size(), 2u);
    EXPECT_NE(::fcntl(incoming.descriptors[0].get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(MessageSocket, DetectsThatThePeerHasClosed)
{
    auto ends = make_socket_pair();
    MessageSocket parent(std::move(ends.parent));
    ends.child.reset();
    EXPECT_EQ(parent.receive(Wait::yes).status, ReceiveStatus::closed);
    EXPECT_FALSE(parent.send({MessageType::done, 0, {}}));
}

TEST(MessageSocket, DoesNotWaitForASleepingReader)
{
    auto ends = make_socket_pair();
    MessageSocket parent(std::move(ends.parent));
    int sent = 0;
    while (sent < 10'000 && parent.send({MessageType::file, 0, std::string(1000, 'x')}, {}, Wait::no))
        ++sent;
    EXPECT_GT(sent, 0);
    EXPECT_LT(sent, 10'000);
}

// Wait statuses as encoded by Linux: exit status << 8, or the signal.
TEST(DescribeExit, ExplainsWaitStatuses)
{
    EXPECT_EQ(describe_exit(7 << 8).code, LoadErrc::crashed);
    EXPECT_NE(describe_exit(7 << 8).detail.find("status 7"), std::string::npos);
    EXPECT_NE(describe_exit(SIGBUS).detail.find("SIGBUS"), std::string::npos);
    EXPECT_EQ(describe_exit(SIGKILL).code, LoadErrc::killed);
    EXPECT_EQ(describe_exit(SIGSEGV).code, LoadErrc::crashed);
    EXPECT_EQ(describe_exit(SIGXCPU).code, LoadErrc::timed_out);
    EXPECT_EQ(describe_exit(SIGXFSZ).code, LoadErrc::out_of_memory);
}
