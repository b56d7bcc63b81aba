#pragma once
// Cross-origin requests of pages (Fetch standard, "CORS protocol"): which origins may read responses, and the
// fields that say so to browsers. Constant after construction, any thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/http.hpp"

namespace vitrine::server {

class Cors {
public:
    // "https://tools.example", compared without case.
    explicit Cors(std::vector<std::string> origins);

    // Adds Vary, because responses depend on Origin; to every response, whether it has an origin or not.
    void add_vary(Response& response) const;
    // Adds the fields for the request's origin if it is allowed.
    void add_fields(const Request& request, Response& response) const;
    // Whether add_fields() adds any.
    bool adds_fields(const Request& request) const { return find_origin(request).has_value(); }
    // Answers a preflight of an allowed origin, alike for every path. Nothing: the request is none.
    std::optional<Response> answer_preflight(const Request& request) const;

private:
    // Returns the request's Origin, as it was sent, if it is allowed.
    std::optional<std::string_view> find_origin(const Request& request) const;

    std::vector<std::string> origins_; // in lower case
};

} // namespace vitrine::server
