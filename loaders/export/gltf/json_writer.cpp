#include "loaders/export/gltf/json_writer.hpp"

#include <iterator>

namespace vitrine::exporting {

bool JsonWriter::separate()
{
    if (is_cut()) return false;
    if (comma_) text_ += ',';
    comma_ = true;
    return true;
}

JsonWriter& JsonWriter::open(char bracket)
{
    if (!separate()) return *this;
    text_ += bracket;
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket)
{
    if (is_cut()) return *this;
    text_ += bracket;
    comma_ = true;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name)
{
    value(name);
    if (is_cut()) return *this;
    text_ += ':';
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text)
{
    if (!separate()) return *this;
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
    if (!separate()) return *this;
    text_ += truth ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::value(float number)
{
    if (!separate()) return *this;
    fmt::format_to(std::back_inserter(text_), "{}", number);
    return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number)
{
    if (!separate()) return *this;
    fmt::format_to(std::back_inserter(text_), "{}", number);
    return *this;
}

JsonWriter& JsonWriter::json(std::string_view text)
{
    if (!separate()) return *this;
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

std::unexpected<LoadError> json_size_error()
{
    return fail(LoadErrc::limit_exceeded, "",
                fmt::format("the model needs more than {} MB of JSON", JsonWriter::max_bytes / 1'000'000));
}

} // namespace vitrine::exporting
