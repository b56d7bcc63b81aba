#pragma once
// Converts a number of a file to the type requested; integers saturate at the limits of the type.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "loaders/fbx/container/element.hpp"

namespace vitrine::fbx {

template <class T>
T to(double value)
{
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
        const std::int64_t whole = Value(value).integer();
        return static_cast<T>(std::clamp<std::int64_t>(whole, INT32_MIN, INT32_MAX));
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
        return Value(value).integer();
    } else {
        return static_cast<T>(value);
    }
}

template <class T>
T to(std::int64_t value)
{
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4)
        return static_cast<T>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
    else
        return static_cast<T>(value);
}

template <class T>
T to(const Value& value)
{
    return value.type() == Value::Type::real ? to<T>(value.real()) : to<T>(value.integer());
}

} // namespace vitrine::fbx
