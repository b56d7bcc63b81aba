// SQLite: one file, one writer at a time, many readers.

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include "server/services/database/binds.hpp"
#include "server/services/database/dialect.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_tracked = 1024; // assets; a larger transaction counts as a change of all

// Tables whose rows no stored response about an asset shows.
bool is_private(std::string_view table)
{
    constexpr std::string_view names =
        " jobs events idempotency migrations sqlite_sequence workers render_requests "
        "quarantined_models catalog_settings damaged_blobs access_tokens audit_log webhooks "
        "webhook_deliveries users sessions libraries library_files device_grants share_links "
        "url_keys picture_vectors sign_in_failures rate_counts storage_reservations "
        "collection_grants response_jobs user_groups group_grants logout_tokens ";
    return table.starts_with("asset_search") || names.contains(fmt::format(" {} ", table));
}

sqlite_api::sqlite3* sqlite_handle(DatabaseConnection& connection)
{
    return static_cast<soci::sqlite3_session_backend*>(connection.get_backend())->conn_;
}

// By SQLite's hook of changed rows. A transaction that changes only rows of other tables counts as a change
// of every asset.
class SqliteChanges final : public ChangeTracker {
public:
    explicit SqliteChanges(DatabaseConnection& writer) : writer_(writer)
    {
        const auto hook = [](void* self, int operation, const char*, const char* table,
                             sqlite_api::sqlite3_int64 row) {
            static_cast<SqliteChanges*>(self)->note(operation, table, row);
        };
        sqlite_api::sqlite3_update_hook(sqlite_handle(writer_), hook, this);
    }
    ~SqliteChanges() override { sqlite_api::sqlite3_update_hook(sqlite_handle(writer_), nullptr, nullptr); }
    SqliteChanges(const SqliteChanges&) = delete;
    SqliteChanges& operator=(const SqliteChanges&) = delete;

    void begin() override
    {
        assets_.clear();
        other_rows_ = all_ = false;
    }

    std::optional<std::vector<std::string>> changed() override
    {
        if (all_ || (other_rows_ && assets_.empty())) return std::nullopt;
        std::vector<std::string> ids;
        for (const long long row : assets_) {
            writer_ << "SELECT id FROM assets WHERE seq = :row", soci::into(ids.emplace_back()),
                soci::use(row);
        }
        return ids;
    }

private:
    void note(int operation, std::string_view table, std::int64_t row)
    {
        if (table == "assets" && operation != SQLITE_DELETE) {
            assets_.insert(row);
            if (assets_.size() <= max_tracked) return;
            all_ = true;
            assets_.clear();
        } else if (table == "assets") {
            all_ = true; // the row does not have its id any more
        } else if (!is_private(table)) {
            other_rows_ = true;
        }
    }

    DatabaseConnection& writer_;
    std::set<std::int64_t> assets_; // rows of `assets`
    bool other_rows_ = false;
    bool all_ = false;
};

void define_now(sqlite_api::sqlite3* handle)
{
    const auto now_micros = [](sqlite_api::sqlite3_context* context, int, sqlite_api::sqlite3_value**) {
        sqlite_api::sqlite3_result_int64(context, now());
    };
    sqlite_api::sqlite3_create_function(handle, "now_micros", 0, SQLITE_UTF8, nullptr, now_micros, nullptr,
                                        nullptr);
}

// SQLite counts the memory of the process under a lock at each allocation; nothing reads the count.
void without_memory_counts()
{
    static const int first =
        sqlite_api::sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); // an error once it is in use
    static_cast<void>(first);
}

std::string quoted(const std::string& word) // a string of FTS5
{
    std::string text = "\"";
    for (const char c : word)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

// The names in a list of a document of the asset `a`, each between line breaks.
std::string names_in(std::string_view document, std::string_view list)
{
    return fmt::format(
        "COALESCE((SELECT char(10) || group_concat(json_extract(e.value, '$.name'), char(10)) || "
        "char(10) FROM documents d, json_each(d.json, '{}') e WHERE d.asset = a.id AND "
        "d.version = a.version AND d.kind = '{}'), '')",
        list, document);
}

class Sqlite final : public Dialect {
public:
    explicit Sqlite(std::string file) : file_(std::move(file)) {}

    SqlWords words() const override
    {
        return {.identity = "INTEGER PRIMARY KEY AUTOINCREMENT",
                .ordered_text = "TEXT",
                .like = "LIKE",
                .ascii_case = "",
                .unindexed = "+",
                .whole_order = " INDEXED BY assets_by_created",
                .lock_row = "",
                .skip_locked = ""};
    }

    std::vector<std::string> functions() const override { return {}; } // each connection defines them

    std::vector<std::string> create_first_search() const override
    {
        return {"CREATE VIRTUAL TABLE asset_search USING fts5(text, tokenize='trigram')"};
    }

    // unicode61 does not segment Chinese; trigram finds any substring of three or more characters. The index
    // has no copy of the text (fts5, "external content tables"): triggers tell it of each change.
    // create_search() always makes it.
    std::vector<std::string> complete_search(std::span<const std::string_view>) const override { return {}; }

    std::vector<std::string> create_search(std::span<const std::string_view> columns) const override
    {
        const auto list = fmt::format("{}", fmt::join(columns, ", "));
        const auto row_of = [&](std::string_view row) {
            return fmt::format("{0}.rowid, {0}.{1}", row, fmt::join(columns, fmt::format(", {}.", row)));
        };
        const auto insert =
            fmt::format("INSERT INTO asset_search_index (rowid, {}) VALUES ({})", list, row_of("new"));
        const auto remove = fmt::format(
            "INSERT INTO asset_search_index (asset_search_index, rowid, {}) VALUES ('delete', {})", list,
            row_of("old"));
        return {
            fmt::format("CREATE TABLE asset_search (rowid INTEGER PRIMARY KEY, {} TEXT NOT NULL)",
                        fmt::join(columns, " TEXT NOT NULL, ")),
            fmt::format("CREATE VIRTUAL TABLE asset_search_index USING fts5({}, content='asset_search', "
                        "tokenize='trigram')",
                        list),
            fmt::format("CREATE TRIGGER asset_search_inserted AFTER INSERT ON asset_search BEGIN {}; END",
                        insert),
            fmt::format("CREATE TRIGGER asset_search_deleted AFTER DELETE ON asset_search BEGIN {}; END",
                        remove),
            fmt::format("CREATE TRIGGER asset_search_updated AFTER UPDATE ON asset_search BEGIN {}; {}; END",
                        remove, insert)};
    }

    std::vector<std::string> copy_names_to_search() const override
    {
        return {fmt::format("INSERT INTO asset_search (rowid, name, tags, clips, joints, materials) "
                            "SELECT a.seq, a.name, '', {}, {}, {} FROM assets a",
                            names_in("clips", "$.items"), names_in("skeleton", "$.joints"),
                            names_in("materials", "$"))};
    }

    // SQLite reads all rows of the inner SELECT before the first row of the outer one.
    std::string search_condition(std::span<const std::string_view> columns,
                                 std::span<const std::string> words, Binds& binds,
                                 std::size_t limit) const override
    {
        std::string match;
        for (const auto& word : words)
            match += fmt::format("{}{{{}}} : {}", match.empty() ? "" : " AND ", fmt::join(columns, " "),
                                 quoted(word));
        return fmt::format(
            "s.rowid IN (SELECT rowid FROM asset_search_index WHERE asset_search_index MATCH {}{})",
            binds.add(std::move(match)), limit == 0 ? std::string() : fmt::format(" LIMIT {}", limit));
    }

    std::unique_ptr<DatabaseConnection> connect(bool writes) const override
    {
        auto connection = std::make_unique<DatabaseConnection>(*this);
        auto& sql = static_cast<soci::session&>(*connection);
        sql.open(soci::sqlite3, fmt::format("dbname=\"{}\" timeout=10", file_));
        sql << "PRAGMA busy_timeout = 10000";
        sql << "PRAGMA journal_mode = WAL";
        sql << "PRAGMA foreign_keys = ON";
        sql << "PRAGMA temp_store = MEMORY";
        define_now(sqlite_handle(*connection));
        if (writes) connection->changes = std::make_unique<SqliteChanges>(*connection);
        return connection;
    }

    unsigned writers() const override { return 1; }
    bool is_shared() const override { return false; } // the server locks its data folder

    // FULL: a commit that has returned survives a power failure. Must be set before a transaction. IMMEDIATE:
    // a second process that writes waits instead of failing in the middle.
    void begin(DatabaseConnection& sql, Durability durability) const override
    {
        if (sql.durability != durability)
            sql << (durability == Durability::full ? "PRAGMA synchronous = FULL"
                                                   : "PRAGMA synchronous = NORMAL");
        sql.durability = durability;
        sql << "BEGIN IMMEDIATE";
    }

    void lock_names(DatabaseConnection&, std::vector<std::string>) const override {} // there is one writer

    void lock_briefly(DatabaseConnection&, const std::string&) const override {}

    // One that is left in the middle would keep its snapshot of the database.
    void finish(soci::statement& statement) const override
    {
        auto* const made = static_cast<soci::sqlite3_statement_backend*>(statement.get_backend())->stmt_;
        sqlite_api::sqlite3_reset(made);
        sqlite_api::sqlite3_clear_bindings(made);
    }

    // After a change of the schema SQLite prepares statements again by itself.
    bool is_lost(DatabaseConnection&, const soci::soci_error&) const override { return false; }
    bool was_given_up() const override { return false; }
    void hang_up(DatabaseConnection&) const override {}
    bool is_conflict(const soci::soci_error&) const override { return false; }

    StorageError to_storage_error(const soci::soci_error& error) const override
    {
        using enum StorageError::Kind;
        auto kind = failed;
        if (const auto* sqlite = dynamic_cast<const soci::sqlite3_soci_error*>(&error)) {
            if (sqlite->result() == SQLITE_FULL) kind = full;
            if (sqlite->result() == SQLITE_READONLY || sqlite->result() == SQLITE_PERM) kind = read_only;
        }
        return {kind, fmt::format("catalog: {}", error.what())};
    }

    std::string describe(DatabaseConnection& sql) const override
    {
        std::string version;
        sql << "SELECT sqlite_version()", soci::into(version);
        return "SQLite " + version;
    }

    void send(DatabaseConnection&, std::span<const SentSignal>) const override {}
    void listen(const std::stop_token&, const DatabaseListener&) const override {}

private:
    std::string file_;
};

} // namespace

std::unique_ptr<Dialect> make_sqlite_dialect(const std::string& file)
{
    without_memory_counts();
    return std::make_unique<Sqlite>(file);
}

} // namespace vitrine::server
