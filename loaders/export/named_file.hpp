#pragma once
// A file created by a writer: bytes and a relative name.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::exporting {

struct NamedFile {
    std::string name;
    std::vector<std::byte> bytes;
};

inline std::vector<std::byte> to_bytes(std::string_view text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

} // namespace vitrine::exporting
