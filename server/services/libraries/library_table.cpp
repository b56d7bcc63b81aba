#include "server/services/libraries/library_table.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::array<std::string_view, 5> state_words{"waiting", "scanning", "ready", "unavailable",
                                                      "removing"};
constexpr long long second = 1'000'000; // microseconds

constexpr std::string_view select_libraries =
    "SELECT id, name, path, include, ignored, state, problem, created, created_by, scanned, duration_ms, "
    "files, models, skipped, waiting FROM libraries ";

LibraryState parse_library_state(std::string_view word)
{
    const auto found = std::ranges::find(state_words, word);
    return found == state_words.end() ? LibraryState::waiting
                                      : static_cast<LibraryState>(found - state_words.begin());
}

std::vector<std::string> split_patterns(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string join_patterns(const std::vector<std::string>& patterns)
{
    return fmt::format("{}", fmt::join(patterns, "\n"));
}

std::unexpected<ServiceError> no_library(const std::string& id)
{
    return std::unexpected(ServiceError{Errc::not_found, "no_library", id, "There is no such library."});
}

// Columns of select_libraries.
struct LibraryRow {
    std::string id, name, path, include, ignored, state, problem, created_by;
    std::array<long long, 7> numbers{};

    void read_from(soci::statement& statement)
    {
        for (auto* text : {&id, &name, &path, &include, &ignored, &state, &problem})
            statement.exchange(into(*text));
        statement.exchange(into(numbers[0]));
        statement.exchange(into(created_by));
        for (auto& number : std::span(numbers).subspan(1))
            statement.exchange(into(number));
    }

    Library library() const
    {
        Library row{{name, path, split_patterns(include), split_patterns(ignored), created_by}};
        row.id = id;
        row.state = parse_library_state(state);
        row.problem = problem;
        row.created = numbers[0];
        row.scanned = numbers[1];
        row.duration_ms = numbers[2];
        row.files = numbers[3];
        row.models = numbers[4];
        row.skipped = numbers[5];
        row.waiting = numbers[6];
        return row;
    }
};

// `end`: of the statement, with at most one value :id.
std::vector<Library> fetch_libraries(DatabaseConnection& sql, std::string_view end, const std::string* id)
{
    LibraryRow row;
    std::vector<Library> libraries;
    soci::statement select(sql);
    row.read_from(select);
    if (id != nullptr) select.exchange(use(*id));
    select.alloc();
    select.prepare(std::string(select_libraries) + std::string(end));
    select.define_and_bind();
    for (select.execute(); select.fetch();)
        libraries.push_back(row.library());
    return libraries;
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

// The due ones of all processes, removals first, then those that wait longest.
std::vector<Library> fetch_due(DatabaseConnection& sql)
{
    return fetch_libraries(sql,
                           "WHERE lease_until < now_micros() AND (state = 'removing' OR requested > started "
                           "OR (state <> 'waiting' AND next_scan < now_micros())) "
                           "ORDER BY CASE WHEN state = 'removing' THEN 0 ELSE 1 END, started, id",
                           nullptr);
}

} // namespace

std::string_view to_string(LibraryState state)
{
    return state_words[static_cast<std::size_t>(state)];
}

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
        const auto others = fetch_libraries(sql, "", nullptr);
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
        return fetch_libraries(sql, "WHERE state <> 'removing' ORDER BY id", nullptr);
    });
}

Result<Library> LibraryTable::find(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) { return find_library_row(sql, id); });
}

Result<Library> LibraryTable::request_scan(const std::string& id) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Library> {
        sql << "UPDATE libraries SET requested = now_micros() WHERE id = :id AND state <> 'removing'",
            use(id);
        send_signal(sql, libraries_topic);
        return find_library_row(sql, id);
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

std::optional<LibraryClaim> LibraryTable::claim(const LibraryOptions& options) const
{
    return database_.write([&](DatabaseConnection& sql) -> std::optional<LibraryClaim> {
        for (const auto& due : fetch_due(sql)) {
            const bool removes = due.state == LibraryState::removing;
            if (!removes && !is_below_roots(options, due.path)) continue;
            long long claim = 0;
            sql << fmt::format("SELECT claims FROM libraries WHERE id = :id AND lease_until < now_micros(){}",
                               sql.dialect.words().skip_locked),
                into(claim), use(due.id);
            if (!sql.got_data()) continue; // another process was faster
            const long long micros = std::chrono::microseconds(lease).count();
            sql << "UPDATE libraries SET claims = claims + 1, lease_until = now_micros() + :lease, "
                   "started = now_micros(), waiting = 0, next_scan = 0, "
                   "state = CASE WHEN state = 'removing' THEN state ELSE 'scanning' END WHERE id = :id",
                use(micros), use(due.id);
            return LibraryClaim{due, claim + 1};
        }
        return std::nullopt;
    });
}

bool LibraryTable::renew(const LibraryClaim& claim, std::int64_t waiting) const
{
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        const long long micros = std::chrono::microseconds(lease).count(), number = claim.claim,
                        files = waiting;
        long long held = 0;
        sql << "UPDATE libraries SET lease_until = now_micros() + :lease, waiting = :waiting "
               "WHERE id = :id AND claims = :claim",
            use(micros), use(files), use(claim.library.id), use(number);
        sql << "SELECT COUNT(*) FROM libraries WHERE id = :id AND claims = :claim", into(held),
            use(claim.library.id), use(number);
        return held > 0;
    });
}

void LibraryTable::finish(const LibraryClaim& claim, const ScanOutcome& outcome) const
{
    database_.write([&](DatabaseConnection& sql) {
        const std::string state(to_string(outcome.state));
        const long long number = claim.claim, pause = outcome.pause_s * second;
        const long long duration = outcome.duration_ms, files = outcome.files, models = outcome.models,
                        skipped = outcome.skipped;
        sql << "UPDATE libraries SET state = :state, problem = :problem, scanned = now_micros(), "
               "duration_ms = :duration, files = :files, models = :models, skipped = :skipped, waiting = 0, "
               "next_scan = now_micros() + :pause, lease_until = 0 WHERE id = :id AND claims = :claim",
            use(state), use(outcome.problem), use(duration), use(files), use(models), use(skipped),
            use(pause), use(claim.library.id), use(number);
    });
}

void LibraryTable::release(const LibraryClaim& claim) const
{
    database_.write([&](DatabaseConnection& sql) {
        const long long number = claim.claim;
        sql << "UPDATE libraries SET lease_until = 0, requested = now_micros() WHERE id = :id AND claims = "
               ":claim",
            use(claim.library.id), use(number);
    });
}

void LibraryTable::forget(const LibraryClaim& claim) const
{
    database_.write([&](DatabaseConnection& sql) {
        sql << "DELETE FROM libraries WHERE id = :id AND state = 'removing'", use(claim.library.id);
    });
}

} // namespace vitrine::server
