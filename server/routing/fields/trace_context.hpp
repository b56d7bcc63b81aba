#pragma once
// The field traceparent (W3C Trace Context, https://www.w3.org/TR/trace-context/, 3.2). Pure functions.

#include <string_view>

#include "server/net/http.hpp"

namespace vitrine::server {

// Returns the trace id of a field "00-TRACE-PARENT-FLAGS" or of a later version that begins so: 32 lower-case
// hexadecimal digits, not all 0. Empty if the value is another.
std::string_view parse_trace_id(std::string_view traceparent);
// Of the request; empty without the field, and with several of them. The text belongs to the headers.
std::string_view trace_id_of(const Headers& headers);

} // namespace vitrine::server
