#include "server/services/libraries/library_index.hpp"

#include <algorithm>

#include <fmt/format.h>

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr long long rows_of_visit = 20'000;

// A row as a statement exchanges it.
struct StatusRow {
    std::string folder, name;
    long long size_bytes = 0, modified_ns = 0, inode = 0;

    explicit StatusRow(const IndexedFile& found = {})
        : folder(found.folder), name(found.file.name),
          size_bytes(static_cast<long long>(found.file.size_bytes)), modified_ns(found.file.modified_ns),
          inode(static_cast<long long>(found.file.inode))
    {
    }
    IndexedFile file() const
    {
        return {
            folder,
            {name, static_cast<std::uint64_t>(size_bytes), modified_ns, static_cast<std::uint64_t>(inode)}};
    }
};

struct FileKeyRow {
    std::string library, folder, name;
    long long gone = 0;
};

// The row of a file that is gone: of the same content, rather of this library and name.
class MissingFiles {
public:
    MissingFiles(DatabaseConnection& sql, const std::string& library)
        : select_((
              sql.prepare << "SELECT library, folder, name, gone FROM library_files WHERE sha256 = :hash AND "
                             "gone > 0 ORDER BY CASE WHEN library = :library THEN 0 ELSE 1 END, "
                             "CASE WHEN name = :name THEN 0 ELSE 1 END, "
                             "CASE WHEN asset <> '' THEN 0 ELSE 1 END, gone DESC LIMIT 1",
              into(row_.library), into(row_.folder), into(row_.name), into(row_.gone), use(hash_),
              use(library_), use(name_))),
          library_(library)
    {
    }
    const FileKeyRow* find(const ArrivedFile& file)
    {
        hash_ = file.sha256;
        name_ = file.found.file.name;
        return select_.execute(true) ? &row_ : nullptr;
    }

private:
    FileKeyRow row_;
    std::string hash_, name_;
    PreparedStatement select_;
    std::string library_;
};

// The newest row that is gone at this path; empty: none.
std::optional<FileKeyRow> find_at_path(DatabaseConnection& sql, const std::string& library,
                                       const ArrivedFile& file)
{
    FileKeyRow row{library, file.found.folder, file.found.file.name};
    sql << "SELECT gone FROM library_files WHERE library = :library AND folder = :folder AND name = :name "
           "AND gone > 0 AND asset <> '' ORDER BY gone DESC LIMIT 1",
        into(row.gone), use(row.library), use(row.folder), use(row.name);
    return sql.got_data() ? std::optional(std::move(row)) : std::nullopt;
}

// The row becomes that of the file.
void take_row(DatabaseConnection& sql, const FileKeyRow& before, const std::string& library,
              const ArrivedFile& arrived)
{
    const StatusRow now(arrived.found);
    const long long is_model = is_model_name(now.name) ? 1 : 0;
    sql << "UPDATE library_files SET library = :library, folder = :folder, name = :name, gone = 0, "
           "size_bytes = :size, modified_ns = :modified, inode = :inode, sha256 = :hash, "
           "is_model = :is_model, pending = 1 "
           "WHERE library = :l AND folder = :f AND name = :n AND gone = :g",
        use(library), use(now.folder), use(now.name), use(now.size_bytes), use(now.modified_ns),
        use(now.inode), use(arrived.sha256), use(is_model), use(before.library), use(before.folder),
        use(before.name), use(before.gone);
}

void insert_file(DatabaseConnection& sql, const std::string& library, const ArrivedFile& arrived)
{
    const StatusRow now(arrived.found);
    const long long is_model = is_model_name(now.name) ? 1 : 0;
    sql << "INSERT INTO library_files (library, folder, name, size_bytes, modified_ns, inode, sha256, "
           "is_model) "
           "VALUES (:library, :folder, :name, :size, :modified, :inode, :hash, :is_model)",
        use(library), use(now.folder), use(now.name), use(now.size_bytes), use(now.modified_ns),
        use(now.inode), use(arrived.sha256), use(is_model);
}

} // namespace

void LibraryIndex::visit(const std::function<void(IndexedFile&&)>& visit) const
{
    StatusRow row;
    std::string folder, name; // of the last row of the page before
    for (long long rows = rows_of_visit; rows == rows_of_visit;) {
        std::vector<IndexedFile> page;
        database_.read([&](DatabaseConnection& sql) {
            page.clear();
            page.reserve(static_cast<std::size_t>(rows_of_visit));
            PreparedStatement select =
                (sql.prepare << fmt::format("SELECT folder, name, size_bytes, modified_ns, inode "
                                            "FROM library_files WHERE library = :library AND "
                                            "(folder, name) > (:folder, :name) AND gone = 0 "
                                            "ORDER BY folder, name LIMIT {}",
                                            rows_of_visit),
                 into(row.folder), into(row.name), into(row.size_bytes), into(row.modified_ns),
                 into(row.inode), use(library_), use(folder), use(name));
            for (select.execute(); select.fetch();)
                page.push_back(row.file());
        });
        rows = static_cast<long long>(page.size());
        if (page.empty()) return;
        folder = page.back().folder;
        name = page.back().file.name;
        for (auto& file : page)
            visit(std::move(file));
    }
}

void LibraryIndex::mark_gone(std::span<const FileKey> files) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        for (const auto& file : files)
            sql << "UPDATE library_files SET gone = now_micros(), pending = 1 "
                   "WHERE library = :library AND folder = :folder AND name = :name AND gone = 0",
                use(library_), use(file.folder), use(file.name);
    });
}

void LibraryIndex::update_status(std::span<const IndexedFile> files) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        for (const auto& file : files) {
            const StatusRow now(file);
            sql << "UPDATE library_files SET size_bytes = :size, modified_ns = :modified, inode = :inode "
                   "WHERE library = :library AND folder = :folder AND name = :name AND gone = 0",
                use(now.size_bytes), use(now.modified_ns), use(now.inode), use(library_), use(now.folder),
                use(now.name);
        }
    });
}

bool LibraryIndex::has_hash(const FileKey& file, const std::string& sha256) const
{
    return database_.read([&](DatabaseConnection& sql) {
        long long one = 0;
        sql << "SELECT 1 FROM library_files WHERE library = :library AND folder = :folder AND name = :name "
               "AND "
               "gone = 0 AND sha256 = :hash",
            into(one), use(library_), use(file.folder), use(file.name), use(sha256);
        return sql.got_data();
    });
}

std::vector<ArrivedFile> LibraryIndex::store(std::span<const ArrivedFile> files) const
{
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        std::vector<ArrivedFile> left;
        MissingFiles missing(sql, library_);
        for (const auto& file : files) {
            if (const auto* row = missing.find(file))
                take_row(sql, *row, library_, file);
            else if (find_at_path(sql, library_, file))
                left.push_back(file);
            else
                insert_file(sql, library_, file);
        }
        return left;
    });
}

void LibraryIndex::replace(std::span<const ArrivedFile> files) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        for (const auto& file : files) {
            if (const auto row = find_at_path(sql, library_, file))
                take_row(sql, *row, library_, file);
            else
                insert_file(sql, library_, file);
        }
    });
}

void LibraryIndex::mark_all_gone() const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "UPDATE library_files SET gone = now_micros(), pending = CASE WHEN asset <> '' THEN 1 ELSE 0 "
               "END WHERE library = :library AND gone = 0",
            use(library_);
    });
}

std::vector<FilePlace> find_places(DatabaseConnections& database, const std::string& sha256)
{
    return database.read([&](DatabaseConnection& sql) {
        std::string root, folder, name;
        long long size = 0, modified = 0;
        std::vector<FilePlace> places;
        PreparedStatement select =
            (sql.prepare
                 << "SELECT l.path, f.folder, f.name, f.size_bytes, f.modified_ns FROM library_files f "
                    "JOIN libraries l ON l.id = f.library WHERE f.sha256 = :hash AND f.gone = 0 LIMIT 16",
             into(root), into(folder), into(name), into(size), into(modified), use(sha256));
        for (select.execute(); select.fetch();)
            places.push_back({root, join_path(folder, name), static_cast<std::uint64_t>(size), modified});
        return places;
    });
}

} // namespace vitrine::server
