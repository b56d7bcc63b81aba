#pragma once
// Custom fields: what a collection declares that its assets, and those of collections below it, may have.
// Values by their type. Pure, any thread.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

namespace vitrine::server {

enum class FieldType : std::uint8_t { text, number, boolean, date, choice };
std::string_view to_string(FieldType type);
std::optional<FieldType> find_field_type(std::string_view word);

struct CollectionField {
    std::string id;
    std::string collection;
    std::string name; // unique among those of the collection, above it and below it, ASCII without case
    FieldType type = FieldType::text;
    std::string description;
    std::string unit;                 // shown after the value: "kg"
    std::vector<std::string> options; // of a choice: its values
    std::int64_t created = 0;         // microseconds since 1970
    std::int64_t updated = 0;
    std::int64_t revision = 1;

    std::string etag() const; // strong entity tag with quotes
};

inline constexpr std::size_t max_field_text_bytes = 1000;
inline constexpr std::size_t max_field_options = 100;
inline constexpr std::size_t max_option_bytes = 255;
inline constexpr std::size_t max_field_name_bytes = 64;
inline constexpr std::size_t max_unit_bytes = 32;

// A value as the catalog stores it.
struct FieldValue {
    std::string text{};
    std::string key{};    // of texts and choices: by which it is found
    long long number = 0; // of the other types: by which it is compared
};

// The error is what is wrong with the value: "takes a number, not a text".
using FieldValueResult = std::expected<FieldValue, std::string>;
// Precondition: `value` is not null.
FieldValueResult parse_field_value(const CollectionField& field, const boost::json::value& value);
// Of the text of a value of another type, or of a choice with other options.
FieldValueResult convert_field_value(const CollectionField& field, const std::string& text);
boost::json::value field_value_json(FieldType type, const std::string& text);

boost::json::object to_json(const CollectionField& field);
// Return what is wrong; empty: it is valid.
std::string field_name_fault(std::string_view name);
std::string options_fault(FieldType type, const std::vector<std::string>& options);

} // namespace vitrine::server
