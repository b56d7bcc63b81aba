#include "loaders/dae/numbers.hpp"

#include <array>
#include <bit>
#include <cstring>
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

// Up to seven digits at once: eight characters, whose neighbours are joined to numbers of two, four, eight
// digits ("Faster integer parsing", J. Rauh). That an index is as long as the one before is a branch, which
// the processor foresees; where the next one begins would else wait for this one's length.
std::size_t NumberReader::next(std::span<std::uint32_t> values)
{
    static_assert(std::endian::native == std::endian::little);
    constexpr std::uint64_t pairs = 0x0000'00FF'0000'00FFu;
    int bits = 0;                         // of an index' digits
    std::uint64_t end_mark = 0, upto = 0; // the first character that is no digit, and all before it
    std::size_t count = 0;
    for (; count < values.size() && skip_space(); ++count) {
        std::uint64_t chars = 0;
        if (end_ - at_ >= 8) std::memcpy(&chars, at_, 8);
        std::uint64_t digits = chars ^ 0x3030'3030'3030'3030u;
        const std::uint64_t others = ((digits + 0x7676'7676'7676'7676u) | digits) & 0x8080'8080'8080'8080u;
        if (bits == 0 || (others & upto) != end_mark) {
            bits = std::countr_zero(others) & ~7;
            end_mark = bits < 64 ? std::uint64_t{0x80} << bits : 0;
            upto = end_mark | (end_mark - 1);
        }
        if (bits == 0 || bits > 56 || (chars >> bits & 0xFF) > ' ') {
            bits = 0;
            next(values[count]);
            continue;
        }
        digits <<= 64 - bits;
        digits = digits * 10 + (digits >> 8);
        values[count] = static_cast<std::uint32_t>((((digits & pairs) * 0x000F'4240'0000'0064u) +
                                                    (((digits >> 16) & pairs) * 0x0000'2710'0000'0001u)) >>
                                                   32);
        at_ += bits / 8;
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
