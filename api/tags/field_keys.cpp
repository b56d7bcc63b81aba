#include "api/tags/field_keys.hpp"

#include <bit>
#include <chrono>
#include <cstdint>
#include <limits>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::api {

// The bits of a positive number ascend with it, those of a negative one descend.
long long number_key(double number)
{
    const auto bits = std::bit_cast<std::int64_t>(number == 0.0 ? 0.0 : number);
    return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

std::optional<long long> date_key(std::string_view text)
{
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
    const auto year = parse_whole<unsigned>(text.substr(0, 4));
    const auto month = parse_whole<unsigned>(text.substr(5, 2));
    const auto day = parse_whole<unsigned>(text.substr(8, 2));
    if (!year || !month || !day || *year == 0) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                           std::chrono::month(*month), std::chrono::day(*day)};
    if (!date.ok()) return std::nullopt;
    return std::chrono::sys_days(date).time_since_epoch().count();
}

} // namespace vitrine::api
