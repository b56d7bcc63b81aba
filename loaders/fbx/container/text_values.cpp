#include "loaders/fbx/container/text_values.hpp"

#include <array>
#include <cstring>
#include <limits>

#include "loaders/base/parse_whole.hpp"
#include "loaders/io/text/number_scanner.hpp"

namespace vitrine::fbx {

const char* skip_blanks(const char* at, const char* last)
{
    for (; at < last; ++at) {
        if (static_cast<unsigned char>(*at) <= ' ') continue;
        if (*at != ';') break;
        while (at + 1 < last && at[1] != '\n' && at[1] != '\r')
            ++at;
    }
    return at;
}

std::optional<Value> read_number(std::string_view word)
{
    if (const auto integer = parse_whole<std::int64_t>(word.substr(word.starts_with('+') ? 1 : 0)))
        return Value(*integer);
    const char* const last = word.data() + word.size();
    const io::ScannedNumber scanned = io::scan_number(word.data(), last);
    if (scanned.end == word.data()) return {};
    const std::string_view rest(scanned.end, static_cast<std::size_t>(last - scanned.end));
    if (rest.empty()) return Value(scanned.value);
    // Microsoft's C library wrote infinities and NaN in this form.
    if (rest.starts_with('#')) return Value(std::numeric_limits<double>::quiet_NaN());
    if (scanned.value != scanned.value && rest.starts_with('(')) return Value(scanned.value);
    return {};
}

std::string_view resolve_escapes(std::string_view raw, std::deque<std::string>& texts)
{
    if (raw.find('&') == std::string_view::npos) return raw;
    constexpr std::array<std::pair<std::string_view, char>, 3> escapes{
        {{"&quot;", '"'}, {"&cr;", '\r'}, {"&lf;", '\n'}}};
    std::string out;
    for (std::size_t at = 0; at < raw.size();) {
        const auto* escape = escapes.begin();
        while (escape != escapes.end() && !raw.substr(at).starts_with(escape->first))
            ++escape;
        const bool found = escape != escapes.end();
        out.push_back(found ? escape->second : raw[at]);
        at += found ? escape->first.size() : 1;
    }
    return texts.emplace_back(std::move(out));
}

void parse_values(Bytes bytes, std::vector<Value>& out)
{
    const char* at = reinterpret_cast<const char*>(bytes.data());
    const char* const last = at + bytes.size();
    while ((at = skip_blanks(at, last)) < last) {
        const char* const first = at;
        if (*at == '"') {
            const void* quote = std::memchr(at + 1, '"', static_cast<std::size_t>(last - at - 1));
            at = quote != nullptr ? static_cast<const char*>(quote) : last - 1;
            out.emplace_back(
                std::string_view(first + 1, static_cast<std::size_t>(std::max(at - first - 1, 0l))));
            ++at;
        } else if (*at == ',') {
            out.emplace_back();
        } else {
            while (at < last && !ends_word(*at))
                ++at;
            const std::string_view word(first, static_cast<std::size_t>(at - first));
            if (word.empty()) return;
            out.push_back(read_number(word).value_or(Value::bare_word(word)));
        }
        at = skip_blanks(at, last);
        if (at == last || *at != ',') return;
        ++at;
    }
}

} // namespace vitrine::fbx
