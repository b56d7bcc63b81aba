#include "loaders/io/name_index.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <ranges>
#include <span>

#include <utf8proc.h>

#include "loaders/base/ascii.hpp"

namespace vitrine::io {
namespace {

constexpr char end_of_part = '\0'; // sorts before all other characters; does not occur in names

bool is_ascii(std::string_view text)
{
    return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// "gnp.b\0a\0" for "a/b.png": each part, and thus the whole name, ends with a marker.
std::string reverse(std::string_view name)
{
    std::string out;
    out.reserve(name.size() + 1);
    for (const char c : name | std::views::reverse) {
        const bool ends_part = c == '/' || c == '\\';
        out += ends_part ? end_of_part : c == end_of_part ? '\1' : ascii::to_lower(c);
    }
    return out + end_of_part;
}

} // namespace

std::string case_folded_name(std::string_view name)
{
    if (is_ascii(name)) return ascii::lower(name);
    constexpr auto options =
        static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE | UTF8PROC_CASEFOLD);
    utf8proc_uint8_t* out = nullptr;
    const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                                   static_cast<utf8proc_ssize_t>(name.size()), &out, options);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(out, &std::free);
    if (size < 0) return ascii::lower(name);
    return {reinterpret_cast<const char*>(out), static_cast<std::size_t>(size)};
}

NameIndex::NameIndex(const std::vector<std::string>& names)
{
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        by_reversed_name_.push_back({reverse(names[i]), i});
        by_folded_name_.push_back(
            {is_ascii(names[i]) ? by_reversed_name_.back().reversed : reverse(case_folded_name(names[i])),
             i});
    }
    for (auto* entries : {&by_reversed_name_, &by_folded_name_})
        std::ranges::sort(*entries, {},
                          [](const IndexedName& entry) -> const std::string& { return entry.reversed; });
}

std::optional<std::size_t> NameIndex::find(std::string_view requested_name) const
{
    const bool fold = !is_ascii(requested_name); // other names differ in more than case and normalization
    const std::string reversed_name =
        fold ? reverse(case_folded_name(requested_name)) : reverse(requested_name);
    std::span<const IndexedName> best, candidates = fold ? by_folded_name_ : by_reversed_name_;
    // Adds one part per iteration until no name has all of them.
    for (std::size_t end = reversed_name.find(end_of_part); end != reversed_name.npos;
         end = reversed_name.find(end_of_part, end + 1)) {
        const std::string_view parts = std::string_view(reversed_name).substr(0, end + 1);
        const auto same = std::ranges::equal_range(candidates, parts, {}, [&](const IndexedName& entry) {
            return std::string_view(entry.reversed).substr(0, parts.size());
        });
        if (same.empty()) break;
        best = candidates = std::span(same.begin(), same.end());
    }
    if (best.empty()) return std::nullopt;
    return std::ranges::min(best, {}, &IndexedName::number).number;
}

} // namespace vitrine::io
