#pragma once
// Hashes of files that others may change meanwhile. Throws StorageError.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "server/util/files.hpp"

namespace vitrine::server {

// Device, inode, size, and the times of the last change of content and of status: no write leaves it as it
// was, apart from two within one tick of the clock of the file system.
using FileStatus = std::array<std::int64_t, 5>;
FileStatus file_status(int descriptor);

// `goes_on`: with the number of bytes that were read, each few MiB; false ends it without a result. Empty
// also if the file cannot be read.
std::optional<std::string> hash_file(const OpenFile& file,
                                     const std::function<bool(std::uint64_t read)>& goes_on);

} // namespace vitrine::server
