#include "server/link/stream_flow.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace vitrine::server {
namespace {

constexpr std::uint64_t min_credit_bytes = 64 * 1024; // of a frame; less than the window and a piece

std::string_view text_of(const std::shared_ptr<const std::vector<std::byte>>& bytes)
{
    if (!bytes) return {};
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::array<std::string_view, 2> parts_of(const WebSocketMessage& message)
{
    if (const auto* text = std::get_if<WebSocketText>(&message)) return {text->text, {}};
    if (const auto* binary = std::get_if<WebSocketBinary>(&message))
        return {text_of(binary->head), text_of(binary->payload)};
    return {};
}

std::size_t size_of(const WebSocketMessage& message)
{
    const auto parts = parts_of(message);
    return parts[0].size() + parts[1].size();
}

// Appends the bytes from `at` on, at most `count`.
void append_bytes(std::string& out, const WebSocketMessage& message, std::size_t at, std::size_t count)
{
    for (const auto part : parts_of(message)) {
        const auto first = std::min(at, part.size());
        const auto piece = part.substr(first, count);
        out += piece;
        at -= first;
        count -= piece.size();
    }
}

WebSocketMessage to_message(bool is_binary, std::vector<std::byte> bytes)
{
    if (!is_binary)
        return WebSocketText{std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
    static const auto nothing = std::make_shared<const std::vector<std::byte>>();
    return WebSocketBinary{std::make_shared<const std::vector<std::byte>>(std::move(bytes)), nothing};
}

} // namespace

void StreamSender::push(WebSocketMessage message)
{
    queued_bytes_ += size_of(message);
    messages_.push_back(std::move(message));
}

std::optional<std::string> StreamSender::next()
{
    if (messages_.empty()) return std::nullopt;
    const auto& message = messages_.front();
    const auto left = size_of(message) - sent_bytes_;
    std::string bytes;
    append_bytes(bytes, message, sent_bytes_, std::min(left, max_chunk_bytes));
    const StreamData data{.stream = stream_,
                          .is_binary = std::holds_alternative<WebSocketBinary>(message),
                          .is_last = bytes.size() == left,
                          .bytes = bytes};
    if (cost_of(data) > credit_) return std::nullopt;
    auto frame = encode_link_frame(data);
    credit_ -= cost_of(data);
    queued_bytes_ -= bytes.size();
    sent_bytes_ += bytes.size();
    if (data.is_last) {
        messages_.pop_front();
        sent_bytes_ = 0;
    }
    return frame;
}

bool StreamSender::add_credit(std::uint32_t bytes)
{
    if (bytes > stream_window_bytes - credit_) return false;
    credit_ += bytes;
    return true;
}

std::expected<std::optional<StreamMessage>, std::string> StreamReceiver::receive(const StreamData& data)
{
    const std::uint64_t cost = cost_of(data);
    if (cost > credit_) return std::unexpected("a piece for which there is no credit");
    if (data.bytes.size() > max_message_bytes_ - partial_.size())
        return std::unexpected(fmt::format("a message of more than {} bytes", max_message_bytes_));
    if (std::exchange(has_partial_, true) && is_binary_ != data.is_binary)
        return std::unexpected("a message of text and bytes");
    credit_ -= cost;
    partial_cost_ += cost;
    is_binary_ = data.is_binary;
    const auto* const first = reinterpret_cast<const std::byte*>(data.bytes.data());
    partial_.insert(partial_.end(), first, first + data.bytes.size());
    if (!data.is_last) return std::nullopt;
    has_partial_ = false;
    held_ += partial_cost_;
    return StreamMessage{to_message(is_binary_, std::exchange(partial_, {})),
                         std::exchange(partial_cost_, 0)};
}

void StreamReceiver::consumed(std::uint64_t cost)
{
    held_ -= cost;
    returnable_ += cost;
}

std::optional<StreamCredit> StreamReceiver::take_credit()
{
    if (held_ == 0) returnable_ += std::exchange(partial_cost_, 0);
    if (returnable_ < min_credit_bytes) return std::nullopt;
    const auto bytes = std::exchange(returnable_, 0);
    credit_ += bytes;
    return StreamCredit{stream_, static_cast<std::uint32_t>(bytes)};
}

} // namespace vitrine::server
