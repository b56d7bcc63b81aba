#include "server/routing/fields/trace_context.hpp"

#include <algorithm>

namespace vitrine::server {
namespace {

constexpr std::size_t trace_begin = 3, trace_digits = 32, parent_begin = 36, parent_digits = 16,
                      flags_begin = 53, first_version_bytes = 55;

bool is_hex(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Hexadecimal digits that are not all 0.
bool is_id(std::string_view text)
{
    return is_hex(text) && std::ranges::any_of(text, [](char c) { return c != '0'; });
}

} // namespace

std::string_view parse_trace_id(std::string_view field)
{
    if (field.size() < first_version_bytes || field[2] != '-' || field[35] != '-' || field[52] != '-')
        return {};
    const auto version = field.substr(0, 2);
    if (!is_hex(version) || version == "ff") return {};
    // Later versions may append parts.
    if (field.size() > first_version_bytes && (version == "00" || field[first_version_bytes] != '-'))
        return {};
    const auto trace = field.substr(trace_begin, trace_digits);
    if (!is_id(trace) || !is_id(field.substr(parent_begin, parent_digits)) ||
        !is_hex(field.substr(flags_begin, 2)))
        return {};
    return trace;
}

std::string_view trace_id_of(const Headers& headers)
{
    const auto field = headers.find("traceparent");
    return field && headers.count("traceparent") == 1 ? parse_trace_id(*field) : std::string_view();
}

} // namespace vitrine::server
