#pragma once
// Files with a checksum behind their content, to detect those torn by a power failure. The checksum has the
// byte order of the machine. Throws StorageError.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "server/util/error.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {

inline constexpr std::size_t trailer_bytes = 16;

// Receives content in pieces.
using ContentSink = std::function<void(std::string_view piece)>;
using WriteContent = std::function<Result<void>(const ContentSink&)>;

// Returns the content; empty if the file is torn.
std::optional<std::vector<std::byte>> read_checked(const OpenFile& file, const std::filesystem::path& path);
// Checks the file in pieces. Returns the size of the content, which begins at offset 0; empty if it is torn.
std::optional<std::uint64_t> content_size(const OpenFile& file, const std::filesystem::path& path);
// Writes a new file with the content that `write` makes. Returns the size of the file. After an error of
// `write`, which is returned, or an exception the file is removed.
Result<std::uint64_t> write_checked(const std::filesystem::path& path, const WriteContent& write);

} // namespace vitrine::server
