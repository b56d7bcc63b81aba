#include "server/services/organization/collection_rows.hpp"

#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/resources.hpp"
#include "server/services/database/binds.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

boost::json::value id_or_null(const std::string& id)
{
    return id.empty() ? boost::json::value(nullptr) : boost::json::value(id);
}

} // namespace

void lock_collections(DatabaseConnection& sql)
{
    sql.dialect.lock_briefly(sql, "vitrine.collections");
}

std::vector<Collection> fetch_collections(DatabaseConnection& sql, const std::string& rest, Binds& binds)
{
    Collection row;
    long long assets = 0, created = 0, updated = 0, revision = 0;
    soci::statement rows(sql);
    for (auto* text : {&row.id, &row.name, &row.description, &row.parent, &row.cover})
        rows.exchange(into(*text));
    for (auto* number : {&assets, &created, &updated, &revision})
        rows.exchange(into(*number));
    binds.attach(rows);
    rows.alloc();
    rows.prepare("SELECT c.id, c.name, c.description, c.parent, c.cover, (SELECT COUNT(*) FROM "
                 "collection_assets m JOIN assets a ON a.id = m.asset WHERE m.collection = c.id AND "
                 "a.deleted = 0), c.created, c.updated, c.revision FROM collections c " +
                 rest);
    rows.define_and_bind();
    std::vector<Collection> found;
    for (rows.execute(); rows.fetch();) {
        row.assets = static_cast<std::uint64_t>(assets);
        row.created = created;
        row.updated = updated;
        row.revision = revision;
        found.push_back(row);
    }
    return found;
}

std::optional<Collection> find_collection_row(DatabaseConnection& sql, const std::string& id)
{
    Binds binds;
    auto found = fetch_collections(sql, "WHERE c.id = " + binds.add(id), binds);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

bool has_collection(DatabaseConnection& sql, const std::string& id)
{
    std::string found;
    sql << "SELECT id FROM collections WHERE id = :id", into(found), use(id);
    return sql.got_data();
}

std::unexpected<ServiceError> no_collection(const std::string& id)
{
    return make_error(Errc::not_found, "no_collection", fmt::format("there is no collection '{}'", id));
}

Result<Collection> find_collection_to_change(DatabaseConnection& sql, const std::string& id,
                                             const std::string& if_match)
{
    lock_collections(sql);
    auto found = find_collection_row(sql, id);
    if (!found) return no_collection(id);
    if (!if_match.empty() && if_match != found->etag())
        return make_error(Errc::precondition_failed, "edit_conflict",
                          fmt::format("the collection's revision is {}, not {}", found->etag(), if_match));
    return std::move(*found);
}

void hide_surroundings(DatabaseConnection& sql, Collection& collection)
{
    if (sees_everything()) return;
    if (!is_visible_collection(sql, collection.parent)) collection.parent.clear();
    if (!is_visible_asset(sql, collection.cover)) collection.cover.clear();
}

// Responses that are stored are outdated by changes of assets only. Without an asset every such list is
// empty.
void note_membership(DatabaseConnection& sql)
{
    sql << "UPDATE assets SET upload = upload WHERE seq = (SELECT MIN(seq) FROM assets)";
}

std::string noted_asset(DatabaseConnection& sql)
{
    std::string id;
    sql << "SELECT id FROM assets WHERE seq = (SELECT MIN(seq) FROM assets)", into(id);
    return id;
}

Collection publish_collection(DatabaseConnection& sql, const std::string& id, std::string_view event)
{
    const long long instant = now();
    sql << "UPDATE collections SET revision = revision + 1, updated = :now WHERE id = :id", use(instant),
        use(id);
    auto row = *find_collection_row(sql, id);
    record_event(sql, event, api::to_text(boost::json::object{{"collection", to_json(row)}}));
    hide_surroundings(sql, row);
    return row;
}

boost::json::object to_json(const Collection& collection)
{
    return {{"id", collection.id},
            {"name", collection.name},
            {"description", collection.description},
            {"parent", id_or_null(collection.parent)},
            {"cover", id_or_null(collection.cover)},
            {"assets", collection.assets},
            {"createdAt", api::to_rfc3339(collection.created)},
            {"updatedAt", api::to_rfc3339(collection.updated)},
            {"etag", collection.etag()}};
}

long long next_position(DatabaseConnection& sql, const std::string& parent)
{
    long long position = 0;
    sql << "SELECT COALESCE(MAX(position), -1) + 1 FROM collections WHERE parent = :parent", into(position),
        use(parent);
    return position;
}

} // namespace vitrine::server
