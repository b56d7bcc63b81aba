// Members of collections. Stored positions ascend, with gaps where members were removed; those of the API
// count the members before.

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "server/services/catalog/rows.hpp"
#include "server/services/organization/collection_rows.hpp"
#include "server/services/organization/field_rows.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::size_t rows_per_insert = 200; // values of a statement are limited

// Without repetitions, in the order of their first places.
std::vector<std::string> unique_ids(const std::vector<std::string>& ids)
{
    std::set<std::string_view> seen;
    std::vector<std::string> unique;
    for (const auto& id : ids)
        if (seen.insert(id).second) unique.push_back(id);
    return unique;
}

// Errors: not_found.
Result<void> check_assets(DatabaseConnection& sql, const std::vector<std::string>& ids)
{
    std::string id;
    long long deleted = 0;
    PreparedStatement find =
        (sql.prepare << "SELECT deleted FROM assets WHERE id = :id", into(deleted), use(id));
    for (const auto& asset : ids) {
        id = asset;
        deleted = 0;
        if (!find.execute(true) || !is_visible_asset(sql, asset)) return no_asset(asset);
        if (deleted != 0)
            return make_error(Errc::not_found, "asset_in_trash",
                              fmt::format("the asset '{}' is in the trash", asset));
    }
    return {};
}

void insert_rows(DatabaseConnection& sql, const std::string& collection,
                 const std::vector<std::string>& assets, long long position)
{
    for (std::size_t at = 0; at < assets.size(); at += rows_per_insert) {
        Binds binds;
        std::string text = "INSERT INTO collection_assets (collection, asset, position) VALUES ";
        const auto end = std::min(at + rows_per_insert, assets.size());
        for (auto i = at; i < end; ++i, ++position)
            text += fmt::format("{}({}, {}, {})", i == at ? "" : ", ", binds.add(collection),
                                binds.add(assets[i]), binds.add(position));
        soci::statement insert(sql);
        binds.attach(insert);
        insert.alloc();
        insert.prepare(text);
        insert.define_and_bind();
        insert.execute(true);
    }
}

void write_members(DatabaseConnection& sql, const std::string& collection,
                   const std::vector<std::string>& assets)
{
    sql << "DELETE FROM collection_assets WHERE collection = :id", use(collection);
    insert_rows(sql, collection, assets, 0);
}

Result<void> check_size(std::size_t members)
{
    if (members <= CollectionTable::max_members) return {};
    return make_error(Errc::too_large, "limit_exceeded",
                      fmt::format("a collection must have at most {} assets", CollectionTable::max_members));
}

// Those that are no members yet, at the end.
Result<void> append_rows(DatabaseConnection& sql, const std::string& collection,
                         std::vector<std::string> assets)
{
    std::erase_if(assets, [&](const std::string& asset) {
        long long count = 0;
        sql << "SELECT COUNT(*) FROM collection_assets WHERE collection = :id AND asset = :asset",
            into(count), use(collection), use(asset);
        return count > 0;
    });
    long long members = 0, next = 0;
    sql << "SELECT COUNT(*), COALESCE(MAX(position), -1) + 1 FROM collection_assets WHERE collection = :id",
        into(members), into(next), use(collection);
    if (auto fits = check_size(static_cast<std::size_t>(members) + assets.size()); !fits) return fits;
    insert_rows(sql, collection, assets, next);
    return {};
}

struct MemberRow {
    std::string asset;
    long long position = 0; // as stored
    long long number = 0;   // of members before it
};

std::vector<MemberRow> fetch_members(DatabaseConnection& sql, const std::string& id, long long after,
                                     std::size_t limit)
{
    MemberRow row;
    const auto count = static_cast<long long>(limit);
    std::vector<MemberRow> members;
    PreparedStatement rows =
        (sql.prepare << "SELECT n.asset, n.position, n.number FROM (SELECT m.asset, m.position, "
                        "ROW_NUMBER() OVER (ORDER BY m.position) - 1 AS number FROM collection_assets m "
                        "WHERE m.collection = :id) AS n JOIN assets a ON a.id = n.asset "
                        "WHERE n.position > :after AND a.deleted = 0 ORDER BY n.position LIMIT :limit",
         into(row.asset), into(row.position), into(row.number), use(id), use(after), use(count));
    for (rows.execute(); rows.fetch();)
        members.push_back(row);
    return members;
}

// Empty optional: it is no cursor.
std::optional<long long> parse_position(const std::string& cursor)
{
    long long position = -1;
    if (cursor.empty()) return position;
    const auto* const end = cursor.data() + cursor.size();
    const auto [rest, error] = std::from_chars(cursor.data(), end, position);
    return error == std::errc{} && rest == end && position >= 0 ? std::optional(position) : std::nullopt;
}

// The members in their order. `which`: a condition on the asset `a`.
std::vector<std::string> select_members(DatabaseConnection& sql, const std::string& collection,
                                        const std::string& which)
{
    std::string id;
    std::vector<std::string> ids;
    PreparedStatement rows =
        (sql.prepare << "SELECT m.asset FROM collection_assets m JOIN assets a ON a.id = m.asset WHERE " +
                            which + " AND m.collection = :id ORDER BY m.position",
         into(id), use(collection));
    for (rows.execute(); rows.fetch();)
        ids.push_back(id);
    return ids;
}

// They keep their places after the others until they are restored or purged.
std::vector<std::string> trashed_members(DatabaseConnection& sql, const std::string& collection)
{
    return select_members(sql, collection, "a.deleted > 0");
}

} // namespace

Result<void> insert_member_rows(DatabaseConnection& sql, const std::string& collection,
                                const MemberChange& change)
{
    auto added = unique_ids(change.assets);
    if (auto valid = check_assets(sql, added); !valid) return valid;
    if (!change.position) return append_rows(sql, collection, std::move(added));
    auto members = select_members(sql, collection, "a.deleted >= 0");
    const std::set<std::string> moved(added.begin(), added.end());
    std::erase_if(members, [&](const std::string& id) { return moved.contains(id); });
    if (auto fits = check_size(members.size() + added.size()); !fits) return fits;
    const auto at = std::min<std::uint64_t>(*change.position, members.size());
    members.insert(members.begin() + static_cast<std::ptrdiff_t>(at), added.begin(), added.end());
    write_members(sql, collection, members);
    return {};
}

void remove_member_rows(DatabaseConnection& sql, const std::string& collection,
                        const std::vector<std::string>& assets)
{
    for (const auto& asset : assets)
        sql << "DELETE FROM collection_assets WHERE collection = :id AND asset = :asset", use(collection),
            use(asset);
}

Result<MemberPage> CollectionTable::members(const std::string& id, std::size_t limit,
                                            const std::string& cursor) const
{
    const auto after = parse_position(cursor);
    if (!after) return make_error(Errc::invalid, "bad_cursor", "the cursor does not belong to this list");
    limit = std::clamp<std::size_t>(limit, 1, 500);
    return database_.read([&](DatabaseConnection& sql) -> Result<MemberPage> {
        if (!has_collection(sql, id)) return no_collection(id);
        MemberPage page;
        auto rows = fetch_members(sql, id, *after, limit + 1);
        if (rows.size() > limit) {
            rows.pop_back();
            page.next = std::to_string(rows.back().position);
        }
        for (const auto& row : rows)
            if (auto asset = find_asset_row(sql, row.asset))
                page.items.push_back({static_cast<std::uint64_t>(row.number), std::move(*asset)});
        return page;
    });
}

Result<Collection> CollectionTable::insert_members(const std::string& id, const MemberChange& change)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Collection> {
        auto found = find_collection_to_change(sql, id, change.if_match);
        if (!found) return found;
        if (auto added = insert_member_rows(sql, id, change); !added) return std::unexpected(added.error());
        refresh_field_values(sql, {change.assets.begin(), change.assets.end()});
        note_membership(sql);
        return publish_collection(sql, id, "collection.updated");
    });
}

Result<Collection> CollectionTable::replace_members(const std::string& id, const MemberChange& change)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Collection> {
        auto found = find_collection_to_change(sql, id, change.if_match);
        if (!found) return found;
        auto members = unique_ids(change.assets);
        if (auto valid = check_assets(sql, members); !valid) return std::unexpected(valid.error());
        for (auto& trashed : trashed_members(sql, id))
            members.push_back(std::move(trashed));
        if (auto fits = check_size(members.size()); !fits) return std::unexpected(fits.error());
        const auto before = select_members(sql, id, "a.deleted >= 0");
        write_members(sql, id, members);
        members.insert(members.end(), before.begin(), before.end());
        refresh_field_values(sql, {members.begin(), members.end()});
        note_membership(sql);
        return publish_collection(sql, id, "collection.updated");
    });
}

Result<Collection> CollectionTable::remove_members(const std::string& id, const MemberChange& change)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<Collection> {
        auto found = find_collection_to_change(sql, id, change.if_match);
        if (!found) return found;
        remove_member_rows(sql, id, change.assets);
        refresh_field_values(sql, {change.assets.begin(), change.assets.end()});
        note_membership(sql);
        return publish_collection(sql, id, "collection.updated");
    });
}

} // namespace vitrine::server
