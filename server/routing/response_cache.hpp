#pragma once
// Complete responses of GET requests by target, Accept and encoding, so that most requests need no handler,
// no database and no disk. A response is used only while the generation of what it was made from is current
// (util/generations.hpp).
//
// Segmented LRU: responses asked for once cannot displace those asked for again, so that a client which asks
// for many different targets only removes the responses of others like it. The budget counts every response
// until the last response with it was sent, also after its eviction: slow readers of many responses hold no
// more. Any thread.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <prometheus/registry.h>

#include "server/net/cached_response.hpp"
#include "server/net/http.hpp"
#include "server/routing/content_encoding.hpp"
#include "server/util/generations.hpp"

namespace vitrine::server {

struct ResponseCacheKey {
    std::string_view target; // path and query as sent
    std::string_view accept; // the field
    Encoding encoding = Encoding::identity;

    bool operator==(const ResponseCacheKey&) const = default;
};

class ResponseCache {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t max_target_bytes = 1024; // of the target, and of Accept
    static constexpr std::uint64_t max_response_bytes = 1 << 20;

    // `budget_bytes`: 0 stores nothing.
    ResponseCache(std::uint64_t budget_bytes, prometheus::Registry& registry);
    ~ResponseCache();

    // How long a response is used.
    struct Validity {
        Generations::Stamp stamp{};                         // of what it was made from, taken before
        Clock::time_point until = Clock::time_point::max(); // for sources without a generation
    };

    // Returns null if there is no current response.
    SharedCachedResponse find(const ResponseCacheKey& key);
    // Returns the last response, also an outdated one.
    SharedCachedResponse find_any(const ResponseCacheKey& key);
    // Stores the response in place of the one with this key and returns it shared. Null: it is too large, or
    // the budget has no room; `response` is unchanged then.
    SharedCachedResponse insert(const ResponseCacheKey& key, CachedResponse& response,
                                const Validity& validity);

private:
    struct State;
    std::shared_ptr<State> state_; // shared with the responses
};

struct ResponseOrigin {
    std::string_view route; // Route::name
    Encoding encoding = Encoding::identity;
    ResponseCache::Validity validity{};
};

// Returns path and query as sent.
std::string target_of(const Request& request);
// `target`: of the request; must outlive the key.
ResponseCacheKey key_of(const Request& request, const std::string& target, Encoding encoding);

// Stores a complete 200 in memory, or a 304 while no 200 is stored. The response, which has all fields but
// those of one response, then shares the stored body. Responses that are for one client only are not stored.
void cache_response(ResponseCache& cache, const Request& request, const ResponseOrigin& origin,
                    Response& response);

// Replaces "public" of Cache-Control: shared caches must not keep what only holders of a token may read.
void make_private(Response& response);

} // namespace vitrine::server
