// Rows of the index from which assets are made.

#include <fmt/format.h>

#include "server/services/libraries/library_index.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

// Columns of select_files.
constexpr std::string_view select_files =
    "SELECT folder, name, gone, sha256, size_bytes, asset, is_model, trashed, title FROM library_files ";

struct LibraryFileRow {
    std::string folder, name, sha256, asset, title;
    long long gone = 0, size_bytes = 0, is_model = 0, trashed = 0;

    LibraryFile file() const
    {
        return {{folder, name, gone}, sha256, static_cast<std::uint64_t>(size_bytes), asset, is_model != 0,
                trashed != 0,         title};
    }
};

// `end`: of the statement, with the values `texts`.
std::vector<LibraryFile> fetch_library_files(DatabaseConnection& sql, const std::string& end,
                                             std::span<const std::string> texts)
{
    LibraryFileRow row;
    std::vector<LibraryFile> files;
    soci::statement select(sql);
    select.exchange(into(row.folder));
    select.exchange(into(row.name));
    select.exchange(into(row.gone));
    select.exchange(into(row.sha256));
    select.exchange(into(row.size_bytes));
    select.exchange(into(row.asset));
    select.exchange(into(row.is_model));
    select.exchange(into(row.trashed));
    select.exchange(into(row.title));
    for (const auto& text : texts)
        select.exchange(use(text));
    select.alloc();
    select.prepare(std::string(select_files) + end);
    select.define_and_bind();
    for (select.execute(); select.fetch();)
        files.push_back(row.file());
    return files;
}

// The first and the end of the paths below a folder: '0' follows '/'.
std::string first_below(const std::string& folder)
{
    return folder.empty() ? std::string(1, '\x01') : folder + "/";
}
std::string end_below(const std::string& folder)
{
    return folder.empty() ? std::string("\U0010ffff") : folder + "0";
}

long long count_rows(DatabaseConnection& sql, const std::string& condition, const std::string& value)
{
    long long count = 0;
    sql << "SELECT COUNT(*) FROM library_files WHERE " + condition, into(count), use(value);
    return count;
}

} // namespace

std::vector<LibraryFile> LibraryIndex::pending(std::size_t limit) const
{
    return database_.read([&](DatabaseConnection& sql) {
        const std::vector values{library_};
        return fetch_library_files(
            sql,
            fmt::format("WHERE library = :library AND pending = 1 ORDER BY folder, name LIMIT {}", limit),
            values);
    });
}

void LibraryIndex::settle(std::span<const LibraryFile> files) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        for (const auto& file : files) {
            const auto& key = file.key;
            const long long gone = key.gone;
            sql << "UPDATE library_files SET pending = 0 WHERE library = :library AND folder = :folder AND "
                   "name = :name AND gone = :gone AND sha256 = :hash",
                use(library_), use(key.folder), use(key.name), use(gone), use(file.sha256);
        }
    });
}

void LibraryIndex::mark_pending(const std::string& folder) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "UPDATE library_files SET pending = 1 WHERE library = :library AND folder = :folder AND gone "
               "= 0",
            use(library_), use(folder);
    });
}

bool LibraryIndex::has_models(const std::string& folder) const
{
    return database_.read([&](DatabaseConnection& sql) {
        long long one = 0;
        sql << "SELECT 1 FROM library_files WHERE library = :library AND folder = :folder AND gone = 0 AND "
               "is_model = 1 LIMIT 1",
            into(one), use(library_), use(folder);
        return sql.got_data();
    });
}

std::vector<LibraryFile> LibraryIndex::files_in(const std::string& folder) const
{
    return database_.read([&](DatabaseConnection& sql) {
        const std::vector values{library_, folder};
        return fetch_library_files(
            sql, "WHERE library = :library AND folder = :folder AND gone = 0 ORDER BY name", values);
    });
}

std::vector<std::pair<std::string, bool>> LibraryIndex::folders_below(const std::string& folder,
                                                                      std::size_t limit) const
{
    return database_.read([&](DatabaseConnection& sql) {
        const auto first = first_below(folder), end = end_below(folder);
        std::vector<std::pair<std::string, bool>> folders;
        std::string path;
        long long has_models = 0;
        PreparedStatement select =
            (sql.prepare << fmt::format("SELECT folder, MAX(is_model) FROM library_files WHERE library = "
                                        ":library AND folder >= :first AND folder < :end AND gone = 0 GROUP "
                                        "BY folder ORDER BY folder LIMIT {}",
                                        limit),
             into(path), into(has_models), use(library_), use(first), use(end));
        for (select.execute(); select.fetch();)
            folders.emplace_back(path, has_models != 0);
        return folders;
    });
}

void LibraryIndex::set_asset(const FileKey& file, const std::string& asset, const std::string& title) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        const long long gone = file.gone;
        sql << "UPDATE library_files SET asset = :asset, title = :title, trashed = 0 WHERE library = "
               ":library "
               "AND folder = :folder AND name = :name AND gone = :gone",
            use(asset), use(title), use(library_), use(file.folder), use(file.name), use(gone);
    });
}

void LibraryIndex::set_trashed(const FileKey& file) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        const long long gone = file.gone;
        sql << "UPDATE library_files SET trashed = 1 WHERE library = :library AND folder = :folder AND "
               "name = :name AND gone = :gone",
            use(library_), use(file.folder), use(file.name), use(gone);
    });
}

bool LibraryIndex::shows(const std::string& asset) const
{
    return database_.read([&](DatabaseConnection& sql) {
        return count_rows(sql, "asset <> '' AND gone = 0 AND asset = :asset", asset) > 0;
    });
}

void LibraryIndex::forget_purged() const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "DELETE FROM library_files WHERE gone > 0 AND pending = 0 AND NOT EXISTS "
               "(SELECT 1 FROM assets a WHERE a.id = library_files.asset)";
    });
}

LibraryIndex::Counts LibraryIndex::counts() const
{
    return database_.read([&](DatabaseConnection& sql) {
        long long files = 0, models = 0;
        sql << "SELECT COUNT(*), CAST(COALESCE(SUM(is_model), 0) AS BIGINT) FROM library_files WHERE library "
               "= :library AND gone = 0",
            into(files), into(models), use(library_);
        return Counts{files, models};
    });
}

} // namespace vitrine::server
