#include "loaders/export/json_writer.hpp"

#include <iterator>

namespace vitrine::exporting {

void JsonWriter::separate()
{
    if (comma_) text_ += ',';
    comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket)
{
    separate();
    text_ += bracket;
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket)
{
    text_ += bracket;
    comma_ = true;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name)
{
    value(name);
    text_ += ':';
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text)
{
    separate();
    text_ += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\')
            (text_ += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20)
            fmt::format_to(std::back_inserter(text_), "\\u{:04x}", static_cast<unsigned>(c));
        else
            text_ += c;
    }
    text_ += '"';
    return *this;
}

JsonWriter& JsonWriter::value(bool truth)
{
    separate();
    text_ += truth ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::value(float number)
{
    separate();
    fmt::format_to(std::back_inserter(text_), "{}", number);
    return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number)
{
    separate();
    fmt::format_to(std::back_inserter(text_), "{}", number);
    return *this;
}

JsonWriter& JsonWriter::json(std::string_view text)
{
    separate();
    text_ += text;
    return *this;
}

JsonWriter& JsonWriter::values(std::span<const float> numbers)
{
    begin_array();
    for (const float number : numbers)
        value(number);
    return end_array();
}

} // namespace vitrine::exporting
