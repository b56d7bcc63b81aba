#include "api/json_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace vitrine::api {
namespace {

namespace json = boost::json;

class JsonTextWriter {
public:
    explicit JsonTextWriter(bool pretty) : pretty_(pretty) {}

    void write(const json::value& value)
    {
        if (const auto* object = value.if_object())
            write_object(*object);
        else if (const auto* array = value.if_array())
            write_array(*array);
        else if (const auto* real = value.if_double())
            write_number(*real);
        else
            out_ += json::serialize(value);
    }
    std::string text() && { return std::move(out_); }

private:
    void write_number(double value)
    {
        if (std::isfinite(value))
            fmt::format_to(std::back_inserter(out_), "{}",
                           value == 0.0 ? 0.0 : value); // writes 0 for -0
        else
            out_ += "null";
    }

    void write_object(const json::object& object)
    {
        open('{');
        bool first = true;
        for (const auto& member : object) {
            separate(first, true);
            out_ += json::serialize(json::value(member.key()));
            out_ += pretty_ ? ": " : ":";
            write(member.value());
        }
        close('}', !object.empty());
    }

    void write_array(const json::array& array)
    {
        bool lines = false;
        for (const auto& element : array)
            lines = lines || !element.is_number();
        open('[');
        bool first = true;
        for (const auto& element : array) {
            separate(first, lines);
            write(element);
        }
        close(']', lines);
    }

    void open(char bracket)
    {
        out_ += bracket;
        ++depth_;
    }
    void separate(bool& first, bool lines)
    {
        if (!first) out_ += pretty_ && !lines ? ", " : ",";
        first = false;
        if (lines) new_line();
    }
    void close(char bracket, bool lines)
    {
        --depth_;
        if (lines) new_line();
        out_ += bracket;
    }
    void new_line()
    {
        if (!pretty_) return;
        out_ += '\n';
        out_.append(2 * depth_, ' ');
    }

    bool pretty_;
    std::size_t depth_ = 0;
    std::string out_;
};

std::string written(const json::value& value, bool pretty)
{
    JsonTextWriter writer(pretty);
    writer.write(value);
    return std::move(writer).text();
}

} // namespace

json::value number(float value)
{
    if (!std::isfinite(value)) return nullptr;
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    double shortest = 0;
    std::from_chars(text.data(), end, shortest);
    return static_cast<float>(shortest) == value ? shortest : static_cast<double>(value);
}

json::value number(double value)
{
    if (!std::isfinite(value)) return nullptr;
    return value;
}

void append_number(std::string& text, float value)
{
    // Within these to_text() writes the digits of a float without an exponent; above them number() keeps the
    // digits of an integer.
    constexpr float min_fixed = 1e-4f, max_fixed = 0x1p24f;
    const float size = std::abs(value);
    if (value == 0.0f) {
        text += '0';
    } else if (size >= min_fixed && size < max_fixed) {
        std::array<char, 64> digits;
        const auto end =
            std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed).ptr;
        text.append(digits.data(), end);
    } else {
        text += to_text(number(value));
    }
}

std::string to_text(const json::value& value)
{
    return written(value, false);
}
std::string to_pretty_text(const json::value& value)
{
    return written(value, true);
}

std::string text_of(const json::object& object, std::string_view key)
{
    const auto* const value = object.if_contains(key);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::optional<std::string> scalar_text(const boost::json::value& value)
{
    if (const auto* text = value.if_string()) return std::string(*text);
    if (const auto* flag = value.if_bool()) return *flag ? "true" : "false";
    if (const auto* whole = value.if_int64()) return std::to_string(*whole);
    if (const auto* large = value.if_uint64()) return std::to_string(*large);
    if (const auto* number = value.if_double()) return fmt::format("{}", *number);
    return std::nullopt;
}

} // namespace vitrine::api
