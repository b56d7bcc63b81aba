#include "server/net/cached_response_writer.hpp"

#include <algorithm>
#include <array>

namespace vitrine::server {

void CachedResponseWriter::send(CacheHit hit, bool head_only, bool keep_alive)
{
    const auto& response = *hit.response;
    const std::string_view head = hit.unchanged ? response.unchanged_head : response.head;
    const std::string_view body = head_only || hit.unchanged ? "" : response.body();
    tail_.assign(fields_).append("X-Request-Id: ").append(view_of(hit.id));
    tail_.append("\r\n").append(hit.rate_fields).append("Date: ").append(http_date());
    tail_.append(keep_alive ? "\r\nConnection: keep-alive\r\n\r\n" : "\r\nConnection: close\r\n\r\n");
    const auto sent = writer_.send_now(std::array<std::string_view, 3>{head, tail_, body});
    const auto head_bytes = head.size() + tail_.size();
    if (sent == head_bytes + body.size()) return;
    response_ = std::move(hit.response);
    rest_.assign(head).append(tail_).erase(0, sent);
    body_ = body.substr(sent - std::min(sent, head_bytes));
}

asio::awaitable<bool> CachedResponseWriter::send_rest()
{
    const bool good = co_await writer_.write(rest_, body_);
    rest_.clear();
    body_ = {};
    response_.reset();
    co_return good;
}

} // namespace vitrine::server
