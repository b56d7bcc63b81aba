#pragma once
// JSON text, written forward: begin, members, end. Commas are its business.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace vitrine::exporting {

class JsonWriter {
public:
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
    JsonWriter& json(std::string_view text); // a value that is JSON text already

    template <class T>
    JsonWriter& member(std::string_view name, const T& content)
    {
        return key(name).value(content);
    }
    JsonWriter& member(std::string_view name, std::span<const float> numbers)
    {
        return key(name).values(numbers);
    }

    std::string take() { return std::move(text_); }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();

    std::string text_;
    bool comma_ = false;
};

} // namespace vitrine::exporting
