#pragma once
// Whole tables as streams of rows, for moves between databases: many times faster than statements of single
// rows. Used by the thread of its connection. Throws StorageError and soci::soci_error.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/database/database_connection.hpp"

namespace vitrine::server {

enum class ColumnKind : std::uint8_t { integer, real, text };

struct BulkColumn {
    std::string name;
    ColumnKind kind = ColumnKind::text;

    bool operator==(const BulkColumn&) const = default;
};

struct BulkTable {
    std::string name;
    std::vector<std::string> key; // columns of an unique index
    std::vector<BulkColumn> columns;
};

// The values of a row in the order of BulkTable::columns, valid until the next row; empty: NULL. Numbers are
// the shortest text that reads back exactly, the same on all databases.
using BulkRow = std::span<const std::optional<std::string_view>>;

// Appends rows to a table. Destroyed without finish(), what it has written is not kept.
class BulkWriter {
public:
    virtual ~BulkWriter() = default;
    virtual void write(BulkRow row) = 0;
    virtual void finish() = 0;
};

class BulkAccess {
public:
    virtual ~BulkAccess() = default;
    virtual std::vector<std::string> tables() = 0; // of the catalog, sorted
    // In the order of their names; empty: there is no such table.
    virtual std::vector<BulkColumn> columns(const std::string& table) = 0;
    // Visits the rows in the order of their key, which is that of the database; with `after` (the values of a
    // key) those behind it.
    virtual void read(const BulkTable& table, const std::vector<std::string>& after,
                      const std::function<void(BulkRow)>& visit) = 0;
    // Within a transaction of the connection, which nothing else uses until finish().
    virtual std::unique_ptr<BulkWriter> write(const BulkTable& table) = 0;
    // The last number that the database has given to a row of the table; 0: none.
    virtual long long last_number(const std::string& table, const std::string& column) = 0;
    virtual void set_last_number(const std::string& table, const std::string& column, long long number) = 0;
    // Connections of other Vitrine processes to this database, as far as it shows them; SQLite: 0.
    virtual long long other_connections() = 0;
    // After many rows were written: what plans of queries are made from.
    virtual void analyze() = 0;
};

std::unique_ptr<BulkAccess> make_bulk_access(DatabaseConnection& sql);

// Of the two databases.
std::unique_ptr<BulkAccess> make_sqlite_bulk(DatabaseConnection& sql);
std::unique_ptr<BulkAccess> make_postgres_bulk(DatabaseConnection& sql);

// "a, b, c"
std::string column_list(const BulkTable& table);
// "SELECT ... FROM table WHERE (key) > (...) ORDER BY key"; `marks`: placeholders of the key's values, empty:
// all rows.
std::string select_rows(const BulkTable& table, const std::vector<std::string>& marks);
// The shortest text that reads back exactly.
std::string real_text(double value);

} // namespace vitrine::server
