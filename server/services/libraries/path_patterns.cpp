#include "server/services/libraries/path_patterns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/utf8.hpp"
#include "server/services/libraries/library.hpp"

namespace vitrine::server {
namespace {

// Marks in `reached` (of text.size() + 1 positions) where the pattern may continue after a star that begins
// at any of the reached ones. `crosses`: over '/' too.
void extend(std::vector<bool>& reached, std::string_view text, bool crosses)
{
    for (std::size_t i = 0; i < text.size(); ++i)
        if (reached[i] && (crosses || text[i] != '/')) reached[i + 1] = true;
}

void step(std::vector<bool>& reached, std::string_view text, char wanted)
{
    for (std::size_t i = text.size(); i-- > 0;)
        reached[i + 1] = reached[i] && (wanted == '?' ? text[i] != '/' : text[i] == wanted);
    reached[0] = false;
}

// "**/" is also nothing.
void skip_folders(std::vector<bool>& reached, std::string_view text)
{
    auto after = reached;
    extend(after, text, true);
    for (std::size_t i = 0; i < text.size(); ++i)
        if (after[i] && text[i] == '/') reached[i + 1] = true;
}

} // namespace

bool matches_glob(std::string_view pattern, std::string_view text)
{
    std::vector<bool> reached(text.size() + 1);
    reached[0] = true;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const bool is_double = pattern.substr(at).starts_with("**");
        if (is_double && pattern.substr(at).starts_with("**/")) {
            skip_folders(reached, text);
            at += 2;
        } else if (pattern[at] == '*') {
            extend(reached, text, is_double);
            at += is_double ? 1 : 0;
        } else
            step(reached, text, pattern[at]);
    }
    return reached.back();
}

PathPatterns::PathPatterns(const std::vector<std::string>& patterns)
{
    for (const auto& given : patterns) {
        auto text = ascii::lower(given);
        while (text.ends_with('/'))
            text.pop_back();
        const bool is_name = !text.contains('/');
        if (text.starts_with('/')) text.erase(0, 1);
        if (!text.empty()) patterns_.push_back({std::move(text), is_name});
    }
}

bool PathPatterns::matches(std::string_view path) const
{
    if (patterns_.empty()) return false;
    const auto lower = ascii::lower(path);
    const std::string_view whole(lower);
    const auto slash = whole.rfind('/');
    const auto name = slash == whole.npos ? whole : whole.substr(slash + 1);
    return std::ranges::any_of(patterns_, [&](const Pattern& pattern) {
        return matches_glob(pattern.text, pattern.is_name ? name : whole);
    });
}

bool PathPatterns::matches_below(std::string_view path) const
{
    for (auto slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
        if (matches(path.substr(0, slash))) return true;
    return matches(path);
}

std::string pattern_fault(std::string_view pattern)
{
    const bool has_control =
        std::ranges::any_of(pattern, [](char c) { return static_cast<unsigned char>(c) < ' '; });
    if (pattern.empty() || pattern.size() > max_pattern_bytes || has_control || !is_utf8(pattern))
        return fmt::format("must be 1 to {} bytes of UTF-8 without control characters", max_pattern_bytes);
    return {};
}

} // namespace vitrine::server
