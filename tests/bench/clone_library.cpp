// Fills the catalog of a stopped server with copies of its imported assets, for measurements of large
// libraries:
//   clone_library N DATA       until it has N assets
// The copies have their own ids, names and times; content, files and thumbnails are those of the originals.

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <sqlite3.h>

namespace {

class Database {
public:
    explicit Database(const std::filesystem::path& file)
    {
        if (sqlite3_open_v2(file.c_str(), &handle_, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) fail();
    }
    ~Database() { sqlite3_close(handle_); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void execute(const std::string& statement)
    {
        if (sqlite3_exec(handle_, statement.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
    }

    long long number(const std::string& query)
    {
        long long value = 0;
        const auto read = [](void* into, int, char** values, char**) {
            *static_cast<long long*>(into) = values[0] == nullptr ? 0 : std::atoll(values[0]);
            return 0;
        };
        if (sqlite3_exec(handle_, query.c_str(), read, &value, nullptr) != SQLITE_OK) fail();
        return value;
    }

private:
    [[noreturn]] void fail() const { throw std::runtime_error(sqlite3_errmsg(handle_)); }

    sqlite3* handle_ = nullptr;
};

// `copies` has a row for each copy with a number from `from` to below `to`: its id and name, and its
// original.
void list_copies(Database& catalog, long long from, long long to)
{
    catalog.execute(
        "CREATE TEMP TABLE originals AS SELECT row_number() OVER (ORDER BY seq) - 1 AS k, * FROM "
        "assets WHERE deleted = 0 AND status = 'ready' AND id NOT LIKE 'asset\\_copy%' ESCAPE '\\'");
    catalog.execute(fmt::format("CREATE TEMP TABLE copies AS WITH RECURSIVE numbers(n) AS (SELECT {} UNION "
                                "ALL SELECT n + 1 FROM numbers "
                                "WHERE n + 1 < {}) SELECT n, printf('asset_copy%012d', n) AS copy_id, "
                                "printf('%s %06d', o.name, n) AS copy_name, o.* FROM numbers "
                                "JOIN originals o ON o.k = n % (SELECT COUNT(*) FROM originals)",
                                from, to));
}

void insert_copies(Database& catalog)
{
    const std::string listed = // what lists filter by
        "format, triangles, joints, clips, file_bytes, extent, longest, shortest, fastest, slowest, "
        "clip_flags, warnings, missing_images, shown_license, shown_author, creator";
    catalog.execute(fmt::format(
        "INSERT INTO assets (id, name, name_key, status, version, revision, created, updated, {0}) SELECT "
        "copy_id, copy_name, lower(copy_name), status, version, 1, created + 1000 * (n + 1), "
        "created + 1000 * (n + 1), {0} FROM copies",
        listed));
    const std::string version_columns =
        "number, source, main_file, size_bytes, created, job, problem_code, problem_where, problem_detail, "
        "format, generator, meshes, vertices, polygons, triangles, joints, clips, materials, images, "
        "summary, "
        "thumbnail, user_clips, facts_version, facts_tried, status, name, restored_from, license, author, "
        "source_url, "
        "extent, warnings, missing_images";
    std::string prefixed = "v." + version_columns;
    for (std::size_t at = 0; (at = prefixed.find(", ", at)) != std::string::npos; at += 4)
        prefixed.replace(at, 2, ", v.");
    catalog.execute(
        fmt::format("INSERT INTO versions (asset, {}) SELECT c.copy_id, {} FROM copies c JOIN versions "
                    "v ON v.asset = c.id AND v.number = c.version",
                    version_columns, prefixed));
    catalog.execute("INSERT INTO files (asset, version, name, blob, size_bytes) SELECT c.copy_id, f.version, "
                    "f.name, f.blob, f.size_bytes FROM copies c JOIN files f ON f.asset = c.id");
    catalog.execute("INSERT INTO clip_facets (asset, version, clip, loops, in_place, speed, duration) SELECT "
                    "c.copy_id, f.version, f.clip, f.loops, f.in_place, f.speed, f.duration FROM copies c "
                    "JOIN clip_facets f ON f.asset = c.id AND f.version = c.version");
    catalog.execute("INSERT INTO asset_search (rowid, name, tags, clips, joints, materials) SELECT a.seq, "
                    "a.name, s.tags, s.clips, s.joints, s.materials FROM assets a JOIN copies c ON "
                    "a.id = c.copy_id JOIN asset_search s ON s.rowid = c.seq");
}

void fill(const std::filesystem::path& data, long long wanted)
{
    Database catalog(data / "catalog.sqlite");
    catalog.execute("PRAGMA synchronous = OFF");
    catalog.execute("BEGIN");
    const auto have = catalog.number("SELECT COUNT(*) FROM assets WHERE deleted = 0");
    if (have == 0) throw std::runtime_error("the library is empty");
    if (wanted > have) {
        list_copies(catalog, have, wanted);
        insert_copies(catalog);
    }
    catalog.execute("COMMIT");
    fmt::print("{} assets\n", catalog.number("SELECT COUNT(*) FROM assets WHERE deleted = 0"));
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3 || std::atoll(argv[1]) <= 0) {
        fmt::print(stderr, "usage: clone_library N DATA\n");
        return 2;
    }
    try {
        fill(argv[2], std::atoll(argv[1]));
    } catch (const std::exception& error) {
        fmt::print(stderr, "clone_library: {}\n", error.what());
        return 1;
    }
}
