#include "server/services/database/bulk_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vitrine::server {

std::unique_ptr<BulkAccess> make_bulk_access(DatabaseConnection& sql)
{
    return sql.get_backend_name() == "sqlite3" ? make_sqlite_bulk(sql) : make_postgres_bulk(sql);
}

std::string column_list(const BulkTable& table)
{
    std::string list;
    for (const auto& column : table.columns)
        list.append(list.empty() ? "" : ", ").append(column.name);
    return list;
}

std::string select_rows(const BulkTable& table, const std::vector<std::string>& marks)
{
    const auto key = fmt::format("{}", fmt::join(table.key, ", "));
    const auto begin =
        marks.empty() ? std::string() : fmt::format(" WHERE ({}) > ({})", key, fmt::join(marks, ", "));
    return fmt::format("SELECT {} FROM {}{} ORDER BY {}", column_list(table), table.name, begin, key);
}

std::string real_text(double value)
{
    return fmt::format("{}", value);
}

} // namespace vitrine::server
