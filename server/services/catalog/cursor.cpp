#include "server/services/catalog/cursor.hpp"

#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "server/util/hex.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view sort_letters = "cntr"; // of each Sort
constexpr std::string_view hex_digits = "0123456789abcdef";

std::optional<std::string> parse_hex(std::string_view hex)
{
    if (hex.size() % 2 != 0) return std::nullopt;
    std::string text;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const auto high = hex_digits.find(hex[i]);
        const auto low = hex_digits.find(hex[i + 1]);
        if (high == hex_digits.npos || low == hex_digits.npos) return std::nullopt;
        text += static_cast<char>(high * 16 + low);
    }
    return text;
}

} // namespace

std::string to_text(const Cursor& cursor)
{
    return fmt::format("{}{}{}-{}", sort_letters[static_cast<std::size_t>(cursor.sort)],
                       cursor.descending ? 'd' : 'a', cursor.seq,
                       to_hex(std::as_bytes(std::span(cursor.value))));
}

std::optional<Cursor> parse_cursor(std::string_view text)
{
    const auto sort = text.empty() ? std::string_view::npos : sort_letters.find(text[0]);
    const auto dash = text.find('-');
    if (sort == std::string_view::npos || dash == std::string_view::npos || dash < 3) return std::nullopt;
    if (text[1] != 'a' && text[1] != 'd') return std::nullopt;
    const auto seq = parse_whole<decltype(Cursor::seq)>(text.substr(2, dash - 2));
    auto value = parse_hex(text.substr(dash + 1));
    if (!seq || !value) return std::nullopt;
    return Cursor{static_cast<Sort>(sort), text[1] == 'd', *seq, std::move(*value)};
}

std::optional<long long> parse_number(const Cursor& cursor)
{
    return parse_whole<long long>(cursor.value);
}

} // namespace vitrine::server
