#include "loaders/dae/numbers.hpp"

#include <array>
#include <limits>
#include <optional>

namespace vitrine::dae {

void NumberReader::read_odd(double& value)
{
    if (read_comma(value)) return;
    const auto [number, end] = io::scan_number(at_, end_);
    const bool whole = end > at_ && (end == end_ || static_cast<unsigned char>(*end) <= ' ');
    const bool usable = whole && std::abs(number) <= double{std::numeric_limits<float>::max()};
    value = usable ? number : 0.0;
    bad_ += usable ? 0 : 1;
    if (whole)
        at_ = end;
    else
        skip_word();
}

std::size_t NumberReader::next(std::span<std::uint32_t> values)
{
    std::size_t count = 0;
    for (bool more = true; more && count < values.size();) {
        const auto run = io::read_plain(at_, end_, io::Between::blanks, values.subspan(count));
        at_ = run.end;
        count += run.count;
        more = count < values.size() && next(values[count]);
        count += more ? 1 : 0;
    }
    return count;
}

// "0,5": takes the whole word, or nothing.
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

std::uint32_t NumberReader::read_odd_index()
{
    double value = 0.0;
    const std::uint64_t bad = bad_;
    read_odd(value);
    const bool usable = bad == bad_ && value >= 0.0 && value < 4294967295.0;
    return usable ? static_cast<std::uint32_t>(value) : std::numeric_limits<std::uint32_t>::max();
}

std::vector<float> read_floats(std::string_view text, std::size_t most, std::uint64_t& bad)
{
    NumberReader reader(text);
    std::vector<float> values;
    values.reserve(std::min(most, text.size() / 2 + 1));
    std::array<float, 1024> some; // a vector would be filled with zeros first
    double value = 0.0;
    for (bool more = true; more;) {
        const std::size_t count =
            reader.take_plain(std::span(some).first(std::min(some.size(), most - values.size())));
        values.insert(values.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
        if (count == some.size()) continue;
        more = values.size() < most && reader.next(value);
        if (more) values.push_back(static_cast<float>(value));
    }
    bad += reader.bad();
    return values;
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

} // namespace vitrine::dae
