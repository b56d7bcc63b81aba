#include "loaders/dae/document/numbers.hpp"

#include <array>
#include <limits>

#include "loaders/base/ascii.hpp"

namespace vitrine::dae {

void NumberReader::read_nonstandard_number(double& value)
{
    if (read_comma(value)) return;
    const auto [number, end] = io::scan_number(at_, end_);
    const bool is_complete = end > at_ && (end == end_ || static_cast<unsigned char>(*end) <= ' ');
    const bool usable = is_complete && std::abs(number) <= double{std::numeric_limits<float>::max()};
    value = usable ? number : 0.0;
    bad_ += usable ? 0 : 1;
    if (is_complete)
        at_ = end;
    else
        skip_word();
}

// Parses simple numbers in bulk and others individually as One.
template <class One, class T>
std::size_t NumberReader::read_many(std::span<T> values)
{
    std::size_t count = 0;
    One value{};
    for (bool more = true; more && count < values.size();) {
        const auto run = io::scan_numbers(at_, end_, io::Separators::blanks, values.subspan(count));
        at_ = run.end;
        count += run.count;
        more = count < values.size() && next(value);
        if (more) values[count++] = static_cast<T>(value);
    }
    return count;
}

std::size_t NumberReader::next(std::span<std::uint32_t> values)
{
    return read_many<std::uint32_t>(values);
}

std::size_t NumberReader::next(std::span<float> values)
{
    return read_many<double>(values);
}

// Parses a number such as "0,5": the whole word, or nothing.
bool NumberReader::read_comma(double& value)
{
    std::array<char, 40> word{};
    std::size_t size = 0;
    bool comma = false;
    const char* at = at_;
    for (; at < end_ && static_cast<unsigned char>(*at) > ' '; ++at) {
        if (size == word.size()) return false;
        comma |= *at == ',';
        word[size++] = *at == ',' ? '.' : *at;
    }
    const auto number = comma ? io::parse_number({word.data(), size}) : std::nullopt;
    if (!number || !(std::abs(*number) <= double{std::numeric_limits<float>::max()})) return false;
    value = *number;
    at_ = at;
    return true;
}

std::uint32_t NumberReader::read_nonstandard_index()
{
    double value = 0.0;
    const std::uint64_t bad = bad_;
    read_nonstandard_number(value);
    const bool usable = bad == bad_ && value >= 0.0 && value < 4294967295.0 && value == std::floor(value);
    if (!usable && bad == bad_ && value != -1.0) ++bad_;
    return usable ? static_cast<std::uint32_t>(value) : std::numeric_limits<std::uint32_t>::max();
}

std::vector<std::uint32_t> read_indices(std::string_view text)
{
    NumberReader reader(text);
    std::vector<std::uint32_t> values;
    values.reserve(text.size() / 5 + 1);
    std::uint32_t value = 0;
    while (reader.next(value))
        values.push_back(value);
    return values;
}

std::vector<std::string_view> read_names(std::string_view text)
{
    NumberReader reader(text);
    std::vector<std::string_view> names;
    std::string_view name;
    while (reader.next(name))
        names.push_back(name);
    return names;
}

std::size_t read_into(std::string_view text, std::span<double> out)
{
    NumberReader reader(text);
    std::size_t count = 0;
    while (count < out.size() && reader.next(out[count]))
        ++count;
    return count;
}

std::optional<bool> read_flag(std::string_view text)
{
    NumberReader reader(text);
    std::string_view word;
    if (!reader.next(word)) return std::nullopt;
    for (const bool flag : {false, true})
        if (ascii::equal_ignoring_case(word, flag ? "true" : "false")) return flag;
    double number = 0.0;
    NumberReader as_number(word);
    as_number.next(number);
    return as_number.bad() == 0 ? std::optional(number != 0.0) : std::nullopt;
}

} // namespace vitrine::dae
