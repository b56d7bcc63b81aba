#include "loaders/3ds/chunk.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vitrine::threeds {
namespace {

constexpr std::size_t header_bytes = 6;

} // namespace

std::string place(std::uint64_t at)
{
    return fmt::format("byte {}", at);
}

void ChunkReader::advance(std::size_t count)
{
    bytes_ = bytes_.subspan(count);
    at_ += count;
}

Bytes ChunkReader::read_bytes(std::uint64_t count)
{
    if (count > bytes_.size()) {
        failed_ = true;
        advance(bytes_.size());
        return {};
    }
    const Bytes bytes = bytes_.first(count);
    advance(bytes.size());
    return bytes;
}

std::string_view ChunkReader::read_text()
{
    const auto end = std::ranges::find(bytes_, std::byte{0});
    const auto length = static_cast<std::size_t>(end - bytes_.begin());
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), length);
    advance(std::min(length + 1, bytes_.size()));
    return text;
}

std::optional<Chunk> ChunkReader::next()
{
    if (bytes_.size() < header_bytes) return std::nullopt;
    const std::uint64_t start = at_;
    const auto chunk = read<std::uint16_t>();
    const auto size = read<std::uint32_t>();
    if (size < header_bytes) {
        warnings_->add("chunk_size",
                       fmt::format("the chunk {:04X} declares {} bytes; the rest of its parent is not read",
                                   chunk, size),
                       place(start));
        advance(bytes_.size());
        return std::nullopt;
    }
    std::size_t content = size - header_bytes;
    if (content > bytes_.size()) {
        warnings_->add("chunk_size",
                       fmt::format("the chunk {:04X} declares {} bytes, but {} are left", chunk, size,
                                   bytes_.size() + header_bytes),
                       place(start));
        content = bytes_.size();
    }
    const Chunk found{chunk, bytes_.first(content), at_};
    advance(content);
    return found;
}

} // namespace vitrine::threeds
