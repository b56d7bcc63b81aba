#include "server/services/organization/collection_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/resources.hpp"
#include "api/tags/field_keys.hpp"
#include "loaders/base/ascii.hpp"
#include "loaders/base/parse_whole.hpp"
#include "loaders/base/utf8.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 5> type_words{"text", "number", "boolean", "date", "choice"};
constexpr double max_integer = 9'007'199'254'740'992.0; // of JSON, in absolute value

bool has_control_bytes(std::string_view text)
{
    return std::ranges::any_of(text,
                               [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

std::string_view kind_of(const json::value& value)
{
    if (value.is_string()) return "a text";
    if (value.is_number()) return "a number";
    if (value.is_bool()) return "true or false";
    return value.is_array() ? "an array" : "an object";
}

std::unexpected<std::string> reject_kind(std::string_view wanted, const json::value& value)
{
    return std::unexpected(fmt::format("takes {}, not {}", wanted, kind_of(value)));
}

FieldValueResult text_value(std::string_view text)
{
    text = ascii::trimmed(text);
    if (text.empty()) return std::unexpected("must not be empty; null removes the value");
    if (text.size() > max_field_text_bytes)
        return std::unexpected(fmt::format("must have at most {} bytes", max_field_text_bytes));
    if (has_control_bytes(text) || !is_utf8(text))
        return std::unexpected("must be UTF-8 without control characters");
    return FieldValue{.text = std::string(text), .key = ascii::lower(text)};
}

FieldValueResult number_value(double number)
{
    if (!std::isfinite(number)) return std::unexpected("must be a finite number");
    if (number == 0.0) number = 0.0; // without a sign
    return FieldValue{.text = fmt::format("{}", number), .number = api::number_key(number)};
}

FieldValueResult boolean_value(bool is_true)
{
    return FieldValue{.text = is_true ? "true" : "false", .number = is_true};
}

FieldValueResult date_value(std::string_view text)
{
    const auto days = api::date_key(text);
    if (!days) return std::unexpected("takes a date such as 2026-11-28");
    return FieldValue{.text = std::string(text), .number = *days};
}

// With the spelling of the option.
FieldValueResult choice_value(const CollectionField& field, std::string_view text)
{
    for (const auto& option : field.options)
        if (ascii::equal_ignoring_case(option, text)) return text_value(option);
    return std::unexpected(fmt::format("must be one of {}", fmt::join(field.options, ", ")));
}

} // namespace

std::string_view to_string(FieldType type)
{
    return type_words[static_cast<std::size_t>(type)];
}

std::optional<FieldType> find_field_type(std::string_view word)
{
    const auto* const found = std::ranges::find(type_words, word);
    if (found == type_words.end()) return std::nullopt;
    return static_cast<FieldType>(found - type_words.begin());
}

std::string CollectionField::etag() const
{
    return fmt::format("\"f{}\"", revision);
}

FieldValueResult parse_field_value(const CollectionField& field, const json::value& value)
{
    switch (field.type) {
    case FieldType::text:
        if (value.is_string()) return text_value(value.as_string());
        return reject_kind("a text", value);
    case FieldType::number:
        if (value.is_number()) return number_value(value.to_number<double>());
        return reject_kind("a number", value);
    case FieldType::boolean:
        if (value.is_bool()) return boolean_value(value.as_bool());
        return reject_kind("true or false", value);
    case FieldType::date:
        if (value.is_string()) return date_value(value.as_string());
        return reject_kind("a date such as 2026-11-28", value);
    case FieldType::choice: break;
    }
    if (value.is_string()) return choice_value(field, ascii::trimmed(std::string_view(value.as_string())));
    return reject_kind("one of its options", value);
}

FieldValueResult convert_field_value(const CollectionField& field, const std::string& text)
{
    switch (field.type) {
    case FieldType::text: return text_value(text);
    case FieldType::number:
        if (const auto number = parse_whole<double>(text)) return number_value(*number);
        return std::unexpected("is no number");
    case FieldType::boolean:
        if (ascii::equal_ignoring_case(text, "true")) return boolean_value(true);
        if (ascii::equal_ignoring_case(text, "false")) return boolean_value(false);
        return std::unexpected("is not true or false");
    case FieldType::date: return date_value(text);
    case FieldType::choice: break;
    }
    return choice_value(field, text);
}

json::value field_value_json(FieldType type, const std::string& text)
{
    if (type == FieldType::boolean) return text == "true";
    if (type != FieldType::number) return json::value(text);
    const double number = parse_whole<double>(text).value_or(0.0);
    if (std::abs(number) <= max_integer && number == std::trunc(number))
        return static_cast<std::int64_t>(number);
    return number;
}

json::object to_json(const CollectionField& field)
{
    return {{"id", field.id},
            {"collection", field.collection},
            {"name", field.name},
            {"type", to_string(field.type)},
            {"description", field.description},
            {"unit", field.unit},
            {"options", json::value_from(field.options)},
            {"createdAt", api::to_rfc3339(field.created)},
            {"updatedAt", api::to_rfc3339(field.updated)},
            {"etag", field.etag()}};
}

std::string field_name_fault(std::string_view name)
{
    if (name.empty() || name.size() > max_field_name_bytes || has_control_bytes(name) || !is_utf8(name))
        return fmt::format("must be 1 to {} bytes of UTF-8 without control characters", max_field_name_bytes);
    for (const std::string_view ending : {".min", ".max"})
        if (ascii::lower(name).ends_with(ending))
            return fmt::format("must not end with {}, as filters of lists do", ending);
    if (name.starts_with("field_")) return "must not begin with field_, as ids do";
    return {};
}

std::string options_fault(FieldType type, const std::vector<std::string>& options)
{
    if (type != FieldType::choice) return options.empty() ? "" : "must be empty: only a choice has options";
    if (options.empty() || options.size() > max_field_options)
        return fmt::format("must have 1 to {} texts", max_field_options);
    std::set<std::string> keys;
    for (const auto& option : options) {
        if (option.empty() || option.size() > max_option_bytes || has_control_bytes(option) ||
            !is_utf8(option) || ascii::trimmed(option) != option)
            return fmt::format("must have texts of 1 to {} bytes of UTF-8 without control characters",
                               max_option_bytes);
        if (!keys.insert(ascii::lower(option)).second) return fmt::format("has '{}' more than once", option);
    }
    return {};
}

} // namespace vitrine::server
