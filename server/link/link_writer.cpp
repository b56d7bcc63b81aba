#include "server/link/link_writer.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace vitrine::server {
namespace {

constexpr std::size_t max_waiting_frames = 16 * 1024; // of at most some KiB each, mostly 12 bytes

WebSocketBinary to_binary(const std::string& frame)
{
    static const auto nothing = std::make_shared<const std::vector<std::byte>>();
    const auto* const first = reinterpret_cast<const std::byte*>(frame.data());
    return {std::make_shared<const std::vector<std::byte>>(first, first + frame.size()), nothing};
}

} // namespace

bool LinkWriter::send(const LinkFrame& frame)
{
    if (frames_.size() == max_waiting_frames) return false;
    frames_.push_back(encode_link_frame(frame));
    wake();
    return true;
}

StreamSender& LinkWriter::add(std::uint32_t stream)
{
    return senders_.try_emplace(stream, stream).first->second;
}

StreamSender* LinkWriter::find(std::uint32_t stream)
{
    const auto found = senders_.find(stream);
    return found == senders_.end() ? nullptr : &found->second;
}

void LinkWriter::remove(std::uint32_t stream)
{
    senders_.erase(stream);
}

void LinkWriter::wake()
{
    if (wake_) wake_->notify();
}

void LinkWriter::close(std::uint16_t code, std::string reason)
{
    if (closing_) return;
    closing_ = WebSocketClose{code, std::move(reason)};
    frames_.clear();
    senders_.clear();
    wake();
}

std::optional<std::string> LinkWriter::take()
{
    if (!frames_.empty()) {
        auto frame = std::move(frames_.front());
        frames_.pop_front();
        return frame;
    }
    auto at = senders_.upper_bound(last_);
    for (std::size_t tried = 0; tried < senders_.size(); ++tried, ++at) {
        if (at == senders_.end()) at = senders_.begin();
        if (auto frame = at->second.next()) {
            last_ = at->first;
            return frame;
        }
    }
    return std::nullopt;
}

asio::awaitable<WebSocketMessage> LinkWriter::next()
{
    for (;;) {
        if (closing_) co_return *closing_;
        if (auto frame = take()) co_return to_binary(*frame);
        co_await wake_->wait(std::chrono::steady_clock::time_point::max());
    }
}

} // namespace vitrine::server
