#pragma once
// Errors of requests: RFC 9457 problem details, with the names of api/README.md.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

namespace vitrine::api {

struct FieldError {
    std::string pointer; // JSON pointer into the body, or "/query/NAME"
    std::string detail;
};

struct Problem {
    int status = 500;
    std::string code{};   // stable, snake_case
    std::string detail{}; // one sentence for users
    std::string where{};  // location in the file, for errors of a loader
    std::vector<FieldError> errors{};
    std::string request_id{};
    unsigned retry_after_s = 0; // sent as Retry-After too; 0: none
    std::string bearer_error{}; // attributes of WWW-Authenticate: Bearer, not in the body; empty: none
};

inline constexpr std::size_t max_reported_errors = 16; // a body may have thousands

// With the first `max_reported_errors` of the errors.
boost::json::object to_json(const Problem& problem);

} // namespace vitrine::api
