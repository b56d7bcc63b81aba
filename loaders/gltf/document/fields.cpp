#include "loaders/gltf/document/fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {
namespace {

bool read_numbers(const io::JsonValue& array, std::span<float> out)
{
    if (!array.is_array() || array.size() != out.size()) return false;
    std::array<float, 16> values{};
    for (std::uint32_t n = 0; n < array.size(); ++n) {
        const std::optional<float> value = to_float(array[n]);
        if (!value) return false;
        values[n] = *value;
    }
    std::ranges::copy(std::span(values).first(out.size()), out.begin());
    return true;
}

} // namespace

std::optional<float> to_float(io::JsonValue value)
{
    const std::optional<double> number = value.number();
    if (!number || std::abs(*number) > double{std::numeric_limits<float>::max()}) return std::nullopt;
    return static_cast<float>(*number);
}

LoadResult<std::uint32_t> to_index(io::JsonValue value, std::uint64_t count)
{
    const std::optional<std::uint64_t> index = value.unsigned_integer();
    if (!index)
        return fail(LoadErrc::malformed, value.pointer(),
                    fmt::format("an index is expected, not {}", to_string(value.type())));
    if (*index >= count || *index >= scene::none)
        return fail(LoadErrc::out_of_range, value.pointer(),
                    count == 0 ? fmt::format("index {}, but there are none", *index)
                               : fmt::format("index {}, but there are only {}", *index, count));
    return static_cast<std::uint32_t>(*index);
}

float weight_of(io::JsonValue value, io::WarningLog& warnings)
{
    const std::optional<float> weight = to_float(value);
    if (value.exists() && !weight)
        warnings.add("invalid_property", "a number is expected; the weight is 0", value.pointer());
    return weight.value_or(0.0f);
}

LoadResult<void> check_array(io::JsonValue value)
{
    if (!value.exists() || value.is_array()) return {};
    return fail(LoadErrc::malformed, value.pointer(),
                fmt::format("an array is expected, not {}", io::to_string(value.type())));
}

Fields::Fields(io::JsonValue object) : object_(object)
{
    if (!object.is_object())
        fail(LoadErrc::malformed, object,
             fmt::format("an object is expected, not {}", io::to_string(object.type())));
}

void Fields::fail(LoadErrc code, const io::JsonValue& where, std::string detail)
{
    if (!error_) error_ = LoadError{code, where.pointer(), std::move(detail)};
}

std::uint64_t Fields::integer(std::string_view key, std::uint64_t fallback)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return fallback;
    const std::optional<std::uint64_t> number = value.unsigned_integer();
    if (!number) fail(LoadErrc::malformed, value, "an integer of at least 0 is expected");
    return number.value_or(fallback);
}

std::uint64_t Fields::integer(std::string_view key)
{
    if (!object_[key].exists()) fail(LoadErrc::malformed, object_, fmt::format("\"{}\" is missing", key));
    return integer(key, 0);
}

bool Fields::boolean(std::string_view key, bool fallback)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return fallback;
    if (!value.boolean()) fail(LoadErrc::malformed, value, "true or false is expected");
    return value.boolean().value_or(fallback);
}

std::string_view Fields::string(std::string_view key)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return {};
    if (!value.string()) fail(LoadErrc::malformed, value, "a string is expected");
    return value.string().value_or(std::string_view());
}

std::uint32_t Fields::optional_index(std::string_view key, std::uint64_t count)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return scene::none;
    const LoadResult<std::uint32_t> index = to_index(value, count);
    if (!index && !error_) error_ = index.error();
    return index ? *index : scene::none;
}

std::uint32_t Fields::index(std::string_view key, std::uint64_t count)
{
    if (!object_[key].exists()) fail(LoadErrc::malformed, object_, fmt::format("\"{}\" is missing", key));
    return optional_index(key, count);
}

bool Fields::numbers(std::string_view key, std::span<float> out)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return false;
    const bool read = read_numbers(value, out);
    if (!read) fail(LoadErrc::malformed, value, fmt::format("{} finite numbers are expected", out.size()));
    return read;
}

void LenientFields::warn(const io::JsonValue& value, std::string_view expected)
{
    warnings_.add("invalid_property", fmt::format("{} is expected; the default is used", expected),
                  value.pointer());
}

void LenientFields::limit(const io::JsonValue& value, NumberLimits range, std::span<float> numbers)
{
    constexpr float range_tolerance = 1e-5f;
    const auto is_outside = [&](float number) {
        return number < range.min - range_tolerance || number > range.max + range_tolerance;
    };
    if (std::ranges::any_of(numbers, is_outside))
        warnings_.add(
            "invalid_property",
            range.max == NumberLimits().max
                ? fmt::format("at least {} is expected; smaller values are clamped", range.min)
                : fmt::format("{} to {} is expected; other values are clamped", range.min, range.max),
            value.pointer());
    for (float& number : numbers)
        number = std::clamp(number, range.min, range.max);
}

float LenientFields::number(std::string_view key, float fallback, NumberLimits range)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return fallback;
    std::optional<float> number = to_float(value);
    if (number)
        limit(value, range, std::span(&*number, 1));
    else
        warn(value, "a number");
    return number.value_or(fallback);
}

bool LenientFields::boolean(std::string_view key, bool fallback)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return fallback;
    if (!value.boolean()) warn(value, "true or false");
    return value.boolean().value_or(fallback);
}

std::uint64_t LenientFields::integer(std::string_view key, std::uint64_t fallback)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return fallback;
    if (!value.unsigned_integer()) warn(value, "an integer of at least 0");
    return value.unsigned_integer().value_or(fallback);
}

std::string_view LenientFields::string(std::string_view key)
{
    const io::JsonValue value = object_[key];
    if (value.exists() && !value.string()) warn(value, "a string");
    return value.string().value_or(std::string_view());
}

io::JsonValue LenientFields::member(std::string_view key)
{
    const io::JsonValue value = object_[key];
    if (!value.exists() || value.is_object()) return value;
    warn(value, "an object");
    return {};
}

io::JsonValue LenientFields::extension(std::string_view name)
{
    return LenientFields(object_["extensions"], warnings_).member(name);
}

std::uint32_t LenientFields::index(std::string_view key, std::uint64_t count)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return scene::none;
    const LoadResult<std::uint32_t> index = to_index(value, count);
    if (!index)
        warnings_.add("invalid_property", index.error().detail + "; the reference is ignored",
                      value.pointer());
    return index ? *index : scene::none;
}

bool LenientFields::numbers(std::string_view key, std::span<float> out, NumberLimits range)
{
    const io::JsonValue value = object_[key];
    if (!value.exists()) return false;
    const bool read = read_numbers(value, out);
    if (read)
        limit(value, range, out);
    else
        warn(value, fmt::format("an array of {} numbers", out.size()));
    return read;
}

} // namespace vitrine::gltf
