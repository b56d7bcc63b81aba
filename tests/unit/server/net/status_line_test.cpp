// Status lines of responses.

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "server/net/http.hpp"

namespace vitrine::server {
namespace {

// Phrases of the HTTP status code registry of IANA (RFC 9110, RFC 6585, RFC 4918).
TEST(StatusLine, HasTheRegisteredPhrase)
{
    for (const auto& [status, phrase] : {std::pair<int, std::string_view>{101, "Switching Protocols"},
                                         {200, "OK"},
                                         {201, "Created"},
                                         {202, "Accepted"},
                                         {204, "No Content"},
                                         {206, "Partial Content"},
                                         {304, "Not Modified"},
                                         {400, "Bad Request"},
                                         {401, "Unauthorized"},
                                         {403, "Forbidden"},
                                         {404, "Not Found"},
                                         {405, "Method Not Allowed"},
                                         {406, "Not Acceptable"},
                                         {408, "Request Timeout"},
                                         {409, "Conflict"},
                                         {411, "Length Required"},
                                         {412, "Precondition Failed"},
                                         {413, "Content Too Large"},
                                         {414, "URI Too Long"},
                                         {415, "Unsupported Media Type"},
                                         {416, "Range Not Satisfiable"},
                                         {421, "Misdirected Request"},
                                         {422, "Unprocessable Content"},
                                         {426, "Upgrade Required"},
                                         {428, "Precondition Required"},
                                         {429, "Too Many Requests"},
                                         {431, "Request Header Fields Too Large"},
                                         {500, "Internal Server Error"},
                                         {501, "Not Implemented"},
                                         {503, "Service Unavailable"},
                                         {507, "Insufficient Storage"}}) {
        const auto head = serialize_head({.status = status}, true);
        EXPECT_EQ(head.substr(0, head.find("\r\n")),
                  "HTTP/1.1 " + std::to_string(status) + " " + std::string(phrase));
    }
}

} // namespace
} // namespace vitrine::server
