#pragma once
// Copies a catalog from one database to another: table by table, in batches, each of which is one transaction
// with the place that it has reached; an interrupted move continues there. While it is not finished no server
// opens the target. Single-threaded; throws MoveError.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/database/bulk_access.hpp"
#include "server/services/database/dialect.hpp"
#include "server/services/moves/move_tables.hpp"
#include "server/services/moves/rows_digest.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

// A StorageError whose sentence says which of the two ends it is about.
struct MoveError : StorageError {
    using StorageError::StorageError;
};

struct MoveProgress {
    std::string_view what; // "copying documents"
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};
// May be called on any thread, one at a time.
using OnMoveProgress = std::function<void(const MoveProgress&)>;

struct CatalogMoveOptions {
    bool restart = false; // forget what an interrupted move has copied
    bool force = false;   // although other processes are connected to a database
};

struct MovedRows {
    std::string table;
    std::uint64_t rows = 0;
    std::string digest; // RowsDigest::text(), equal on both sides
};

// A blob that files of the catalog name.
struct NamedBlob {
    std::string hash;
    std::uint64_t size_bytes = 0;
    bool is_of_library = false; // its bytes are, or were, a file of a library and not in a store
};

// One of the two databases.
class MoveEnd {
public:
    // `location` as for Catalog.
    explicit MoveEnd(const std::string& location);

    const std::string& name() const { return name_; } // without the password
    DatabaseConnection& sql() { return *sql_; }
    BulkAccess& rows() { return *rows_; }
    std::uint64_t count(std::string_view table);
    bool has_table(std::string_view table);
    BulkTable describe(const MovedTable& moved);
    // Runs `work`; errors of the database become MoveErrors.
    void run(const std::function<void()>& work);

private:
    std::string name_;
    std::unique_ptr<Dialect> dialect_;
    std::unique_ptr<DatabaseConnection> sql_;
    std::unique_ptr<BulkAccess> rows_;
};

// Blobs of the catalog, by hash.
std::vector<NamedBlob> list_named_blobs(MoveEnd& end);
// The ids of assets with a file that is this blob, at most `limit`.
std::vector<std::string> list_assets_of_blob(MoveEnd& end, const std::string& hash, unsigned limit);

class CatalogMove {
public:
    // Brings the source up to date. Throws if it was written by a newer version.
    CatalogMove(const std::string& source, const std::string& target);

    // Creates or checks the tables of the target. Returns whether an interrupted move is continued. Throws if
    // the target has assets or a move from another source, or either is in use.
    bool begin(const CatalogMoveOptions& options);
    void copy(const OnMoveProgress& progress);
    // Throws if a table differs.
    std::vector<MovedRows> verify(const OnMoveProgress& progress);
    // From now on servers open the target. `blobs_stay`: it takes over the blobs of the source, whose catalog
    // gets another identity, so that no server removes what only the target refers to.
    void finish(bool blobs_stay);

    MoveEnd& source() { return source_; }
    MoveEnd& target() { return target_; }

private:
    class Batches;

    void reject_connections();
    bool continue_move(const CatalogMoveOptions& options);
    void empty_target();
    void copy_table(const MovedTable& moved, const OnMoveProgress& progress);
    RowsDigest digest(MoveEnd& end, const MovedTable& moved, std::string_view what,
                      const OnMoveProgress& progress);

    MoveEnd source_, target_;
    std::map<std::string, std::uint64_t, std::less<>> counts_; // rows of the tables of the source
};

} // namespace vitrine::server
