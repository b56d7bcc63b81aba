#pragma once
// The table of libraries, and the claims of their scans: one process scans a library at a time. Any thread,
// blocking. Throws StorageError.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "server/services/libraries/library.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

class LibraryTable {
public:
    static constexpr std::chrono::seconds lease{60}; // renew() comes sooner

    // `database` outlives it.
    explicit LibraryTable(DatabaseConnections& database) : database_(database) {}

    // Its first scan is due. Errors: conflict ("too_many_libraries", "library_exists": one of this folder, of
    // one above it or below it).
    Result<Library> create(const NewLibrary& wanted) const;
    // In the order of their creation; without those that are being removed.
    std::vector<Library> list() const;
    // Errors of these: not_found ("no_library").
    Result<Library> find(const std::string& id) const;
    // Other patterns and the end of a pause make a scan due.
    Result<Library> change(const std::string& id, const LibraryChange& change) const;
    // A scan that begins now or later is due. Errors: also conflict ("library_paused").
    Result<Library> request_scan(const std::string& id) const;
    // It is in no list any more; the claim of its removal is due.
    Result<void> remove(const std::string& id) const;

    // A scan that is due and that no process has claimed, of a library below one of the roots, or a removal.
    std::optional<LibraryClaim> claim(const LibraryOptions& options) const;
    // `waiting`: of Library. False: another process has the scan, or the library is paused or removed.
    bool renew(const LibraryClaim& claim, std::int64_t waiting) const;
    void finish(const LibraryClaim& claim, const ScanOutcome& outcome) const;
    // The scan was interrupted: it is due again.
    void release(const LibraryClaim& claim) const;
    // The library is gone.
    void forget(const LibraryClaim& claim) const;

private:
    DatabaseConnections& database_;
};

inline constexpr std::size_t max_library_name = 200; // bytes

// What may become a library (new_library.cpp): with a canonical path, and a name if it had none. Errors:
// unprocessable ("path_not_allowed": no folder below a root of `options`, or one with the server's own data).
Result<NewLibrary> check_new_library(NewLibrary wanted, const LibraryOptions& options);

// Whether `path` is the folder or below it. Both canonical.
bool is_below(const std::string& folder, const std::string& path);
bool is_below_roots(const LibraryOptions& options, const std::string& path);

} // namespace vitrine::server
