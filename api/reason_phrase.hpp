#pragma once
// Phrases of the HTTP status code registry of IANA, for status lines and titles of problems.

#include <string_view>

namespace vitrine::api {

// "Not Found", "Content Too Large", ...; empty for a status that the server does not send.
std::string_view reason_phrase(int status);

} // namespace vitrine::api
