#include "server/util/clock.hpp"

#include <algorithm>
#include <chrono>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::server {
namespace {

// Takes the number of `digits` digits at the beginning of the text, and the character after it, which must be
// `end` (0: none is needed).
bool take_number(std::string_view& text, std::size_t digits, char end, int& number)
{
    const auto word = text.substr(0, digits);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (word.size() != digits || !std::ranges::all_of(word, is_digit)) return false;
    number = parse_whole<int>(word).value_or(0);
    text.remove_prefix(digits);
    if (end == 0) return true;
    if (!text.starts_with(end)) return false;
    text.remove_prefix(1);
    return true;
}

// Takes ".5" as 500000.
bool take_fraction(std::string_view& text, int& micros)
{
    if (!text.starts_with('.')) return true;
    text.remove_prefix(1);
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits < 1 || digits > 6 || !take_number(text, digits, 0, micros)) return false;
    for (auto i = digits; i < 6; ++i)
        micros *= 10;
    return true;
}

// Takes the rest: Z, +01:00 or -01:00.
bool take_offset(std::string_view text, int& minutes)
{
    if (text == "Z" || text == "z") return true;
    const bool is_negative = text.starts_with('-');
    if (!is_negative && !text.starts_with('+')) return false;
    text.remove_prefix(1);
    int hours = 0, rest = 0;
    if (!take_number(text, 2, ':', hours) || !take_number(text, 2, 0, rest) || !text.empty()) return false;
    minutes = (is_negative ? -1 : 1) * (hours * 60 + rest);
    return hours < 24 && rest < 60;
}

} // namespace

Micros now()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

std::optional<Micros> parse_rfc3339(std::string_view text)
{
    using namespace std::chrono;
    int year_number = 0, month_number = 0, day_number = 0, hour = 0, minute = 0, second = 0, micros = 0,
        offset = 0;
    if (!take_number(text, 4, '-', year_number) || !take_number(text, 2, '-', month_number) ||
        !take_number(text, 2, 'T', day_number) || !take_number(text, 2, ':', hour) ||
        !take_number(text, 2, ':', minute) || !take_number(text, 2, 0, second) ||
        !take_fraction(text, micros) || !take_offset(text, offset))
        return std::nullopt;
    const year_month_day date{year(year_number), month(static_cast<unsigned>(month_number)),
                              day(static_cast<unsigned>(day_number))};
    if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt; // 60: a leap second
    const auto time =
        sys_days(date) + hours(hour) + minutes(minute - offset) + seconds(second) + microseconds(micros);
    const auto found = duration_cast<microseconds>(time.time_since_epoch()).count();
    return found < 0 ? std::nullopt : std::optional<Micros>(found);
}

} // namespace vitrine::server
