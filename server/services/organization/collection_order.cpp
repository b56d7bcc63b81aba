// The order of the collections of one parent.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "server/services/organization/collection_rows.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

// Without the collection itself, in their order.
std::vector<std::string> siblings_of(DatabaseConnection& sql, const std::string& id,
                                     const std::string& parent, const std::string& which)
{
    std::string sibling;
    std::vector<std::string> siblings;
    PreparedStatement rows =
        (sql.prepare << "SELECT c.id FROM collections c WHERE c.parent = :parent AND c.id <> :id" + which +
                            " ORDER BY c.position, c.id",
         into(sibling), use(parent), use(id));
    for (rows.execute(); rows.fetch();)
        siblings.push_back(sibling);
    return siblings;
}

// The sibling before which it is put; empty: it becomes the last one.
std::string next_sibling(DatabaseConnection& sql, const std::string& id, const std::string& parent,
                         const CollectionChange& change)
{
    if (!change.position) return {};
    const VisibilityScope counted(change.counted);
    const auto siblings = siblings_of(sql, id, parent, and_visible_collection("c.id"));
    return *change.position < siblings.size() ? siblings[*change.position] : std::string();
}

long long position_of(DatabaseConnection& sql, const std::string& id)
{
    long long position = 0;
    sql << "SELECT position FROM collections WHERE id = :id", into(position), use(id);
    return position;
}

} // namespace

void put_among_siblings(DatabaseConnection& sql, const std::string& id, const std::string& parent,
                        const CollectionChange& change)
{
    auto siblings = siblings_of(sql, id, parent, {});
    siblings.insert(std::ranges::find(siblings, next_sibling(sql, id, parent, change)), id);
    for (long long i = 0; i < std::ssize(siblings); ++i)
        sql << "UPDATE collections SET position = :position WHERE id = :id AND position <> :same", use(i),
            use(siblings[static_cast<std::size_t>(i)]), use(i);
}

// "7.collection_...", or the id alone.
std::optional<CollectionPlace> find_place(DatabaseConnection& sql, std::string_view cursor)
{
    if (cursor.empty()) return CollectionPlace{};
    if (!sees_everything()) {
        std::string id(cursor);
        if (!has_collection(sql, id) || !is_visible_collection(sql, id)) return std::nullopt;
        const auto position = position_of(sql, id);
        return CollectionPlace{position, std::move(id)};
    }
    const auto point = std::min(cursor.find('.'), cursor.size());
    const auto position = parse_whole<long long>(cursor.substr(0, point));
    const auto id = cursor.substr(std::min(point + 1, cursor.size()));
    if (!position || *position < 0 || !id.starts_with("collection_")) return std::nullopt;
    return CollectionPlace{*position, std::string(id)};
}

std::string cursor_after(DatabaseConnection& sql, const std::string& id)
{
    return sees_everything() ? fmt::format("{}.{}", position_of(sql, id), id) : id;
}

} // namespace vitrine::server
