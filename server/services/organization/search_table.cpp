#include "server/services/organization/search_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "api/resources.hpp"
#include "server/services/database/binds.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/util/clock.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::vector<SavedSearch> fetch_searches(DatabaseConnection& sql, const std::string& rest, Binds& binds)
{
    SavedSearch row;
    long long shared = 0, created = 0, updated = 0, revision = 0;
    soci::statement rows(sql);
    for (auto* text : {&row.id, &row.name, &row.query, &row.owner})
        rows.exchange(into(*text));
    for (auto* number : {&shared, &created, &updated, &revision})
        rows.exchange(into(*number));
    binds.attach(rows);
    rows.alloc();
    rows.prepare("SELECT id, name, query, owner, shared, created, updated, revision FROM saved_searches " +
                 rest);
    rows.define_and_bind();
    std::vector<SavedSearch> found;
    for (rows.execute(); rows.fetch();) {
        row.is_shared = shared != 0;
        row.created = created;
        row.updated = updated;
        row.revision = revision;
        found.push_back(row);
    }
    return found;
}

std::string seen_by(const std::string& principal, Binds& binds)
{
    return std::string(sees_everything() ? "(shared = 1 OR owner = " : "(owner = ") + binds.add(principal) +
           ")";
}

Result<SavedSearch> find_search_row(DatabaseConnection& sql, const std::string& id,
                                    const std::string& principal)
{
    Binds binds;
    const auto key = binds.add(id);
    auto found =
        fetch_searches(sql, fmt::format("WHERE id = {} AND {}", key, seen_by(principal, binds)), binds);
    if (found.empty())
        return make_error(Errc::not_found, "no_search", fmt::format("there is no search '{}'", id));
    return std::move(found.front());
}

Result<SavedSearch> find_search_to_change(DatabaseConnection& sql, const std::string& id,
                                          const std::string& if_match, const std::string& principal,
                                          bool changes_all)
{
    sql.dialect.lock_briefly(sql, "vitrine.searches");
    auto found = find_search_row(sql, id, principal);
    if (!found) return found;
    if (found->owner != principal && !changes_all)
        return make_error(Errc::conflict, "search_of_other", "a shared search is changed by its owner");
    if (!if_match.empty() && if_match != found->etag())
        return make_error(Errc::precondition_failed, "edit_conflict",
                          fmt::format("the search's revision is {}, not {}", found->etag(), if_match));
    return found;
}

} // namespace

std::string SavedSearch::etag() const
{
    return fmt::format("\"s{}\"", revision);
}

Result<SearchPage> SearchTable::list(const std::string& principal, std::size_t limit,
                                     const std::string& cursor) const
{
    if (!cursor.empty() && !cursor.starts_with("search_"))
        return make_error(Errc::invalid, "bad_cursor", "the cursor does not belong to this list");
    limit = std::clamp<std::size_t>(limit, 1, 1000);
    return database_.read([&](DatabaseConnection& sql) {
        Binds binds;
        const auto after = binds.add(cursor);
        SearchPage page{fetch_searches(sql,
                                       fmt::format("WHERE id > {} AND {} ORDER BY id LIMIT {}", after,
                                                   seen_by(principal, binds), limit + 1),
                                       binds)};
        if (page.items.size() > limit) {
            page.items.pop_back();
            page.next = page.items.back().id;
        }
        return Result<SearchPage>(std::move(page));
    });
}

Result<SavedSearch> SearchTable::find(const std::string& id, const std::string& principal) const
{
    return database_.read([&](DatabaseConnection& sql) { return find_search_row(sql, id, principal); });
}

Result<SavedSearch> SearchTable::create(const SavedSearch& wanted)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<SavedSearch> {
        sql.dialect.lock_briefly(sql, "vitrine.searches");
        long long count = 0;
        sql << "SELECT COUNT(*) FROM saved_searches WHERE owner = :owner", into(count), use(wanted.owner);
        if (count >= static_cast<long long>(max_searches))
            return make_error(Errc::conflict, "too_many_searches",
                              fmt::format("a user must have at most {} searches", max_searches));
        const auto id = new_id("search");
        const long long instant = now(), shared = wanted.is_shared ? 1 : 0;
        sql << "INSERT INTO saved_searches (id, name, query, owner, shared, created, updated, revision) "
               "VALUES (:id, :name, :query, :owner, :shared, :created, :updated, 1)",
            use(id), use(wanted.name), use(wanted.query), use(wanted.owner), use(shared), use(instant),
            use(instant);
        return find_search_row(sql, id, wanted.owner);
    });
}

Result<SavedSearch> SearchTable::change(const std::string& id, const SearchChange& change,
                                        const std::string& principal, bool changes_all)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<SavedSearch> {
        const auto row = find_search_to_change(sql, id, change.if_match, principal, changes_all);
        if (!row) return row;
        const auto name = change.name.value_or(row->name), query = change.query.value_or(row->query);
        const long long shared = change.shared.value_or(row->is_shared) ? 1 : 0, instant = now();
        sql << "UPDATE saved_searches SET name = :name, query = :query, shared = :shared, updated = :now, "
               "revision = revision + 1 WHERE id = :id",
            use(name), use(query), use(shared), use(instant), use(id);
        return find_search_row(sql, id, row->owner);
    });
}

Result<void> SearchTable::remove(const std::string& id, const std::string& if_match,
                                 const std::string& principal, bool changes_all)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        const auto row = find_search_to_change(sql, id, if_match, principal, changes_all);
        if (!row) return std::unexpected(row.error());
        sql << "DELETE FROM saved_searches WHERE id = :id", use(id);
        return {};
    });
}

boost::json::object to_json(const SavedSearch& search, const std::string& principal)
{
    return {{"id", search.id},
            {"name", search.name},
            {"query", search.query},
            {"shared", search.is_shared},
            {"own", search.owner == principal},
            {"owner", search.owner},
            {"createdAt", api::to_rfc3339(search.created)},
            {"updatedAt", api::to_rfc3339(search.updated)},
            {"etag", search.etag()}};
}

} // namespace vitrine::server
