#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {
namespace {

constexpr const char* libraries_table = R"(CREATE TABLE libraries (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            path TEXT NOT NULL UNIQUE,
            include TEXT NOT NULL,
            ignored TEXT NOT NULL,
            state TEXT NOT NULL,
            problem TEXT NOT NULL DEFAULT '',
            created BIGINT NOT NULL,
            created_by TEXT NOT NULL,
            requested BIGINT NOT NULL,
            started BIGINT NOT NULL DEFAULT 0,
            scanned BIGINT NOT NULL DEFAULT 0,
            duration_ms BIGINT NOT NULL DEFAULT 0,
            files BIGINT NOT NULL DEFAULT 0,
            models BIGINT NOT NULL DEFAULT 0,
            skipped BIGINT NOT NULL DEFAULT 0,
            waiting BIGINT NOT NULL DEFAULT 0,
            next_scan BIGINT NOT NULL DEFAULT 0,
            claims BIGINT NOT NULL DEFAULT 0,
            lease_until BIGINT NOT NULL DEFAULT 0))";

} // namespace

// Folders whose files are assets without a copy (services/libraries). `include`, `ignored`: patterns, one a
// line. `state`: a word of LibraryState. Times in microseconds since 1970; 0: never.
// library_files: `folder`: relative, '/' separated, without one at the end; empty: the library's own.
// `modified_ns`: since 1970. `gone`: when the file was missed; 0: it is there. `pending`: 1: the assets of
// the folder may not be those of its files yet. `title`: the name that the asset was given by the file's.
// `trashed`: 1: its asset went to the trash with it.
std::vector<std::string> libraries_migration(const Dialect& dialect)
{
    const auto ordered = dialect.words().ordered_text;
    return {libraries_table,
            fmt::format(R"(CREATE TABLE library_files (
            library {0} NOT NULL,
            folder {0} NOT NULL,
            name {0} NOT NULL,
            gone BIGINT NOT NULL DEFAULT 0,
            size_bytes BIGINT NOT NULL,
            modified_ns BIGINT NOT NULL,
            inode BIGINT NOT NULL,
            sha256 TEXT NOT NULL,
            asset TEXT NOT NULL DEFAULT '',
            title TEXT NOT NULL DEFAULT '',
            is_model BIGINT NOT NULL,
            pending BIGINT NOT NULL DEFAULT 1,
            trashed BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (library, folder, name, gone)))",
                        ordered),
            "CREATE INDEX library_files_by_hash ON library_files (sha256)",
            "CREATE INDEX library_files_by_asset ON library_files (asset) WHERE asset <> ''",
            "CREATE INDEX library_files_gone ON library_files (sha256) WHERE gone > 0",
            "CREATE INDEX library_files_pending ON library_files (library, folder, name) WHERE pending = 1"};
}

} // namespace vitrine::server
