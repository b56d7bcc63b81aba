#pragma once
// Reads consecutive values of the binary container: a type letter, then the value. Failure is sticky.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "loaders/fbx/container/element.hpp"

namespace vitrine::fbx {

// Returns the bytes per element of an array of type f, d, l, i, b or c.
constexpr std::size_t element_size(char type)
{
    switch (type) {
    case 'd':
    case 'l': return 8;
    case 'f':
    case 'i': return 4;
    case 'b':
    case 'c': return 1;
    default: return 0;
    }
}

template <class T>
T swap_bytes(T value)
{
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    std::ranges::reverse(bytes);
    return std::bit_cast<T>(bytes);
}

struct ArrayHeader {
    char type = 0;
    bool deflated = false;
    std::uint64_t count = 0; // bounded by the number of bytes available
    Bytes bytes;
};

class ValueReader {
public:
    ValueReader(Bytes bytes, bool big_endian) : bytes_(bytes), end_(bytes.size()), swap_(big_endian) {}

    bool failed() const { return failed_; }
    char unknown_type() const
    {
        return unknown_type_;
    } // the type letter that caused the failure; 0: the input ended
    std::uint64_t position() const { return at_; }
    bool at_end() const { return at_ >= end_; }
    void seek(std::uint64_t position) { at_ = position; }
    void set_end(std::uint64_t end) { end_ = end; } // limits all reads

    template <class T>
    T read()
    {
        T value{};
        const Bytes bytes = read_bytes(sizeof(T));
        if (bytes.empty()) return value;
        std::memcpy(&value, bytes.data(), sizeof(T));
        return swap_ ? swap_bytes(value) : value;
    }
    Bytes read_bytes(std::uint64_t count);
    std::string_view read_text(std::uint64_t count);

    bool next_is_array() const;
    Value read_value(); // scalars only, no arrays
    ArrayHeader read_array_header();

private:
    Bytes bytes_;
    std::uint64_t at_ = 0;
    std::uint64_t end_;
    bool swap_;
    bool failed_ = false;
    char unknown_type_ = 0;
};

} // namespace vitrine::fbx
