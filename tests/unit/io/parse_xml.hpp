#pragma once
// Text as XML.

#include <span>
#include <string>
#include <string_view>

#include "loaders/io/xml/xml.hpp"

namespace vitrine::io {

inline LoadResult<XmlDocument> parse(std::string_view text, const Limits& limits = {})
{
    return XmlDocument::parse(std::as_bytes(std::span(text)), limits);
}

// "0 1 2 ", `count` numbers.
inline std::string numbers(std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += std::to_string(i) + " ";
    return text;
}

} // namespace vitrine::io
