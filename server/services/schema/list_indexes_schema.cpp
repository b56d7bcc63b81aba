#include <fmt/format.h>

#include "server/services/schema/schema.hpp"

namespace vitrine::server {

// An index of each filter of lists, for filters that few assets match: which one is read is decided by the
// catalog (list_plan.cpp). Those of texts have the default order. `deleted`: as in those of the sort orders.
std::vector<std::string> list_indexes_migration(const Dialect& dialect)
{
    std::vector<std::string> statements;
    const auto add = [&](std::string_view name, const std::string& columns) {
        statements.push_back(fmt::format(
            "CREATE INDEX assets_with_{} ON assets ({}, seq, deleted) WHERE deleted = 0", name, columns));
    };
    for (const std::string column :
         {"file_bytes", "extent", "longest", "shortest", "fastest", "slowest", "clip_flags", "warnings",
          "missing_images", "updated", "joints", "clips"})
        add(column, column);
    for (const std::string column : {"creator", "format", "status"})
        add(column, column + ", created");
    for (const std::string column : {"shown_license", "shown_author"})
        add(column, fmt::format("lower({}{}), created", column, dialect.words().ascii_case));
    return statements;
}

} // namespace vitrine::server
