#pragma once
// Turns responses into stored answers.

#include <string>
#include <string_view>

#include "server/net/http.hpp"
#include "server/routing/answer_cache.hpp"

namespace vitrine::server {

struct AnswerOrigin {
    std::string_view route; // Route::name
    Encoding encoding = Encoding::identity;
    AnswerCache::Validity validity{};
};

// Returns path and query as sent.
std::string target_of(const Request& request);
// `target`: of the request; must outlive the key.
AnswerKey key_of(const Request& request, const std::string& target, Encoding encoding);

// Stores a complete 200 in memory, or a 304 while no 200 is stored. The response, which has all fields but
// those of one response, then shares the stored body. Responses that are for one client only are not stored.
void store_answer(AnswerCache& answers, const Request& request, const AnswerOrigin& origin,
                  Response& response);

} // namespace vitrine::server
