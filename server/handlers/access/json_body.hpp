#pragma once
// Bodies and responses of the routes of access.

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "api/problem.hpp"
#include "server/net/http.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {

// 400 for a request with query parameters.
std::optional<api::Problem> reject_parameters(const Request& request);

// Reads one member of a body; returns why it is wrong, as the end of a sentence, or empty.
using ReadMember = std::function<std::string(std::string_view key, const boost::json::value& value)>;
// Reads the JSON object of the body, with all its members. `what`: what it describes. 400 with all errors,
// also of members in `required` that are missing; 415.
std::expected<void, api::Problem> read_members(const Request& request, std::string_view what,
                                               std::initializer_list<std::string_view> required,
                                               const ReadMember& read);

// `caching`: the value of Cache-Control.
Response json_answer(int status, const boost::json::value& value, std::string_view caching = "no-cache");

// Of a rejected sign-in: 429 while attempts are slowed, otherwise `status` and `wrong_password`.
api::Problem sign_in_problem(unsigned retry_after_s, int status);

boost::json::value time_or_null(Micros time); // null: 0

} // namespace vitrine::server
