#pragma once
// Recognizes simple requests without copying and without a parser: GET or HEAD of HTTP/1.1, without a body,
// on a connection that stays open. Pure functions over untrusted bytes.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "server/net/http.hpp"

namespace vitrine::server {

// Views into the scanned bytes.
struct ScannedRequest {
    struct Field {
        std::string_view name, value; // the value without blanks around it
    };
    static constexpr std::size_t max_fields = 48;

    std::size_t size_bytes = 0; // of the request
    Method method = Method::get;
    std::string_view target; // begins with '/'; printable ASCII
    bool keep_alive = true;
    std::array<Field, max_fields> all_fields;
    std::size_t field_count = 0;

    std::span<const Field> fields() const { return std::span(all_fields).first(field_count); }
};

// Returns false if `bytes` do not begin with a complete, valid and simple request: the parser of all requests
// (Beast) then waits for the rest, reads it or rejects it. What is accepted here is accepted there too, with
// the same result. At most `max_target` bytes of target and `max_header` bytes in total.
bool scan_request(std::string_view bytes, std::size_t max_target, std::size_t max_header,
                  ScannedRequest& request);

} // namespace vitrine::server
