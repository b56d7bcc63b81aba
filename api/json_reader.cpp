#include "api/json_reader.hpp"

#include <algorithm>
#include <cmath>

#include <boost/json/stream_parser.hpp>

#include "loaders/base/printable.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;

constexpr std::size_t max_text_bytes = 1000;
constexpr std::size_t max_pointer_bytes = 200; // in a message

std::string line_and_column(std::string_view text, std::size_t offset)
{
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n' ? 1 : 0;
    }
    return fmt::format("line {}, column {}", line, column);
}

} // namespace

std::expected<json::value, std::string> parse_json(std::string_view text)
{
    json::stream_parser parser;
    boost::system::error_code error;
    auto read = parser.write_some(text.data(), text.size(), error);
    if (!error && read < text.size()) error = json::error::extra_data;
    if (!error) parser.finish(error);
    if (error)
        return std::unexpected(
            fmt::format("{}: is not valid JSON ({})", line_and_column(text, read), error.message()));
    return parser.release();
}

JsonPlace JsonPlace::member(std::string_view key, const json::value& inner) const
{
    std::string escaped;
    for (const char c : key)
        escaped += c == '~' ? std::string("~0") : c == '/' ? std::string("~1") : std::string(1, c);
    return {inner, pointer + "/" + escaped};
}

JsonPlace JsonPlace::element(std::size_t index, const json::value& inner) const
{
    return {inner, fmt::format("{}/{}", pointer, index)};
}

void JsonReader::reject(const JsonPlace& at, std::string_view why)
{
    if (has_failed()) return;
    const auto where =
        at.pointer.empty() ? std::string("the profile") : printable(at.pointer, max_pointer_bytes);
    error_ = where + ": " + std::string(why);
}

std::string JsonReader::text(const JsonPlace& at)
{
    const auto* text = at.value.if_string();
    if (text == nullptr)
        reject(at, "must be a string");
    else if (text->size() > max_text_bytes)
        reject(at, fmt::format("must have at most {} bytes", max_text_bytes));
    else
        return std::string(*text);
    return {};
}

double JsonReader::number(const JsonPlace& at)
{
    boost::system::error_code error;
    const double number = at.value.is_number() ? at.value.to_number<double>(error) : NAN;
    if (!error && std::isfinite(number) && number >= 0.0) return number;
    reject(at, "must be a number of at least 0");
    return 0.0;
}

bool JsonReader::flag(const JsonPlace& at)
{
    if (const auto* flag = at.value.if_bool()) return *flag;
    reject(at, "must be true or false");
    return false;
}

std::vector<std::string> JsonReader::texts(const JsonPlace& at, std::size_t limit)
{
    std::vector<std::string> all;
    for_elements(at, limit, [&](const JsonPlace& one) { all.push_back(text(one)); });
    return all;
}

} // namespace vitrine::api
