#include "loaders/io/xml/xml_text.hpp"

#include <vector>

#include "loaders/base/ascii.hpp"
#include "loaders/base/utf8.hpp"
#include "loaders/io/text/code_page.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::io {
namespace {

// UTF-16 without a mark is detected by the first '<'.
std::string_view without_utf16(Bytes bytes, std::string& storage)
{
    const auto is = [&](std::size_t i, char c) { return bytes[i] == static_cast<std::byte>(c); };
    const bool is_little_endian = bytes.size() >= 4 && is(0, '<') && is(1, '\0');
    const bool is_big_endian = bytes.size() >= 4 && is(0, '\0') && is(1, '<');
    if (!is_little_endian && !is_big_endian) return as_text(bytes, storage);
    constexpr std::byte fe{0xFE}, ff{0xFF};
    std::vector<std::byte> marked{is_little_endian ? ff : fe, is_little_endian ? fe : ff};
    marked.insert(marked.end(), bytes.begin(), bytes.end());
    return as_text(marked, storage);
}

// The value of `encoding` in the XML declaration, which must be at the start of the text.
std::string_view declared_encoding(std::string_view text)
{
    constexpr std::string_view start = "<?xml", name = "encoding";
    constexpr std::size_t max_declaration_bytes = 256;
    if (!text.starts_with(start)) return {};
    std::string_view rest = text.substr(0, max_declaration_bytes);
    rest = rest.substr(0, rest.find("?>"));
    const std::size_t at = rest.find(name);
    if (at == std::string_view::npos) return {};
    rest = rest.substr(at + name.size());
    const std::size_t quote = rest.find_first_of("'\"");
    if (quote == std::string_view::npos) return {};
    const std::size_t end = rest.find(rest[quote], quote + 1);
    if (end == std::string_view::npos) return {};
    return ascii::trimmed(rest.substr(quote + 1, end - quote - 1));
}

} // namespace

void read_xml_text(Bytes bytes, XmlText& out)
{
    out.text = without_utf16(bytes, out.storage);
    const bool has_mark = out.text.size() != bytes.size(); // byte order mark of UTF-8 or UTF-16
    const std::string_view label = has_mark ? std::string_view() : declared_encoding(out.text);
    if (needs_no_code_page(label)) return;
    const bool is_utf8 = vitrine::is_utf8(out.text);
    const auto page = CodePage::find(label);
    if (!page) {
        if (!is_utf8) out.unknown_encoding = label;
        return;
    }
    if (is_utf8 && !(page->has_pairs() && page->is_valid(out.text))) return;
    out.storage = page->to_utf8(out.text);
    out.text = out.storage;
}

} // namespace vitrine::io
