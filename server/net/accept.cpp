#include "server/net/accept.hpp"

#include <algorithm>
#include <charconv>

#include "loaders/base/ascii.hpp"
#include "server/net/http.hpp"

namespace vitrine::server {
namespace {

// Removes the text before the separator from `rest` and returns it.
std::string_view take_part(std::string_view& rest, char separator)
{
    auto end = std::min(rest.find(separator), rest.size());
    auto part = without_blanks(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

// Returns 2 for the exact type, 1 for its group, 0 for any type, a negative value for no match.
int precision_of(std::string_view range, std::string_view type)
{
    if (ascii::equal_ignoring_case(range, type)) return 2;
    if (range == "*/*") return 0;
    const auto prefix = range.substr(0, range.size() - std::min<std::size_t>(range.size(), 1));
    const bool group =
        range.ends_with("/*") && ascii::equal_ignoring_case(type.substr(0, prefix.size()), prefix);
    return group ? 1 : -1;
}

double weight_of(std::string_view parameters)
{
    while (!parameters.empty()) {
        auto parameter = take_part(parameters, ';');
        if (!ascii::equal_ignoring_case(parameter.substr(0, 2), "q=")) continue;
        double q = 0.0;
        std::from_chars(parameter.data() + 2, parameter.data() + parameter.size(), q);
        return q >= 0.0 && q <= 1.0 ? q : 0.0; // also 0 for NaN
    }
    return 1.0;
}

} // namespace

double accept_quality(std::string_view field, std::string_view type)
{
    int best = -1;
    double quality = 0.0;
    while (!field.empty()) {
        auto entry = take_part(field, ',');
        auto precision = precision_of(take_part(entry, ';'), type);
        if (precision <= best) continue;
        best = precision;
        quality = weight_of(entry);
    }
    return quality;
}

std::string media_type_of(std::string_view content_type)
{
    return ascii::lower(take_part(content_type, ';'));
}

} // namespace vitrine::server
