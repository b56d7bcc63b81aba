#pragma once
// The tables of the catalog: those that a move between databases copies, and those that it leaves. A test
// fails when a table of the schema is in neither list.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

struct MovedTable {
    std::string_view name;
    std::vector<std::string> key;   // columns of an unique index, by which the rows are read
    std::string_view numbered = {}; // column whose ascending numbers the database gives
};

// In the order in which they are written: a row stands behind those that it refers to.
std::span<const MovedTable> moved_tables();
std::span<const std::string_view> unmoved_tables();

// Exists in the target while a move is not finished: what was copied of each table.
inline constexpr std::string_view progress_table = "move_progress";

} // namespace vitrine::server
