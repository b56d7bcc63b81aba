// Streams of rows of SQLite, by its own interface: SOCI fetches values one by one through its types.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include "server/services/database/bulk_access.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {
namespace {

sqlite_api::sqlite3* bulk_handle(DatabaseConnection& connection)
{
    return static_cast<soci::sqlite3_session_backend*>(connection.get_backend())->conn_;
}

class SqliteRows {
public:
    SqliteRows(DatabaseConnection& sql, const std::string& text) : handle_(bulk_handle(sql))
    {
        require(sqlite_api::sqlite3_prepare_v2(handle_, text.c_str(), -1, &statement_, nullptr));
    }
    ~SqliteRows() { sqlite_api::sqlite3_finalize(statement_); }
    SqliteRows(const SqliteRows&) = delete;
    SqliteRows& operator=(const SqliteRows&) = delete;

    // The text stays valid until the next step.
    void bind(int at, ColumnKind kind, const std::optional<std::string_view>& value)
    {
        require(bind_value(at, kind, value));
    }

    // Returns whether there is a row.
    bool step()
    {
        const int result = sqlite_api::sqlite3_step(statement_);
        if (result != SQLITE_ROW && result != SQLITE_DONE) require(result);
        return result == SQLITE_ROW;
    }
    void reset() { require(sqlite_api::sqlite3_reset(statement_)); }

    // The value as text, in `real` if it is a real number.
    std::optional<std::string_view> value(int at, ColumnKind kind, std::string& real)
    {
        if (sqlite_api::sqlite3_column_type(statement_, at) == SQLITE_NULL) return std::nullopt;
        if (kind == ColumnKind::real) {
            real = real_text(sqlite_api::sqlite3_column_double(statement_, at));
            return real;
        }
        const auto* const text = sqlite_api::sqlite3_column_text(statement_, at);
        if (text == nullptr) throw std::bad_alloc();
        return std::string_view(reinterpret_cast<const char*>(text), // NOLINT: unsigned char of SQLite
                                static_cast<std::size_t>(sqlite_api::sqlite3_column_bytes(statement_, at)));
    }

private:
    int bind_value(int at, ColumnKind kind, const std::optional<std::string_view>& value)
    {
        if (!value) return sqlite_api::sqlite3_bind_null(statement_, at);
        if (kind == ColumnKind::text)
            return sqlite_api::sqlite3_bind_text(statement_, at, value->data(),
                                                 static_cast<int>(value->size()), nullptr);
        if (kind == ColumnKind::integer) {
            long long number = 0;
            std::from_chars(value->data(), value->data() + value->size(), number);
            return sqlite_api::sqlite3_bind_int64(statement_, at, number);
        }
        double number = 0.0;
        std::from_chars(value->data(), value->data() + value->size(), number);
        return sqlite_api::sqlite3_bind_double(statement_, at, number);
    }

    void require(int result)
    {
        if (result == SQLITE_OK) return;
        using enum StorageError::Kind;
        auto kind = failed;
        if (result == SQLITE_FULL) kind = full;
        if (result == SQLITE_READONLY || result == SQLITE_PERM) kind = read_only;
        throw StorageError(kind, fmt::format("catalog: {}", sqlite_api::sqlite3_errmsg(handle_)));
    }

    sqlite_api::sqlite3* handle_;
    sqlite_api::sqlite3_stmt* statement_ = nullptr;
};

class SqliteBulkWriter final : public BulkWriter {
public:
    SqliteBulkWriter(DatabaseConnection& sql, const BulkTable& table) : table_(table)
    {
        const std::vector<std::string> marks(table.columns.size(), "?");
        rows_.emplace(sql, fmt::format("INSERT INTO {} ({}) VALUES ({})", table.name, column_list(table),
                                       fmt::join(marks, ", ")));
    }

    void write(BulkRow row) override
    {
        for (std::size_t i = 0; i < row.size(); ++i)
            rows_->bind(static_cast<int>(i) + 1, table_.columns[i].kind, row[i]);
        rows_->step();
        rows_->reset();
    }
    void finish() override { rows_.reset(); }

private:
    const BulkTable table_;
    std::optional<SqliteRows> rows_;
};

class SqliteBulk final : public BulkAccess {
public:
    explicit SqliteBulk(DatabaseConnection& sql) : sql_(sql) {}

    // Without the tables of SQLite itself and those that FTS5 keeps its index in.
    std::vector<std::string> tables() override
    {
        SqliteRows rows(sql_, "SELECT name FROM sqlite_master m WHERE type = 'table' AND name NOT LIKE "
                              "'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' AND NOT EXISTS "
                              "(SELECT 1 FROM sqlite_master v WHERE v.sql LIKE 'CREATE VIRTUAL%' AND m.name "
                              "LIKE v.name || '\\_%' ESCAPE '\\') ORDER BY name");
        std::string unused;
        std::vector<std::string> names;
        while (rows.step())
            names.emplace_back(rows.value(0, ColumnKind::text, unused).value_or(""));
        return names;
    }

    std::vector<BulkColumn> columns(const std::string& table) override
    {
        SqliteRows rows(sql_,
                        fmt::format("SELECT name, type FROM pragma_table_info('{}') ORDER BY name", table));
        std::string unused;
        std::vector<BulkColumn> all;
        while (rows.step()) {
            auto kind = ColumnKind::text;
            const std::string type(rows.value(1, ColumnKind::text, unused).value_or(""));
            if (type.contains("INT")) kind = ColumnKind::integer;
            if (type.contains("DOUBLE") || type.contains("REAL")) kind = ColumnKind::real;
            all.push_back({std::string(rows.value(0, ColumnKind::text, unused).value_or("")), kind});
        }
        return all;
    }

    void read(const BulkTable& table, const std::vector<std::string>& after,
              const std::function<void(BulkRow)>& visit) override
    {
        SqliteRows rows(sql_, select_rows(table, std::vector<std::string>(after.size(), "?")));
        for (std::size_t i = 0; i < after.size(); ++i)
            rows.bind(static_cast<int>(i) + 1, kind_of(table, table.key[i]), after[i]);
        std::vector<std::optional<std::string_view>> values(table.columns.size());
        std::vector<std::string> reals(table.columns.size());
        while (rows.step()) {
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = rows.value(static_cast<int>(i), table.columns[i].kind, reals[i]);
            visit(values);
        }
    }

    std::unique_ptr<BulkWriter> write(const BulkTable& table) override
    {
        return std::make_unique<SqliteBulkWriter>(sql_, table);
    }

    long long last_number(const std::string& table, const std::string&) override
    {
        long long number = 0;
        sql_ << "SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = :name", soci::into(number),
            soci::use(table);
        return number;
    }

    void set_last_number(const std::string& table, const std::string&, long long number) override
    {
        sql_ << "DELETE FROM sqlite_sequence WHERE name = :name", soci::use(table);
        sql_ << "INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)", soci::use(table),
            soci::use(number);
    }

    long long other_connections() override { return 0; } // the lock of the folder tells

    void analyze() override {}

private:
    static ColumnKind kind_of(const BulkTable& table, const std::string& column)
    {
        return std::ranges::find(table.columns, column, &BulkColumn::name)->kind;
    }

    DatabaseConnection& sql_;
};

} // namespace

std::unique_ptr<BulkAccess> make_sqlite_bulk(DatabaseConnection& sql)
{
    return std::make_unique<SqliteBulk>(sql);
}

} // namespace vitrine::server
