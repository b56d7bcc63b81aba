#pragma once
// The access token that a server makes at its first start and keeps in its data directory: root/token, one
// line, readable by its owner alone. Deleting the file makes the next start generate another token.

#include <filesystem>
#include <optional>
#include <string>

namespace vitrine::server {

// Returns the token of the directory, and makes it (192 random bits, base64url) if there is none. Safe when
// several processes start at once: all of them get the same token. Throws StorageError: it cannot be written;
// std::runtime_error with one sentence: the file holds no token.
std::string load_or_create_token(const std::filesystem::path& root);

// Returns empty if there is no such file or it may not be read. Never throws.
std::optional<std::string> find_token(const std::filesystem::path& root);

// The text of a file with a secret of another server, without line breaks at its end. Empty optional: the
// file cannot be read, is empty, or has more than 4096 bytes.
std::optional<std::string> read_secret(const std::filesystem::path& file);

} // namespace vitrine::server
