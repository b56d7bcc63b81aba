#pragma once
// The manifest of a backup, and the files beside its blobs. Throws StorageError.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace vitrine::server {

struct BackupManifest {
    std::string catalog; // name of its file; empty: no backup to this folder was finished
    std::string sha256;  // of the catalog
    std::uint64_t assets = 0, blobs = 0, bytes = 0;
};

// Empty: the folder has none.
std::optional<BackupManifest> read_manifest(const std::filesystem::path& folder);
// Replaces it, and survives a power failure when it returns.
void write_manifest(const std::filesystem::path& folder, const BackupManifest& manifest);

// Copies the file, durably; returns the SHA-256 of its bytes. Empty: there is no such file.
std::optional<std::string> copy_hashed(const std::filesystem::path& from, const std::filesystem::path& to);
std::string hash_file(const std::filesystem::path& file);

} // namespace vitrine::server
