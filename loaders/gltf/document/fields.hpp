#pragma once
// Reads the members of one JSON object; the first invalid one makes the reader fail permanently, and the
// caller checks once. For members whose loss would show a wrong model. Other members are read by
// LenientFields: an invalid one causes a warning and its default is used.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "loaders/io/json/json.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::gltf {

class Fields {
public:
    explicit Fields(io::JsonValue object);

    // An integer from 0 to 2^53.
    std::uint64_t integer(std::string_view key, std::uint64_t fallback);
    std::uint64_t integer(std::string_view key);
    bool boolean(std::string_view key, bool fallback);
    std::string_view string(std::string_view key);
    // An index below `count`; scene::none when the member is absent.
    std::uint32_t optional_index(std::string_view key, std::uint64_t count);
    std::uint32_t index(std::string_view key, std::uint64_t count);
    // Exactly out.size() numbers. Returns false, leaving `out` unchanged, when the member is absent.
    bool numbers(std::string_view key, std::span<float> out);

    void fail(LoadErrc code, const io::JsonValue& where, std::string detail);
    bool failed() const { return error_.has_value(); }
    std::unexpected<LoadError> error() const { return std::unexpected(*error_); }

private:
    io::JsonValue object_;
    std::optional<LoadError> error_;
};

// Converts the value to an index below `count`.
LoadResult<std::uint32_t> to_index(io::JsonValue value, std::uint64_t count);
// Checks for an array or absence. Error: malformed.
LoadResult<void> check_array(io::JsonValue value);
// A finite number within float's range.
std::optional<float> to_float(io::JsonValue value);

// Returns the weight of a morph target: 0 when absent or, with a warning, invalid.
float weight_of(io::JsonValue value, io::WarningLog& warnings);

struct NumberLimits {
    float min = std::numeric_limits<float>::lowest();
    float max = std::numeric_limits<float>::max();
};
inline constexpr NumberLimits unit_range{0.0f, 1.0f};
inline constexpr NumberLimits not_negative{.min = 0.0f};

class LenientFields {
public:
    LenientFields(io::JsonValue object, io::WarningLog& warnings) : object_(object), warnings_(warnings) {}

    // `range`: the range in the specification; other values are clamped to it.
    float number(std::string_view key, float fallback, NumberLimits range = {});
    bool boolean(std::string_view key, bool fallback);
    std::uint64_t integer(std::string_view key, std::uint64_t fallback);
    std::string_view string(std::string_view key);
    std::uint32_t index(std::string_view key, std::uint64_t count); // none when absent or invalid
    // Returns false when absent or invalid.
    bool numbers(std::string_view key, std::span<float> out, NumberLimits range = {});
    io::JsonValue member(std::string_view key);     // absent when it is not an object
    io::JsonValue extension(std::string_view name); // absent when it is not an object
    io::JsonValue object() const { return object_; }

private:
    void warn(const io::JsonValue& value, std::string_view expected);
    void limit(const io::JsonValue& value, NumberLimits range, std::span<float> numbers);

    io::JsonValue object_;
    io::WarningLog& warnings_;
};

} // namespace vitrine::gltf
