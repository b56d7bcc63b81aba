#pragma once
// Puts responses into the cache.

#include <string>
#include <string_view>

#include "server/net/http.hpp"
#include "server/routing/response_cache.hpp"

namespace vitrine::server {

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

} // namespace vitrine::server
