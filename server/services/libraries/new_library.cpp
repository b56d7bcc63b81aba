// What may become a library.

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"
#include "server/services/libraries/library_table.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {
namespace {

std::unexpected<ServiceError> not_allowed(std::string detail)
{
    return make_error(Errc::unprocessable, "path_not_allowed", std::move(detail));
}

} // namespace

Result<NewLibrary> check_new_library(NewLibrary wanted, const LibraryOptions& options)
{
    if (options.roots.empty())
        return not_allowed("This server has no --library-root, so it can have no libraries. Start it with "
                           "--library-root and a folder above those that may become libraries.");
    const fs::path given(wanted.path);
    if (!given.is_absolute()) return not_allowed("The path must be absolute, on the server's machine.");
    std::error_code error;
    const auto path = fs::canonical(given, error).native();
    // The same answer for all others: it does not say what else the machine has.
    if (error || !is_below_roots(options, path) || !is_utf8(path) || !fs::is_directory(path, error))
        return not_allowed(
            fmt::format("{} is no folder below a --library-root of this server.", given.native()));
    if (!options.data.empty() && (is_below(path, options.data) || is_below(options.data, path)))
        return not_allowed(fmt::format("{} has the server's own data in it.", path));
    wanted.path = path;
    if (wanted.name.empty())
        wanted.name = truncate_utf8(fs::path(path).filename().native(), max_library_name);
    return wanted;
}

} // namespace vitrine::server
