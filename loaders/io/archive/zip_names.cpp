#include "loaders/io/archive/zip_names.hpp"

#include <algorithm>
#include <span>

#include "loaders/io/text/encoding.hpp"

namespace vitrine::io {
namespace {

using io::Encoding;

bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}
bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}
bool is_high(char c)
{
    return static_cast<unsigned char>(c) >= 0x80;
}

// The accented letters of code page 437, and its sharp s.
bool is_dos_letter(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 && (byte <= 0x9A || (byte >= 0xA0 && byte <= 0xA5) || byte == 0xE1);
}

// Whether each accented letter is isolated in a word of plain letters, all of one case after the first. The
// second bytes of Japanese characters are letters of both cases.
bool is_dos_name(std::string_view name)
{
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!is_high(name[i])) continue;
        const char previous = i > 0 ? name[i - 1] : ' ', next = i + 1 < name.size() ? name[i + 1] : ' ';
        const bool clashes = (is_lower(previous) && is_upper(next)) || is_high(previous) || is_high(next);
        const bool has_word = is_lower(previous) || is_upper(previous) || is_lower(next) || is_upper(next);
        if (!is_dos_letter(name[i]) || clashes || !has_word) return false;
    }
    return true;
}

bool is_utf8(std::string_view name)
{
    return io::detect_encoding({&name, 1}) == Encoding::utf8;
}

// Encoding of the names that are not UTF-8.
Encoding encoding_of(const std::vector<std::string_view>& raw)
{
    std::vector<std::string_view> other_names;
    for (const std::string_view name : raw)
        if (!is_utf8(name)) other_names.push_back(name);
    return std::ranges::all_of(other_names, is_dos_name) ? Encoding::windows_1252
                                                         : io::detect_encoding(other_names);
}

std::string sanitized(std::string_view name)
{
    std::string out(name);
    std::ranges::replace_if(
        out, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F || c == ':'; }, '_');
    return out;
}

} // namespace

std::vector<std::string> zip_names(const std::vector<std::string_view>& raw,
                                   const std::vector<std::string_view>& as_dos)
{
    const Encoding encoding = encoding_of(raw);
    const bool is_east_asian = encoding == Encoding::shift_jis || encoding == Encoding::gbk;
    std::vector<std::string> names;
    names.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        // Trail bytes of Shift-JIS and GBK are never characters that sanitized() replaces.
        const bool as_declared = is_east_asian || is_utf8(raw[i]);
        names.push_back(as_declared ? io::to_utf8(sanitized(raw[i]), encoding) : sanitized(as_dos[i]));
    }
    return names;
}

} // namespace vitrine::io
