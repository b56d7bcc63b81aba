// Messages to pieces and back, within the credit.

#include <gtest/gtest.h>

#include "server/link/link_writer.hpp"
#include "server/link/stream_flow.hpp"
#include "server/util/shared_bytes.hpp"

namespace vitrine::server {
namespace {

SharedBytes bytes_like(std::size_t size, char value)
{
    return std::make_shared<const std::vector<std::byte>>(size, static_cast<std::byte>(value));
}

std::string content_of(const WebSocketMessage& message)
{
    if (const auto* text = std::get_if<WebSocketText>(&message)) return text->text;
    std::string all;
    const auto& binary = std::get<WebSocketBinary>(message);
    for (const auto& part : {binary.head, binary.payload})
        for (const auto byte : *part)
            all += static_cast<char>(byte);
    return all;
}

StreamData data_of(const std::string& frame)
{
    return std::get<StreamData>(decode_link_frame(frame).value());
}

TEST(StreamFlow, CarriesMessagesOfAllSizes)
{
    StreamSender sender(3);
    StreamReceiver receiver(3, 1 << 20);
    const std::vector<WebSocketMessage> messages{
        WebSocketText{"hello"}, WebSocketText{""},
        WebSocketBinary{bytes_like(64, 'h'), bytes_like(100'000, 'p')},
        WebSocketBinary{bytes_like(max_chunk_bytes, 'h'), bytes_like(0, ' ')}, WebSocketText{"end"}};
    for (const auto& message : messages)
        sender.push(message);
    EXPECT_EQ(sender.queued_bytes(), 5u + 64 + 100'000 + max_chunk_bytes + 3);
    std::vector<WebSocketMessage> arrived;
    while (const auto frame = sender.next()) {
        EXPECT_LE(frame->size(), max_chunk_bytes + 8);
        auto message = receiver.receive(data_of(*frame));
        ASSERT_TRUE(message) << message.error();
        if (*message) arrived.push_back(std::move((*message)->message));
    }
    EXPECT_TRUE(sender.is_empty());
    EXPECT_EQ(sender.queued_bytes(), 0u);
    ASSERT_EQ(arrived.size(), messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        EXPECT_EQ(arrived[i].index(), messages[i].index());
        EXPECT_EQ(content_of(arrived[i]), content_of(messages[i]));
    }
}

// Carries what is possible now; returns the number of messages.
std::size_t carry(StreamSender& sender, StreamReceiver& receiver, std::uint64_t& cost)
{
    std::size_t count = 0;
    while (const auto frame = sender.next()) {
        const auto message = receiver.receive(data_of(*frame));
        EXPECT_TRUE(message) << message.error();
        if (message && *message) {
            ++count;
            cost += (*message)->cost;
        }
        if (const auto credit = receiver.take_credit()) EXPECT_TRUE(sender.add_credit(credit->bytes));
    }
    return count;
}

TEST(StreamFlow, StopsUntilTheReceiverHasConsumed)
{
    StreamSender sender(1);
    StreamReceiver receiver(1, 1 << 20);
    for (int i = 0; i < 100; ++i)
        sender.push(WebSocketBinary{bytes_like(0, ' '), bytes_like(100'000, 'x')});
    std::uint64_t cost = 0;
    const auto first = carry(sender, receiver, cost);
    EXPECT_GE(first, stream_window_bytes / 100'000 - 1);
    EXPECT_LE(first, stream_window_bytes / 100'000 + 1);
    EXPECT_FALSE(sender.next());
    EXPECT_FALSE(receiver.take_credit());
    std::size_t count = first;
    while (cost > 0) {
        receiver.consumed(std::exchange(cost, 0));
        if (const auto credit = receiver.take_credit()) EXPECT_TRUE(sender.add_credit(credit->bytes));
        count += carry(sender, receiver, cost);
    }
    EXPECT_EQ(count, 100u);
}

// A message larger than the window arrives if none waits before it.
TEST(StreamFlow, CarriesAMessageLargerThanTheWindow)
{
    StreamSender sender(1);
    StreamReceiver receiver(1, 8 << 20);
    sender.push(WebSocketBinary{bytes_like(0, ' '), bytes_like(5 << 20, 'x')});
    std::uint64_t cost = 0;
    EXPECT_EQ(carry(sender, receiver, cost), 1u);
    EXPECT_LE(cost, stream_window_bytes);
}

TEST(StreamFlow, RejectsAPeerThatBreaksTheRules)
{
    const std::string chunk(max_chunk_bytes, 'x');
    StreamReceiver receiver(1, 2 * max_chunk_bytes);
    EXPECT_TRUE(receiver.receive({1, true, false, chunk}));
    EXPECT_TRUE(receiver.receive({1, true, false, chunk}));
    EXPECT_FALSE(receiver.receive({1, true, false, "x"})) << "too large";
    StreamReceiver mixed(1, 1000);
    EXPECT_TRUE(mixed.receive({1, true, false, "x"}));
    EXPECT_FALSE(mixed.receive({1, false, true, "x"})) << "text and bytes";
    StreamReceiver unread(1, 1000);
    std::expected<std::optional<StreamMessage>, std::string> message;
    std::size_t count = 0;
    while ((message = unread.receive({1, false, true, ""})))
        ++count;
    EXPECT_EQ(count, stream_window_bytes / 64) << "empty messages cost too";
    StreamSender sender(1);
    EXPECT_FALSE(sender.add_credit(1)) << "more than the window";
}

TEST(LinkWriter, SendsOnePieceOfEachStreamInTurn)
{
    LinkWriter writer;
    for (const std::uint32_t stream : {1u, 2u, 3u})
        writer.add(stream).push(WebSocketBinary{bytes_like(0, ' '), bytes_like(3 * max_chunk_bytes, 'x')});
    writer.add(4);
    EXPECT_TRUE(writer.send(StreamCredit{1, 100}));
    std::vector<std::uint32_t> order;
    while (const auto bytes = writer.take()) {
        const auto frame = decode_link_frame(*bytes).value();
        const auto* data = std::get_if<StreamData>(&frame);
        order.push_back(data != nullptr ? data->stream : 0);
    }
    EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 2, 3, 1, 2, 3, 1, 2, 3}));
}

TEST(LinkWriter, LimitsTheFramesThatNobodyReads)
{
    LinkWriter writer;
    std::size_t count = 0;
    while (writer.send(StreamAccepted{1}))
        ++count;
    EXPECT_EQ(count, 16u * 1024);
}

} // namespace
} // namespace vitrine::server
