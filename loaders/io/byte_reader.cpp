#include "loaders/io/byte_reader.hpp"

#include <algorithm>
#include <limits>

namespace vitrine::io {

void ByteReader::seek(std::uint64_t position)
{
    if (position > bytes_.size()) failed_ = true;
    if (!failed_) position_ = position;
}

Bytes ByteReader::read_bytes(std::uint64_t count)
{
    if (count > remaining()) failed_ = true;
    if (failed_) return {};
    const Bytes bytes = bytes_.subspan(position_, count);
    position_ += count;
    return bytes;
}

std::string ByteReader::read_text(std::uint64_t length)
{
    const Bytes bytes = read_bytes(length);
    const auto end = std::ranges::find(bytes, std::byte{0});
    return std::string(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::size_t>(end - bytes.begin()));
}

std::uint64_t ByteReader::product(std::uint64_t count, std::uint64_t size)
{
    constexpr auto max_size = std::numeric_limits<std::uint64_t>::max();
    return count > max_size / size ? max_size : count * size;
}

} // namespace vitrine::io
