#pragma once
// The blocks that the binary headers of id's formats declare by count and offset. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::quake {

// Returns the place for errors.
std::string at_byte(std::uint64_t byte);

// Returns the text up to the first zero byte.
std::string_view text_of(Bytes bytes);

std::unexpected<LoadError> block_limit_error(std::string_view what, std::uint64_t count,
                                             std::string_view name, std::uint64_t limit);

// A format whose files start with a magic of four characters and a 32-bit version.
struct FileKind {
    std::string_view format, magic;
    std::uint32_t version = 0;
};
// Checks the first 8 bytes of a header. Errors: truncated (the header), malformed, unsupported (version).
LoadResult<void> check_file_header(Bytes file, std::size_t header_bytes, const FileKind& kind);

// `count` records of `size` bytes (not 0) from byte `at`; they may end exactly at the end of the file.
struct FileBlock {
    std::string_view what; // name for messages
    std::uint64_t count = 0, size = 0, at = 0;
};

// Errors: truncated when the file is shorter than `declared_bytes`, its declared size; else out_of_range.
LoadResult<Bytes> find_block(Bytes file, std::uint64_t declared_bytes, const FileBlock& block);

// Detects overlapping blocks of a file, whose offset or count must be invalid.
class FileBlockMap {
public:
    // Adds a block within the file; its `what` must outlive the map.
    void add(const FileBlock& block)
    {
        if (block.count > 0) blocks_.push_back(block);
    }
    // Adds a block and finds it in the file, whose header declares `declared_bytes`.
    LoadResult<Bytes> find(Bytes file, std::uint64_t declared_bytes, const FileBlock& block)
    {
        add(block);
        return find_block(file, declared_bytes, block);
    }
    // Warns about the first two blocks that overlap, and about a file of `file_bytes` that is shorter than
    // its header declares.
    void warn(std::string_view overlap_code, std::string_view size_code, std::uint64_t declared_bytes,
              std::uint64_t file_bytes, io::WarningLog& warnings);

private:
    std::vector<FileBlock> blocks_;
};

} // namespace vitrine::quake
