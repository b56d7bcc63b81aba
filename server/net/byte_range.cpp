#include "server/net/byte_range.hpp"

#include <algorithm>

#include "loaders/base/parse_whole.hpp"
#include "server/net/http.hpp"

namespace vitrine::server {
namespace {

RangeState take_suffix(std::uint64_t count, std::uint64_t size, ByteRange& range)
{
    if (count == 0 || size == 0) return RangeState::unsatisfiable;
    range.length = std::min(count, size);
    range.offset = size - range.length;
    return RangeState::partial;
}

// Whether a list of tags is "*" or has one for which `is_match` is true.
template <class IsMatch>
bool matches_any(std::string_view field, IsMatch is_match)
{
    return without_blanks(field) == "*" || any_element(field, is_match);
}

} // namespace

RangeState parse_range(std::string_view field, std::uint64_t size, ByteRange& range)
{
    field = without_blanks(field);
    if (!field.starts_with("bytes=") || field.find(',') != field.npos) return RangeState::whole;
    field = without_blanks(field.substr(6));
    auto dash = field.find('-');
    if (dash == field.npos) return RangeState::whole;
    auto last = parse_whole<std::uint64_t>(field.substr(dash + 1));
    if (dash == 0) return last ? take_suffix(*last, size, range) : RangeState::whole;
    auto first = parse_whole<std::uint64_t>(field.substr(0, dash));
    bool open_end = dash + 1 == field.size();
    if (!first || (!last && !open_end) || (last && *last < *first)) return RangeState::whole;
    if (*first >= size) return RangeState::unsatisfiable;
    range.offset = *first;
    range.length = (last ? std::min(*last, size - 1) : size - 1) - *first + 1;
    return RangeState::partial;
}

bool matches_etag(std::string_view field, std::string_view etag)
{
    const auto plain = [](std::string_view tag) { return tag.starts_with("W/") ? tag.substr(2) : tag; };
    return matches_any(field, [&](std::string_view tag) { return plain(tag) == plain(etag); });
}

bool matches_strongly(std::string_view field, std::string_view etag)
{
    return matches_any(field, [&](std::string_view tag) { return tag.starts_with('"') && tag == etag; });
}

} // namespace vitrine::server
