#include "server/services/libraries/library_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/libraries/library_select.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::string join_patterns(const std::vector<std::string>& patterns)
{
    return fmt::format("{}", fmt::join(patterns, "\n"));
}

std::unexpected<ServiceError> no_library(const std::string& id)
{
    return std::unexpected(ServiceError{Errc::not_found, "no_library", id, "There is no such library."});
}

Result<Library> find_library_row(DatabaseConnection& sql, const std::string& id, std::string_view lock = {})
{
    auto found = fetch_libraries(sql, fmt::format("WHERE id = :id AND state <> 'removing'{}", lock), &id);
    if (found.empty()) return no_library(id);
    return std::move(found.front());
}

Result<void> check_new(const std::vector<Library>& others, const NewLibrary& wanted)
{
    if (static_cast<long long>(others.size()) >= max_libraries)
        return make_error(Errc::conflict, "too_many_libraries",
                          fmt::format("There are {} libraries already; remove some.", max_libraries));
    for (const auto& other : others)
        if (is_below(other.path, wanted.path) || is_below(wanted.path, other.path))
            return make_error(Errc::conflict, "library_exists",
                              other.state == LibraryState::removing
                                  ? fmt::format("A library of {} is being removed.", other.path)
                                  : fmt::format("{} is a library of {}.", other.id, other.path));
    return {};
}

void insert_library(DatabaseConnection& sql, const Library& made)
{
    const auto include = join_patterns(made.include), ignored = join_patterns(made.ignored);
    const long long time = made.created;
    sql << "INSERT INTO libraries (id, name, path, include, ignored, state, created, created_by, requested) "
           "VALUES (:id, :name, :path, :include, :ignored, 'waiting', :created, :by, :requested)",
        use(made.id), use(made.name), use(made.path), use(include), use(ignored), use(time),
        use(made.created_by), use(time);
}

void apply(const LibraryChange& change, Library& library)
{
    library.name = change.name.value_or(library.name);
    library.include = change.include.value_or(library.include);
    library.ignored = change.ignored.value_or(library.ignored);
    if (!change.paused || *change.paused == (library.state == LibraryState::paused)) return;
    if (*change.paused)
        library.state = LibraryState::paused;
    else
        library.state = library.scanned == 0 ? LibraryState::waiting : LibraryState::ready;
}

void update_library(DatabaseConnection& sql, const Library& library)
{
    const auto include = join_patterns(library.include), ignored = join_patterns(library.ignored);
    const std::string state(to_string(library.state));
    sql << "UPDATE libraries SET name = :name, include = :include, ignored = :ignored, state = :state "
           "WHERE id = :id",
        use(library.name), use(include), use(ignored), use(state), use(library.id);
}

void require_scan(DatabaseConnection& sql, const std::string& id)
{
    sql << "UPDATE libraries SET requested = now_micros() WHERE id = :id", use(id);
    send_signal(sql, libraries_topic);
}

} // namespace

bool is_below(const std::string& folder, const std::string& path)
{
    if (folder == "/") return path.starts_with('/');
    return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

bool is_below_roots(const LibraryOptions& options, const std::string& path)
{
    return std::ranges::any_of(options.roots,
                               [&](const auto& root) { return is_below(root.native(), path); });
}

Result<Library> LibraryTable::create(const NewLibrary& wanted) const
{
    Library made{wanted};
    made.id = new_id("library");
    return database_.write([&](DatabaseConnection& sql) -> Result<Library> {
        sql.dialect.lock_briefly(sql, "vitrine.libraries");
        const auto others = fetch_libraries(sql, "");
        if (const auto check = check_new(others, wanted); !check) return std::unexpected(check.error());
        long long time = 0;
        sql << "SELECT now_micros()", into(time);
        made.created = time;
        insert_library(sql, made);
        record_audit(sql, "library.create", made.id, made.path);
        send_signal(sql, libraries_topic);
        return made;
    });
}

std::vector<Library> LibraryTable::list() const
{
    return database_.read([](DatabaseConnection& sql) {
        return fetch_libraries(sql, "WHERE state <> 'removing' ORDER BY id");
    });
}

Result<Library> LibraryTable::find(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) { return find_library_row(sql, id); });
}

Result<Library> LibraryTable::change(const std::string& id, const LibraryChange& change) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Library> {
        auto library = find_library_row(sql, id, sql.dialect.words().lock_row);
        if (!library) return library;
        const auto before = *library;
        apply(change, *library);
        update_library(sql, *library);
        const bool has_other_patterns =
            library->include != before.include || library->ignored != before.ignored;
        const bool resumes = before.state == LibraryState::paused && library->state != before.state;
        if (has_other_patterns || resumes) require_scan(sql, id);
        record_audit(sql, "library.change", id, library->path);
        return library;
    });
}

Result<Library> LibraryTable::request_scan(const std::string& id) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Library> {
        auto library = find_library_row(sql, id);
        if (!library) return library;
        if (library->state == LibraryState::paused)
            return make_error(Errc::conflict, "library_paused",
                              "The library is paused; end the pause first.");
        require_scan(sql, id);
        return library;
    });
}

Result<void> LibraryTable::remove(const std::string& id) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        const auto library = find_library_row(sql, id, sql.dialect.words().lock_row);
        if (!library) return std::unexpected(library.error());
        // A running scan loses its claim.
        sql << "UPDATE libraries SET state = 'removing', claims = claims + 1, lease_until = 0 WHERE id = :id",
            use(id);
        record_audit(sql, "library.remove", id, library->path);
        send_signal(sql, libraries_topic);
        return {};
    });
}

} // namespace vitrine::server
