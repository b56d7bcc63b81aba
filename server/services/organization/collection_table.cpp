#include "server/services/organization/collection_table.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/json_text.hpp"
#include "loaders/base/utf8.hpp"
#include "server/services/access/link_removal.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/organization/collection_rows.hpp"
#include "server/services/organization/field_rows.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr const char* tree =
    "WITH RECURSIVE below (id, depth) AS (SELECT id, 1 FROM collections WHERE id = :root UNION ALL "
    "SELECT k.id, b.depth + 1 FROM collections k JOIN below b ON k.parent = b.id) ";

std::string parent_of(DatabaseConnection& sql, const std::string& id)
{
    std::string parent;
    sql << "SELECT parent FROM collections WHERE id = :id", into(parent), use(id);
    return parent;
}

// Of the collection and what is below it.
long long height_of(DatabaseConnection& sql, const std::string& id)
{
    long long height = 0;
    sql << std::string(tree) + "SELECT MAX(depth) FROM below", into(height), use(id);
    return height;
}

// Whether a collection with `height` levels, which has this id if it exists, may be below `parent`.
Result<void> check_parent(DatabaseConnection& sql, const std::string& id, const std::string& parent,
                          long long height)
{
    if (parent.empty()) return {};
    if (!has_collection(sql, parent)) return no_collection(parent);
    auto depth = static_cast<std::size_t>(height);
    for (auto above = parent; !above.empty(); above = parent_of(sql, above)) {
        if (above == id)
            return make_error(Errc::invalid, "collection_cycle", "a collection cannot be below itself");
        if (++depth > CollectionTable::max_depth)
            return make_error(Errc::invalid, "too_deep",
                              fmt::format("collections have at most {} levels", CollectionTable::max_depth));
    }
    return {};
}

Result<void> check_name(DatabaseConnection& sql, const Collection& wanted)
{
    const auto key = name_key(wanted.name);
    long long count = 0;
    sql << "SELECT COUNT(*) FROM collections WHERE parent = :parent AND name_key = :key AND id <> :id",
        into(count), use(wanted.parent), use(key), use(wanted.id);
    if (count == 0) return {};
    return make_error(Errc::conflict, "collection_exists",
                      fmt::format("there is a collection '{}' in this place", wanted.name));
}

Result<void> check_cover(DatabaseConnection& sql, const std::string& cover)
{
    long long count = 0;
    sql << "SELECT COUNT(*) FROM assets WHERE id = :id", into(count), use(cover);
    if (cover.empty() || (count > 0 && is_visible_asset(sql, cover))) return {};
    return no_asset(cover);
}

Result<void> check_room(DatabaseConnection& sql)
{
    long long count = 0;
    sql << "SELECT COUNT(*) FROM collections", into(count);
    if (count < static_cast<long long>(CollectionTable::max_collections)) return {};
    return make_error(
        Errc::conflict, "too_many_collections",
        fmt::format("a library must have at most {} collections", CollectionTable::max_collections));
}

Result<void> check_all(DatabaseConnection& sql, const Collection& wanted, const Collection* before)
{
    if (!before)
        if (auto room = check_room(sql); !room) return room;
    if (!before || before->parent != wanted.parent)
        if (auto parent = check_parent(sql, wanted.id, wanted.parent, before ? height_of(sql, wanted.id) : 1);
            !parent)
            return parent;
    if (before && before->parent != wanted.parent)
        if (auto fields = check_moved_fields(sql, wanted.id, wanted.parent); !fields) return fields;
    if (!before || before->cover != wanted.cover)
        if (auto cover = check_cover(sql, wanted.cover); !cover) return cover;
    return check_name(sql, wanted);
}

// Assets with values of fields of these collections, or of one above them.
std::set<std::string> assets_above(DatabaseConnection& sql, const std::vector<std::string>& collections)
{
    std::set<std::string> assets;
    for (const auto& collection : collections) {
        Binds binds;
        assets.merge(assets_with_values(sql, "f.collection " + is_above(binds.add(collection)), binds));
    }
    return assets;
}

Collection changed(Collection row, const CollectionChange& change)
{
    row.name = change.name.value_or(row.name);
    row.description = change.description.value_or(row.description);
    row.parent = change.parent.value_or(row.parent);
    row.cover = change.cover.value_or(row.cover);
    return row;
}

} // namespace

std::string Collection::etag() const
{
    return fmt::format("\"c{}-{}\"", revision, assets);
}

std::string collection_name_fault(std::string_view name)
{
    const bool has_control =
        std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
    if (name.empty() || name.size() > max_name_bytes || has_control || !is_utf8(name))
        return fmt::format("must be 1 to {} bytes of UTF-8 without control characters", max_name_bytes);
    return {};
}

Result<CollectionPage> CollectionTable::list(const CollectionQuery& query) const
{
    const auto limit = std::clamp<std::size_t>(query.limit, 1, 1000);
    return database_.read([&](DatabaseConnection& sql) -> Result<CollectionPage> {
        const auto begin = find_place(sql, query.cursor);
        if (!begin) return make_error(Errc::invalid, "bad_cursor", "the cursor does not belong to this list");
        Binds binds;
        const auto place = binds.add(begin->position);
        auto where = fmt::format("WHERE (c.position, c.id) > ({}, {})", place, binds.add(begin->id)) +
                     and_visible_collection("c.id");
        if (query.parent)
            where += " AND " + visible_collection_or_empty("c.parent") + " = " + binds.add(*query.parent);
        if (!query.asset.empty())
            where += " AND c.id IN (SELECT m.collection FROM collection_assets m WHERE m.asset = " +
                     binds.add(query.asset) + ")";
        CollectionPage page{fetch_collections(
            sql, fmt::format("{} ORDER BY c.position, c.id LIMIT {}", where, limit + 1), binds)};
        for (auto& collection : page.items)
            hide_surroundings(sql, collection);
        if (page.items.size() > limit) {
            page.items.pop_back();
            page.next = cursor_after(sql, page.items.back().id);
        }
        return page;
    });
}

Result<Collection> CollectionTable::find(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) -> Result<Collection> {
        auto found = find_collection_row(sql, id);
        if (!found || !is_visible_collection(sql, id)) return no_collection(id);
        hide_surroundings(sql, *found);
        return std::move(*found);
    });
}

Result<Collection> CollectionTable::create(const Collection& wanted)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Collection> {
        lock_collections(sql);
        auto row = wanted;
        row.id = new_id("collection");
        if (auto valid = check_all(sql, row, nullptr); !valid) return std::unexpected(valid.error());
        const auto key = name_key(row.name);
        const long long instant = now();
        const auto position = next_position(sql, row.parent);
        sql << "INSERT INTO collections (id, name, name_key, description, parent, cover, created, updated, "
               "revision, position) VALUES (:id, :name, :key, :description, :parent, :cover, :created, "
               ":updated, 0, :position)",
            use(row.id), use(row.name), use(key), use(row.description), use(row.parent), use(row.cover),
            use(instant), use(instant), use(position);
        return publish_collection(sql, row.id, "collection.created");
    });
}

Result<Collection> CollectionTable::change(const std::string& id, const CollectionChange& change)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Collection> {
        auto before = find_collection_to_change(sql, id, change.if_match);
        if (!before) return before;
        const auto row = changed(*before, change);
        if (auto valid = check_all(sql, row, &*before); !valid) return std::unexpected(valid.error());
        const auto key = name_key(row.name);
        if (change.position || row.parent != before->parent) put_among_siblings(sql, id, row.parent, change);
        sql << "UPDATE collections SET name = :name, name_key = :key, description = :description, "
               "parent = :parent, cover = :cover WHERE id = :id",
            use(row.name), use(key), use(row.description), use(row.parent), use(row.cover), use(id);
        if (row.parent != before->parent) {
            refresh_field_values(sql, assets_above(sql, {id, row.parent, before->parent}));
            note_membership(sql);
        }
        return publish_collection(sql, id, "collection.updated");
    });
}

Result<void> CollectionTable::remove(const std::string& id, const std::string& if_match,
                                     bool with_descendants)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        const auto before = find_collection_to_change(sql, id, if_match);
        if (!before) return std::unexpected(before.error());
        std::string row;
        std::vector<std::string> removed;
        {
            PreparedStatement rows =
                (sql.prepare << std::string(tree) + "SELECT id FROM below", into(row), use(id));
            for (rows.execute(); rows.fetch();)
                removed.push_back(row);
        }
        if (removed.size() > 1 && !with_descendants)
            return make_error(Errc::conflict, "collection_not_empty",
                              "there are collections below it; `descendants` deletes them too");
        const auto concerned = assets_above(sql, removed);
        for (const auto& one : removed) {
            remove_fields(sql, one);
            sql << "DELETE FROM collection_assets WHERE collection = :id", use(one);
            sql << "DELETE FROM collection_grants WHERE collection = :id", use(one);
            sql << "DELETE FROM group_grants WHERE collection = :id", use(one);
            sql << "DELETE FROM collections WHERE id = :id", use(one);
            remove_links_of(sql, {.collection = one});
            record_audit(sql, "collection.delete", one, one == id ? before->name : "");
        }
        refresh_field_values(sql, concerned);
        note_membership(sql);
        for (const auto& one : removed)
            record_event(sql, "collection.deleted",
                         api::to_text(boost::json::object{{"collection", {{"id", one}}}}));
        return {};
    });
}

} // namespace vitrine::server
