#pragma once
// Writes JSON text sequentially: begin, members, end; inserts commas. The text is truncated after
// `max_bytes`: JavaScript readers could not load it, and a small scene can request far more.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "loaders/base/error.hpp"

namespace vitrine::exporting {

class JsonWriter {
public:
    static constexpr std::size_t max_bytes = 500'000'000;

    JsonWriter& begin_object() { return open('{'); }
    JsonWriter& end_object() { return close('}'); }
    JsonWriter& begin_array() { return open('['); }
    JsonWriter& end_array() { return close(']'); }
    JsonWriter& key(std::string_view name);
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(bool truth);
    JsonWriter& value(float number); // reads back to the same bits; precondition: finite
    JsonWriter& value(std::uint64_t number);
    JsonWriter& value(std::uint32_t number) { return value(std::uint64_t{number}); }
    JsonWriter& values(std::span<const float> numbers);
    JsonWriter& json(std::string_view text); // a value that is JSON text

    template <class T>
    JsonWriter& member(std::string_view name, const T& content)
    {
        return key(name).value(content);
    }
    JsonWriter& member(std::string_view name, std::span<const float> numbers)
    {
        return key(name).values(numbers);
    }

    // A truncated text is not JSON. A text that contains a truncated one is truncated too.
    bool is_cut() const { return text_.size() > max_bytes; }
    std::string take() { return std::move(text_); }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    bool separate(); // false: nothing may follow

    std::string text_;
    bool comma_ = false;
};

// Returns the limit_exceeded error for a truncated text.
std::unexpected<LoadError> json_size_error();

} // namespace vitrine::exporting
