#pragma once
// The indexed files of libraries: the table library_files. A row whose file is gone stays, with its asset,
// until the asset is purged, so that a file which returns or was moved is known by its hash. Writes may be
// undone by a power failure: the next scan does them again. Any thread, blocking. Throws StorageError.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/services/database/database_connections.hpp"
#include "server/services/libraries/folder_walk.hpp"

namespace vitrine::server {

// What a scan compares.
struct IndexedFile {
    std::string folder; // WalkedFolder::path
    WalkedFile file;
};

// Which row; `gone`: 0 of a file that is there.
struct FileKey {
    std::string folder, name;
    std::int64_t gone = 0;
};

struct LibraryFile {
    FileKey key;
    std::string sha256;
    std::uint64_t size_bytes = 0;
    std::string asset{}; // id; empty: none
    bool is_model = false;
    bool is_trashed = false; // the asset went to the trash with the file
    std::string title{};     // the name that the asset was given by that of the file
    std::string path() const { return join_path(key.folder, key.name); }
};

// Where the bytes of a hash are.
struct FilePlace {
    std::string root; // path of the library
    std::string path; // below it
    std::uint64_t size_bytes = 0;
    std::int64_t modified_ns = 0;
};

// A file that was found in another place, or new content of one.
struct ArrivedFile {
    IndexedFile found;
    std::string sha256;
};

class LibraryIndex {
public:
    LibraryIndex(DatabaseConnections& database, std::string library)
        : database_(database), library_(std::move(library))
    {
    }

    const std::string& library() const { return library_; } // its id

    // The files that are there, in the order of the bytes of (folder, name), page by page.
    void visit(const std::function<void(IndexedFile&&)>& visit) const;
    // They are gone, and pending.
    void mark_gone(std::span<const FileKey> files) const;
    // Only the time or the inode has changed.
    void update_status(std::span<const IndexedFile> files) const;
    bool has_hash(const FileKey& file, const std::string& sha256) const;
    // Stores files where none is now. One with the hash of a row that is gone takes that row, with its
    // asset. Returns those that have no such row, but a row of another content that is gone at the same
    // path, which are not stored.
    std::vector<ArrivedFile> store(std::span<const ArrivedFile> files) const;
    // Stores what store() has returned: new content of the row at the same path, if it is still gone.
    void replace(std::span<const ArrivedFile> files) const;

    // Of the scan's second part. Some rows whose assets may be old.
    std::vector<LibraryFile> pending(std::size_t limit) const;
    void settle(std::span<const LibraryFile> files) const;
    void mark_pending(const std::string& folder) const; // the files that are there
    bool has_models(const std::string& folder) const;
    // The files that are there, in the folder itself.
    std::vector<LibraryFile> files_in(const std::string& folder) const;
    // The folders below it, and whether they have models, ascending.
    std::vector<std::pair<std::string, bool>> folders_below(const std::string& folder,
                                                            std::size_t limit) const;
    void set_asset(const FileKey& file, const std::string& asset, const std::string& title) const;
    void set_trashed(const FileKey& file) const;
    // Whether a file that is there, of any library, is the main file of the asset.
    bool shows(const std::string& asset) const;
    // Rows of files that are gone, of all libraries, whose asset is purged.
    void forget_purged() const;
    struct Counts {
        std::int64_t files = 0, models = 0;
    };
    Counts counts() const;
    // Of a removal: all files are gone, and pending if they have an asset.
    void mark_all_gone() const;

private:
    DatabaseConnections& database_;
    const std::string library_;
};

// Of all libraries; the files that are there.
std::vector<FilePlace> find_places(DatabaseConnections& database, const std::string& sha256);

} // namespace vitrine::server
