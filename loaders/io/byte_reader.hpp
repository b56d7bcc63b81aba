#pragma once
// A bounds-checked cursor over little-endian bytes. Failure is sticky: a read outside the bytes fails the
// reader and returns zeros, and so does every later read; the caller checks failed() once. Memory is
// allocated only for data that is present. The reader does not own the bytes, which must outlive it.

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

    // A view of the next `count` bytes; empty if they are not available.
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

    // Reads `length` bytes and returns the text before the first zero, in its original encoding.
    std::string read_text(std::uint64_t length);

private:
    // Saturates on overflow, so the comparison with the remaining size fails.
    static std::uint64_t product(std::uint64_t count, std::uint64_t size);

    Bytes bytes_;
    std::uint64_t position_ = 0;
    bool failed_ = false;
};

} // namespace vitrine::io
