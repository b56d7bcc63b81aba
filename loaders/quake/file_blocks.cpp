#include "loaders/quake/file_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/io/byte_reader.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::quake {

std::string at_byte(std::uint64_t byte)
{
    return fmt::format("byte {}", byte);
}

std::string_view text_of(Bytes bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return text.substr(0, text.find('\0'));
}

std::unexpected<LoadError> block_limit_error(std::string_view what, std::uint64_t count,
                                             std::string_view name, std::uint64_t limit)
{
    return io::limit_exceeded_error("", fmt::format("{} {}", count, what), name, limit);
}

LoadResult<void> check_file_header(Bytes file, std::size_t header_bytes, const FileKind& kind)
{
    if (file.size() < header_bytes)
        return fail(LoadErrc::truncated, at_byte(file.size()),
                    fmt::format("the file ends within the header of {} bytes", header_bytes));
    io::ByteReader in(file);
    if (text_of(in.read_bytes(4)) != kind.magic)
        return fail(LoadErrc::malformed, at_byte(0),
                    fmt::format("the {} file does not start with {}", kind.format, kind.magic));
    if (const auto version = in.read<std::uint32_t>(); version != kind.version)
        return fail(
            LoadErrc::unsupported, at_byte(4),
            fmt::format("{} version {} is not supported, only {} is", kind.format, version, kind.version));
    return {};
}

LoadResult<Bytes> find_block(Bytes file, std::uint64_t declared_bytes, const FileBlock& block)
{
    if (block.count == 0) return Bytes();
    if (block.at <= file.size() && block.count <= (file.size() - block.at) / block.size)
        return file.subspan(block.at, block.count * block.size);
    return fail(file.size() < declared_bytes ? LoadErrc::truncated : LoadErrc::out_of_range,
                at_byte(block.at),
                fmt::format("the {} {} extend beyond the end of the file of {} bytes", block.count,
                            block.what, file.size()));
}

void FileBlockMap::warn(std::string_view overlap_code, std::string_view size_code,
                        std::uint64_t declared_bytes, std::uint64_t file_bytes, io::WarningLog& warnings)
{
    std::ranges::sort(blocks_, {}, &FileBlock::at);
    const auto end_of = [](const FileBlock& block) { return block.at + block.count * block.size; };
    const FileBlock* before = nullptr; // the block with the largest end so far
    for (const FileBlock& block : blocks_) {
        if (before != nullptr && block.at < end_of(*before)) {
            warnings.add(overlap_code,
                         fmt::format("the {} from byte {} on overlap the {} from byte {} on; they may be "
                                     "shown incorrectly",
                                     block.what, block.at, before->what, before->at),
                         at_byte(block.at));
            break;
        }
        if (before == nullptr || end_of(block) > end_of(*before)) before = &block;
    }
    if (file_bytes < declared_bytes)
        warnings.add(
            size_code,
            fmt::format("the header declares {} bytes and the file has {}; nothing visible is missing",
                        declared_bytes, file_bytes),
            at_byte(file_bytes));
}

} // namespace vitrine::quake
