#pragma once
// Backups of a data folder whose catalog is SQLite, while a server uses it. A backup is a folder:
//   backup.manifest     names the catalog and its checksum; replacing it is what makes a backup valid
//   catalog-HASH.sqlite a consistent copy of the catalog
//   blobs/ab/cd/HASH    all blobs that it names
//   token               the access token of the server
// A later backup to the same folder adds the blobs that are new, and removes those that it does not name.
//
// The catalog is copied before the blobs: the server stores a blob before the catalog names it, and removes
// only blobs that the catalog does not name. A blob that was removed after the copy of the catalog makes the
// backup begin again. Throws StorageError with one sentence.

#include <cstdint>
#include <filesystem>
#include <string>

#include "server/services/moves/blob_places.hpp"

namespace vitrine::server {

struct BackupOptions {
    bool copies = false;             // files of their own instead of further names of the data folder's blobs
    bool compares = false;           // blobs that an earlier backup has are read and compared with their hash
    std::filesystem::path catalog{}; // file of SQLite; empty: that of the data folder
    std::filesystem::path blobs{};   // folder that has blobs/; empty: the data folder
};

struct BackupTotals {
    std::uint64_t assets = 0;
    BlobTotals blobs;
    std::uint64_t removed = 0;  // blobs of an earlier backup
    std::string catalog_sha256; // of the copy
};

BackupTotals make_backup(const std::filesystem::path& data, const std::filesystem::path& target,
                         const BackupOptions& options, const OnMoveProgress& progress);

// `data` must be empty, or have an unfinished restore. Blobs that are damaged in the backup are left out.
BackupTotals restore_backup(const std::filesystem::path& backup, const std::filesystem::path& data,
                            const OnMoveProgress& progress);

// A catalog of SQLite in this data folder.

} // namespace vitrine::server
