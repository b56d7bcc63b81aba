#pragma once
// A bounded cursor over little-endian bytes with sticky failure: a read outside the bytes fails the reader,
// yields zeros, and so does every later read; the caller asks failed() once. It allocates only what is really
// there. It owns nothing: the bytes must outlive it.

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::io {

class ByteReader {
public:
    ByteReader() = default;
    explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

    bool failed() const { return failed_; }
    std::uint64_t size() const { return bytes_.size(); }
    std::uint64_t position() const { return position_; }
    std::uint64_t remaining() const { return bytes_.size() - position_; }
    void fail() { failed_ = true; }

    void seek(std::uint64_t position);
    void skip(std::uint64_t count) { read_bytes(count); }

    // A view of the next `count` bytes; empty when they are not there.
    Bytes read_bytes(std::uint64_t count);

    template <class T>
    T read()
    {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        if (const Bytes bytes = read_bytes(sizeof(T)); !bytes.empty())
            std::memcpy(&value, bytes.data(), sizeof(T));
        return value;
    }

    // `count` values, or everything that remains when the reader is a window made for them.
    template <class T>
    std::vector<T> read_array(std::uint64_t count)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        const Bytes bytes = read_bytes(product(count, sizeof(T)));
        std::vector<T> values(bytes.size() / sizeof(T));
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    template <class T>
    std::vector<T> read_array()
    {
        return read_array<T>(remaining() / sizeof(T));
    }

    // `length` bytes up to the first zero, as text in whatever encoding they have.
    std::string read_text(std::uint64_t length);

    // A reader of [offset, offset + size) counted from the first byte; failed when that lies outside.
    ByteReader window(std::uint64_t offset, std::uint64_t size) const;
    template <class T>
    ByteReader window_of(std::uint64_t offset, std::uint64_t count) const
    {
        return window(offset, product(count, sizeof(T)));
    }

private:
    // Saturates, and so is refused by the comparison with what remains.
    static std::uint64_t product(std::uint64_t count, std::uint64_t size);

    Bytes bytes_;
    std::uint64_t position_ = 0;
    bool failed_ = false;
};

} // namespace vitrine::io
