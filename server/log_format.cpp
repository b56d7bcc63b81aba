#include "server/log_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include <boost/json/object.hpp>

#include "api/json_text.hpp"
#include "loaders/base/utf8.hpp"
#include "loaders/io/text/encoding.hpp"

namespace vitrine::server {
namespace {

// Texts even where they consist of digits.
constexpr std::array<std::string_view, 8> text_keys{"id",    "trace", "principal", "path",
                                                    "asset", "job",   "model",     "peer"};

constexpr std::uint32_t replacement = 0xfffd;

struct LogField {
    std::string_view key;
    std::string value;
    bool is_quoted = false;
};

bool is_key(std::string_view text)
{
    return !text.empty() &&
           std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

// Hexadecimal digits after the letter of an escape of fmt; 0: the letter stands for itself or for a
// character.
std::size_t digits_of(char kind)
{
    switch (kind) {
    case 'x': return 2;
    case 'u': return 4;
    case 'U': return 8;
    default: return 0;
    }
}

// The character of an escape: \n, \", \\, \x7f, \u200b, \U000e0001. \x80 and above are bytes that are no
// UTF-8 or characters that are not printed. Removes it from the text, which begins after the backslash.
std::string take_escape(std::string_view& text)
{
    const char kind = text.front();
    text.remove_prefix(1);
    constexpr std::string_view letters = "nrt", controls = "\n\r\t";
    if (const auto place = letters.find(kind); place != letters.npos) return std::string(1, controls[place]);
    const auto digits = std::min(digits_of(kind), text.size());
    if (digits == 0) return std::string(1, kind);
    std::uint32_t code = 0;
    std::from_chars(text.data(), text.data() + digits, code, 16);
    text.remove_prefix(digits);
    std::string character;
    io::append_utf8(character, kind == 'x' && code >= 0x80 ? replacement : code);
    return character;
}

// Removes a quoted value from the text, which begins after the quote. Empty: it has no end.
std::optional<std::string> take_quoted(std::string_view& text)
{
    std::string value;
    while (!text.empty()) {
        const char c = text.front();
        text.remove_prefix(1);
        if (c == '"') return value;
        if (c == '\\' && !text.empty())
            value += take_escape(text);
        else
            value += c;
    }
    return std::nullopt;
}

// Empty: the text is not of key=value.
std::vector<LogField> pairs_of(std::string_view text)
{
    std::vector<LogField> pairs;
    while (!text.empty()) {
        const auto equals = text.find('=');
        if (equals == text.npos || !is_key(text.substr(0, equals))) return {};
        LogField pair{.key = text.substr(0, equals), .value = {}};
        text.remove_prefix(equals + 1);
        pair.is_quoted = text.starts_with('"');
        if (pair.is_quoted) {
            text.remove_prefix(1);
            auto value = take_quoted(text);
            if (!value || (!text.empty() && text.front() != ' ')) return {};
            pair.value = *std::move(value);
        } else {
            const auto end = std::min(text.find(' '), text.size());
            pair.value = text.substr(0, end);
            text.remove_prefix(end);
        }
        if (text.starts_with(' ')) text.remove_prefix(1);
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

// With U+FFFD for each byte that is not part of a character.
std::string valid_utf8(std::string_view text)
{
    std::string valid;
    while (!text.empty()) {
        const auto length = sequence_length(text);
        if (length == 0)
            io::append_utf8(valid, replacement);
        else
            valid += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return valid;
}

boost::json::value value_of(const LogField& pair)
{
    const bool begins_so = pair.value.find_first_of("0123456789") <= (pair.value.starts_with('-') ? 1 : 0);
    const auto* const end = pair.value.data() + pair.value.size();
    const bool is_text =
        !begins_so || pair.is_quoted || std::ranges::find(text_keys, pair.key) != text_keys.end();
    if (std::int64_t number = 0;
        !is_text && std::from_chars(pair.value.data(), end, number) == std::from_chars_result{end, {}})
        return number;
    if (double number = 0;
        !is_text && std::from_chars(pair.value.data(), end, number, std::chars_format::fixed) ==
                        std::from_chars_result{end, {}})
        return api::number(number);
    return boost::json::string(valid_utf8(pair.value));
}

} // namespace

std::string to_json_line(std::string_view time, std::string_view level, std::string_view text)
{
    boost::json::object object{{"time", time}, {"level", level}};
    auto pairs = pairs_of(text);
    if (pairs.empty()) pairs.push_back({"msg", std::string(text), true});
    for (const auto& pair : pairs)
        object[pair.key] = value_of(pair);
    return api::to_text(object);
}

} // namespace vitrine::server
