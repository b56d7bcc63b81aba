#include "server/net/ready_writer.hpp"

#include <algorithm>
#include <array>

namespace vitrine::server {

void ReadyWriter::send(ReadyResponse ready, bool head_only, bool keep_alive)
{
    const auto& answer = *ready.answer;
    const std::string_view head = ready.unchanged ? answer.unchanged_head : answer.head;
    const std::string_view body = head_only || ready.unchanged ? "" : answer.body();
    tail_.assign("X-Request-Id: ").append(view_of(ready.id));
    tail_.append("\r\nDate: ").append(http_date());
    tail_.append(keep_alive ? "\r\nConnection: keep-alive\r\n\r\n" : "\r\nConnection: close\r\n\r\n");
    const auto sent = writer_.send_now(std::array<std::string_view, 3>{head, tail_, body});
    const auto head_bytes = head.size() + tail_.size();
    if (sent == head_bytes + body.size()) return;
    answer_ = std::move(ready.answer);
    rest_.assign(head).append(tail_).erase(0, sent);
    body_ = body.substr(sent - std::min(sent, head_bytes));
}

asio::awaitable<bool> ReadyWriter::send_rest()
{
    const bool good = co_await writer_.write(rest_, body_);
    rest_.clear();
    body_ = {};
    answer_.reset();
    co_return good;
}

} // namespace vitrine::server
