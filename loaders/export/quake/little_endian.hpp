#pragma once
// Writes binary little-endian data.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <vector>

namespace vitrine::exporting {

using FileBytes = std::vector<std::byte>;

template <class T>
void append(FileBytes& bytes, const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(T));
    std::memcpy(bytes.data() + at, &value, sizeof(T));
}

inline void append_words(FileBytes& bytes, std::initializer_list<std::size_t> words)
{
    for (const std::size_t word : words)
        append(bytes, static_cast<std::uint32_t>(word));
}

// Writes a text field of `size` bytes padded with zeros; longer text is truncated.
inline void append_text(FileBytes& bytes, std::string_view text, std::size_t size)
{
    text = text.substr(0, size - 1);
    const std::size_t at = bytes.size();
    bytes.resize(at + size);
    std::memcpy(bytes.data() + at, text.data(), text.size());
}

} // namespace vitrine::exporting
