#include "server/database_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "server/services/database/dialect.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view sqlite_scheme = "sqlite:";

} // namespace

void declare_database(CLI::App& app, std::string& location)
{
    app.add_option("--database", location,
                   "Database of the catalog: sqlite:PATH, or postgresql://USER:PASSWORD@HOST/NAME; default: "
                   "a file of SQLite in the data folder")
        ->envname("VITRINE_DATABASE");
}

fs::path sqlite_file(const fs::path& path)
{
    constexpr std::array<std::string_view, 3> extensions{".sqlite", ".sqlite3", ".db"};
    std::error_code error;
    auto whole = whole_path(path);
    const bool is_named_so = std::ranges::find(extensions, whole.extension().native()) != extensions.end();
    if (fs::is_regular_file(whole, error) || (is_named_so && !fs::is_directory(whole, error))) return whole;
    return whole / catalog_file;
}

std::expected<std::string, std::string> database_location(const std::string& text)
{
    if (text.empty() || is_postgres(text)) return text;
    const auto path = std::string_view(text).substr(std::min(sqlite_scheme.size(), text.size()));
    if (!text.starts_with(sqlite_scheme) || path.empty() || path.starts_with("//"))
        return std::unexpected(
            "--database must be sqlite:PATH or postgresql://USER:PASSWORD@HOST/NAME; a path of SQLite has no "
            "//host");
    return sqlite_file(path).native();
}

} // namespace vitrine::server
