#pragma once
// A complete response that is sent again and again without its handler. Immutable; any thread.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "server/util/shared_bytes.hpp"

namespace vitrine::server {

using RequestId = std::array<char, 16>; // hexadecimal digits

struct CachedResponse {
    // Status line and header fields of the 200, without those of one response (Date, X-Request-Id,
    // Connection) and without the empty line. Empty: only the 304 is known.
    std::string head;
    std::string unchanged_head; // of the 304
    std::string etag;
    std::variant<std::string, SharedBytes> content;
    std::string_view route{}; // Route::name

    std::string_view body() const
    {
        if (const auto* text = std::get_if<std::string>(&content)) return *text;
        const auto& bytes = std::get<SharedBytes>(content);
        return bytes ? std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size())
                     : std::string_view();
    }
    std::uint64_t memory_bytes() const
    {
        return sizeof(CachedResponse) + head.size() + unchanged_head.size() + etag.size() + body().size();
    }
};

using SharedCachedResponse = std::shared_ptr<const CachedResponse>;

// A cached response for one request; without `response`: there is none.
struct CacheHit {
    SharedCachedResponse response;
    bool unchanged = false; // 304
    RequestId id{};
    std::string rate_fields{}; // fields of rate limits, each with its end of line; empty: none
};

} // namespace vitrine::server
