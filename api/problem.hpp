#pragma once
// Members that any response may have, with the names of api/README.md.

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
    std::string detail{}; // one sentence for users
    std::string where{};  // location in the file, for errors of a loader
    std::vector<FieldError> errors{};
    std::string request_id{};
    unsigned retry_after_s = 0; // sent as Retry-After too; 0: none
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
