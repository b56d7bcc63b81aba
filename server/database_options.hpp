#pragma once
// The option --database, which `serve`, `doctor` and `token` share, and the forms of locations that `migrate`
// takes too.

#include <expected>
#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace vitrine::server {

// Adds --database; `location` must outlive the parsing.
void declare_database(CLI::App& app, std::string& location);
// The location of make_dialect(): of "sqlite:PATH" the absolute path of its file, of postgres://... and
// postgresql://... the same text. Empty: empty, the file of the data folder. The error is one sentence.
std::expected<std::string, std::string> database_location(const std::string& text);
// The file of SQLite at PATH: itself if it is a file or its name ends in .sqlite, .sqlite3 or .db, otherwise
// the catalog of the folder.
std::filesystem::path sqlite_file(const std::filesystem::path& path);

} // namespace vitrine::server
