// Tags of an asset: rows of asset_tags, a copy in its own row, which its JSON is made from, and one in its
// row of asset_search, after the names that the file has.

#include <map>

#include <fmt/format.h>

#include "server/services/catalog/catalog_impl.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

// The spelling that the library has of the tag; that of `name` if the tag is new.
std::string spelling_of(DatabaseConnection& sql, const std::string& key, const std::string& name)
{
    std::string known;
    sql << "SELECT name FROM tags WHERE tag = :key", into(known), use(key);
    if (sql.got_data()) return known;
    sql << "INSERT INTO tags (tag, name) VALUES (:key, :name)", use(key), use(name);
    return name;
}

} // namespace

void lock_tags(DatabaseConnection& sql)
{
    sql.dialect.lock_briefly(sql, "vitrine.tags");
}

Result<bool> set_tags(DatabaseConnection& sql, const AssetRecord& asset,
                      const std::vector<std::string>& names)
{
    std::map<std::string, std::string> tags; // by key
    for (const auto& name : names)
        tags.emplace(name_key(name), name);
    if (tags.size() > max_asset_tags)
        return make_error(Errc::invalid, "too_many_tags",
                          fmt::format("an asset must have at most {} tags", max_asset_tags));
    std::vector<std::string> spelled;
    for (const auto& [key, name] : tags)
        spelled.push_back(spelling_of(sql, key, name));
    const auto text = api::join_tags(spelled);
    if (text == asset.tags) return false;
    sql << "DELETE FROM asset_tags WHERE asset = :asset", use(asset.id);
    for (const auto& [key, name] : tags)
        sql << "INSERT INTO asset_tags (tag, asset) VALUES (:key, :asset)", use(key), use(asset.id);
    sql << "UPDATE assets SET tags = :tags WHERE id = :id", use(text), use(asset.id);
    sql << "UPDATE asset_search SET tags = substr(tags, 1, length(tags) - length(CAST(:old AS TEXT))) || "
           "CAST(:new AS TEXT) WHERE rowid = (SELECT seq FROM assets WHERE id = :id)",
        use(asset.tags), use(text), use(asset.id);
    for (const auto& before : api::split_tags(asset.tags))
        if (!tags.contains(name_key(before))) remove_unused_tag(sql, name_key(before));
    std::string words;
    for (const auto& name : spelled)
        words.append(name).append("\n");
    record_words(sql, words, {});
    return true;
}

void remove_unused_tag(DatabaseConnection& sql, const std::string& key)
{
    sql << "DELETE FROM tags WHERE tag = :key AND NOT EXISTS "
           "(SELECT 1 FROM asset_tags WHERE asset_tags.tag = tags.tag)",
        use(key);
}

} // namespace vitrine::server
