// Streams of rows of PostgreSQL: results row by row, and COPY
// (https://www.postgresql.org/docs/15/libpq-copy.html, .../sql-copy.html for the text format).

#include <charconv>
#include <cstring>
#include <exception>

#include <fmt/format.h>
#include <soci/postgresql/soci-postgresql.h>

#include "loaders/base/utf8.hpp"
#include "server/services/database/bulk_access.hpp"
#include "server/services/database/postgres_listener.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t copy_buffer_bytes = 256 << 10;

struct ClearResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using PostgresResult = std::unique_ptr<PGresult, ClearResult>;

[[noreturn]] void throw_error(const PGresult* result, const PGconn* handle)
{
    using enum StorageError::Kind;
    const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char* const text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (state == nullptr) throw StorageError(unavailable, fmt::format("catalog: {}", PQerrorMessage(handle)));
    auto kind = failed;
    if (std::strcmp(state, "53100") == 0) kind = full;
    if (std::strcmp(state, "25006") == 0) kind = read_only;
    throw StorageError(kind, fmt::format("catalog: {}", text != nullptr ? text : state));
}

// The text format of COPY. PostgreSQL keeps neither other encodings nor the character 0.
void append_field(const BulkTable& table, const BulkColumn& column, std::string_view value, std::string& line)
{
    if (column.kind == ColumnKind::text && (value.contains('\0') || !is_utf8(value)))
        throw StorageError(StorageError::Kind::failed,
                           fmt::format("a row of {} has text in {} that PostgreSQL does not keep (not UTF-8, "
                                       "or the character 0)",
                                       table.name, column.name));
    for (const char c : value) {
        switch (c) {
        case '\\': line += "\\\\"; break;
        case '\n': line += "\\n"; break;
        case '\r': line += "\\r"; break;
        case '\t': line += "\\t"; break;
        default: line += c;
        }
    }
}

class PostgresBulkWriter final : public BulkWriter {
public:
    PostgresBulkWriter(DatabaseConnection& sql, const BulkTable& table)
        : handle_(postgres_handle(sql)), table_(table)
    {
        const auto text = fmt::format("COPY {} ({}) FROM STDIN", table.name, column_list(table));
        const PostgresResult result(PQexec(handle_, text.c_str()));
        if (PQresultStatus(result.get()) != PGRES_COPY_IN) throw_error(result.get(), handle_);
        open_ = true;
    }
    ~PostgresBulkWriter() override
    {
        if (!open_) return;
        try {
            PQputCopyEnd(handle_, "not finished");
            while (auto* const result = PQgetResult(handle_))
                PQclear(result);
        } catch (const std::exception&) { // the library is gone: the connection is too
        }
    }
    PostgresBulkWriter(const PostgresBulkWriter&) = delete;
    PostgresBulkWriter& operator=(const PostgresBulkWriter&) = delete;

    void write(BulkRow row) override
    {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) lines_ += '\t';
            if (row[i])
                append_field(table_, table_.columns[i], *row[i], lines_);
            else
                lines_ += "\\N";
        }
        lines_ += '\n';
        if (lines_.size() >= copy_buffer_bytes) send();
    }

    void finish() override
    {
        send();
        open_ = false;
        if (PQputCopyEnd(handle_, nullptr) != 1)
            throw StorageError(StorageError::Kind::unavailable,
                               fmt::format("catalog: {}", PQerrorMessage(handle_)));
        PostgresResult first(PQgetResult(handle_));
        while (auto* const result = PQgetResult(handle_))
            PQclear(result);
        if (PQresultStatus(first.get()) != PGRES_COMMAND_OK) throw_error(first.get(), handle_);
    }

private:
    void send()
    {
        if (!lines_.empty() && PQputCopyData(handle_, lines_.data(), static_cast<int>(lines_.size())) != 1)
            throw StorageError(StorageError::Kind::unavailable,
                               fmt::format("catalog: {}", PQerrorMessage(handle_)));
        lines_.clear();
    }

    pg_conn* handle_;
    const BulkTable table_;
    std::string lines_;
    bool open_ = false;
};

class PostgresBulk final : public BulkAccess {
public:
    explicit PostgresBulk(DatabaseConnection& sql) : sql_(sql) {}

    std::vector<std::string> tables() override
    {
        return names("SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema() "
                     "ORDER BY tablename COLLATE \"C\"");
    }

    std::vector<BulkColumn> columns(const std::string& table) override
    {
        std::vector<BulkColumn> all;
        std::string name, type;
        PreparedStatement select =
            (sql_.prepare << "SELECT CAST(column_name AS TEXT), CAST(data_type AS TEXT) FROM "
                             "information_schema.columns WHERE table_schema = current_schema() AND "
                             "table_name = :table ORDER BY column_name COLLATE \"C\"",
             soci::into(name), soci::into(type), soci::use(table));
        for (select.execute(); select.fetch();) {
            auto kind = ColumnKind::text;
            if (type.contains("int")) kind = ColumnKind::integer;
            if (type.contains("double") || type == "real") kind = ColumnKind::real;
            all.push_back({name, kind});
        }
        return all;
    }

    void read(const BulkTable& table, const std::vector<std::string>& after,
              const std::function<void(BulkRow)>& visit) override
    {
        std::vector<std::string> marks;
        std::vector<const char*> values;
        for (const auto& value : after) {
            marks.push_back(fmt::format("${}", marks.size() + 1));
            values.push_back(value.c_str());
        }
        auto* const handle = postgres_handle(sql_);
        if (PQsendQueryParams(handle, select_rows(table, marks).c_str(), static_cast<int>(values.size()),
                              nullptr, values.data(), nullptr, nullptr, 0) != 1)
            throw_error(nullptr, handle);
        PQsetSingleRowMode(handle);
        while (const PostgresResult result{PQgetResult(handle)}) {
            const auto status = PQresultStatus(result.get());
            if (status == PGRES_SINGLE_TUPLE)
                visit_row(table, result.get(), visit);
            else if (status != PGRES_TUPLES_OK)
                throw_error(result.get(), handle);
        }
    }

    std::unique_ptr<BulkWriter> write(const BulkTable& table) override
    {
        return std::make_unique<PostgresBulkWriter>(sql_, table);
    }

    long long last_number(const std::string& table, const std::string& column) override
    {
        long long number = 0;
        sql_ << "SELECT COALESCE(pg_sequence_last_value(CAST(pg_get_serial_sequence(:table, :column) AS "
                "regclass)), 0)",
            soci::into(number), soci::use(table), soci::use(column);
        return number;
    }

    void set_last_number(const std::string& table, const std::string& column, long long number) override
    {
        long long ignored = 0;
        sql_ << "SELECT setval(CAST(pg_get_serial_sequence(:table, :column) AS regclass), :number)",
            soci::into(ignored), soci::use(table), soci::use(column), soci::use(number);
    }

    // The server shows the names of other users' connections to members of pg_monitor alone.
    long long other_connections() override
    {
        long long count = 0;
        sql_ << "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND "
                "application_name LIKE 'vitrine%' AND application_name = "
                "left(split_part(application_name, ' ', 1) || ' ' || current_schema(), 63) AND "
                "application_name <> current_setting('application_name')",
            soci::into(count);
        return count;
    }

    void analyze() override { sql_ << "ANALYZE"; }

private:
    std::vector<std::string> names(const std::string& text)
    {
        std::vector<std::string> all;
        std::string name;
        PreparedStatement select = (sql_.prepare << text, soci::into(name));
        for (select.execute(); select.fetch();)
            all.push_back(name);
        return all;
    }

    void visit_row(const BulkTable& table, const PGresult* row, const std::function<void(BulkRow)>& visit)
    {
        values_.assign(table.columns.size(), std::nullopt);
        reals_.resize(table.columns.size());
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const int at = static_cast<int>(i);
            if (PQgetisnull(row, 0, at) != 0) continue;
            const std::string_view text(PQgetvalue(row, 0, at));
            values_[i] = text;
            if (table.columns[i].kind != ColumnKind::real) continue;
            double number = 0.0;
            std::from_chars(text.data(), text.data() + text.size(), number);
            reals_[i] = real_text(number);
            values_[i] = reals_[i];
        }
        visit(values_);
    }

    DatabaseConnection& sql_;
    std::vector<std::optional<std::string_view>> values_; // of the current row
    std::vector<std::string> reals_;
};

} // namespace

std::unique_ptr<BulkAccess> make_postgres_bulk(DatabaseConnection& sql)
{
    return std::make_unique<PostgresBulk>(sql);
}

} // namespace vitrine::server
