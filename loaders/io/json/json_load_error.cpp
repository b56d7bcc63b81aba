#include "loaders/io/json/json_load_error.hpp"

#include "loaders/io/json/json_error.hpp"
#include "loaders/io/json/json_repair.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::io {
namespace {

LoadError describe(simdjson::error_code code, const Limits& limits)
{
    switch (code) {
    case simdjson::DEPTH_ERROR:
        return {LoadErrc::limit_exceeded, "",
                limit_message("the JSON is nested deeper", "depth", limits.depth)};
    case simdjson::UTF8_ERROR: return {LoadErrc::malformed, "", "the JSON text is not valid UTF-8"};
    case simdjson::EMPTY: return {LoadErrc::malformed, "", "the JSON text is empty"};
    case simdjson::CAPACITY: return {LoadErrc::limit_exceeded, "", "the JSON text is larger than 4 GiB"};
    case simdjson::MEMALLOC: return {LoadErrc::out_of_memory, "", "not enough memory for the JSON text"};
    case simdjson::NUMBER_ERROR: return {LoadErrc::malformed, "", "the JSON text has an invalid number"};
    case simdjson::STRING_ERROR:
    case simdjson::UNCLOSED_STRING:
    case simdjson::UNESCAPED_CHARS: return {LoadErrc::malformed, "", "the JSON text has an invalid string"};
    default: return {LoadErrc::malformed, "", "the text is not JSON: brackets, commas or values are wrong"};
    }
}

// Offset of the first invalid byte; npos if there is none.
std::size_t find_invalid_utf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (size > text.size() - at) return at;
        if (size > 1 && !simdjson::validate_utf8(text.data() + at, size)) return at;
        at += size;
    }
    return std::string_view::npos;
}

std::size_t find_error_offset(simdjson::error_code code, std::string_view text)
{
    if (code == simdjson::UTF8_ERROR) return find_invalid_utf8(text);
    const std::size_t error_offset = find_json_error(text);
    const bool grammar_holds = error_offset == std::string_view::npos;
    return grammar_holds && code == simdjson::NUMBER_ERROR ? repair_json(text).infinite_number : error_offset;
}

} // namespace

std::size_t byte_order_mark(std::string_view text)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? mark.size() : 0;
}

LoadError to_load_error(simdjson::error_code code, std::string_view text, const Limits& limits)
{
    LoadError error = describe(code, limits);
    const std::size_t mark = byte_order_mark(text);
    if (error.code != LoadErrc::malformed || text.size() == mark) return error;
    const std::size_t error_offset = find_error_offset(code, text.substr(mark));
    if (error_offset != std::string_view::npos) error.where = line_and_column(text, mark + error_offset);
    return error;
}

} // namespace vitrine::io
