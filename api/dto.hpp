#pragma once
// What every answer may carry, as api/README.md names the members.

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

namespace vitrine::api {

struct FieldError {
    std::string pointer; // JSON pointer into the body, or "/query/NAME"
    std::string detail;
};

// RFC 9457.
struct Problem {
    int status = 500;
    std::string code{};   // stable, snake_case
    std::string detail{}; // one sentence for a person
    std::string where{};  // a place in a file, where a loader refused one
    std::vector<FieldError> errors{};
    std::string request_id{};
    unsigned retry_after_s = 0; // also the Retry-After field; 0: none
};

// "Not Found", "Content Too Large", ...
std::string_view title(int status);
boost::json::object to_json(const Problem& problem);

struct SpriteManifest {
    std::string url;
    unsigned frames = 0;
    unsigned columns = 0;
    unsigned rows = 0;
    unsigned frame_width = 0;  // pixels
    unsigned frame_height = 0; // pixels
    double duration = 0.0;     // seconds
};
boost::json::object to_json(const SpriteManifest& manifest);

} // namespace vitrine::api
