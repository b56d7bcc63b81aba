#include "server/net/url.hpp"

#include <algorithm>
#include <cstdint>

#include "loaders/base/utf8.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_segments = 256;
constexpr std::size_t max_parameters = 64;

int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_control(char c)
{
    auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

// Calls `take` for each part between separators; returns false as soon as `take` does.
template <class Take>
bool split(std::string_view text, char separator, Take take)
{
    for (;;) {
        auto end = text.find(separator);
        if (!take(text.substr(0, end))) return false;
        if (end == text.npos) return true;
        text.remove_prefix(end + 1);
    }
}

bool parse_query(std::string_view text, Query& query)
{
    return split(text, '&', [&](std::string_view pair) {
        if (pair.empty()) return true;
        auto equals = pair.find('=');
        auto name = percent_decode(pair.substr(0, equals), true);
        auto value = percent_decode(equals == pair.npos ? "" : pair.substr(equals + 1), true);
        if (!name || !value || query.size() == max_parameters) return false;
        query.emplace_back(std::move(*name), std::move(*value));
        return true;
    });
}

} // namespace

bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '+' && plus_is_space) c = ' ';
        if (c == '%') {
            if (text.size() - i < 3) return std::nullopt;
            int high = hex_value(text[i + 1]);
            int low = hex_value(text[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        if (is_control(c)) return std::nullopt;
        out.push_back(c);
    }
    if (!is_utf8(out)) return std::nullopt;
    return out;
}

std::string percent_encode(std::string_view text, bool keep_slash)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (char c : text) {
        auto byte = static_cast<std::uint8_t>(c);
        if (is_unreserved(c) || (c == '/' && keep_slash)) {
            out.push_back(c);
        } else {
            out.push_back('%');
            out.push_back(digits[byte >> 4]);
            out.push_back(digits[byte & 15]);
        }
    }
    return out;
}

std::optional<RequestTarget> parse_target(std::string_view target)
{
    if (target.empty() || target.front() != '/') return std::nullopt;
    auto mark = target.find('?');
    RequestTarget parsed;
    parsed.path = target.substr(0, mark);
    if (mark != target.npos) parsed.raw_query = target.substr(mark + 1);
    bool good = split(std::string_view(parsed.path).substr(1), '/', [&](std::string_view segment) {
        auto decoded = percent_decode(segment);
        if (!decoded || parsed.segments.size() == max_segments) return false;
        parsed.segments.push_back(std::move(*decoded));
        return true;
    });
    if (!good || !parse_query(parsed.raw_query, parsed.query)) return std::nullopt;
    return parsed;
}

std::optional<std::string> join_safely(const std::vector<std::string>& segments, std::size_t first)
{
    std::string joined;
    for (std::size_t i = first; i < segments.size(); ++i) {
        const auto& segment = segments[i];
        bool unsafe = segment.empty() || segment == "." || segment == ".." ||
                      segment.find_first_of("/\\") != segment.npos;
        if (unsafe) return std::nullopt;
        if (!joined.empty()) joined.push_back('/');
        joined += segment;
    }
    return joined;
}

} // namespace vitrine::server
