#include "server/services/organization/tag_table.hpp"

#include <algorithm>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "loaders/base/utf8.hpp"
#include "server/services/catalog/catalog_impl.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr const char* count_assets = "(SELECT COUNT(*) FROM asset_tags g JOIN assets a ON a.id = g.asset "
                                     "WHERE g.tag = t.tag AND a.deleted = 0)";

std::string line_of(const std::string& name)
{
    return api::join_tags({name});
}

// Replaces the line of a tag in the copies that assets and the search have. `which`: a condition on the id of
// an asset. Assets come first: an import that has locked one writes its row of the search before this does.
void replace_line(DatabaseConnection& sql, const std::string& before, const std::string& after,
                  const std::string& which, const std::string& key)
{
    const long long instant = now();
    sql << "UPDATE assets SET tags = replace(tags, :before, :after), revision = revision + 1, "
           "updated = :now WHERE id " +
               which,
        use(before), use(after), use(instant), use(key);
    sql << "UPDATE asset_search SET tags = replace(tags, :before, :after) WHERE rowid IN "
           "(SELECT seq FROM assets WHERE id " +
               which + ")",
        use(before), use(after), use(key);
}

// Empty: there is no such tag.
std::string find_spelling(DatabaseConnection& sql, const std::string& key)
{
    std::string name;
    sql << "SELECT name FROM tags WHERE tag = :key", into(name), use(key);
    return sql.got_data() ? name : std::string();
}

std::unexpected<ServiceError> no_tag(const std::string& name)
{
    return make_error(Errc::not_found, "no_tag", fmt::format("there is no tag '{}'", name));
}

void record_change(DatabaseConnection& sql, const std::string& before, const boost::json::value& after)
{
    const boost::json::object tag{{"name", before}, {"newName", after}};
    record_event(sql, "tag.changed", api::to_text(boost::json::object{{"tag", tag}}));
}

LibraryTag read_tag(DatabaseConnection& sql, const std::string& key)
{
    LibraryTag tag;
    long long count = 0;
    sql << fmt::format("SELECT t.name, {} FROM tags t WHERE t.tag = :key", count_assets), into(tag.name),
        into(count), use(key);
    tag.assets = static_cast<std::uint64_t>(count);
    return tag;
}

// Of assets that have both tags, the copy loses the first one.
void give_other_tag(DatabaseConnection& sql, const std::string& key, const std::string& name,
                    const std::string& to_key, const std::string& to)
{
    const std::string both = "IN (SELECT g.asset FROM asset_tags g JOIN asset_tags h ON h.asset = g.asset "
                             "WHERE g.tag = :key AND h.tag = :other)";
    const long long instant = now();
    const auto line = line_of(name);
    sql << "UPDATE assets SET tags = replace(tags, :line, ''), revision = revision + 1, updated = :now "
           "WHERE id " +
               both,
        use(line), use(instant), use(key), use(to_key);
    sql << "UPDATE asset_search SET tags = replace(tags, :line, '') WHERE rowid IN "
           "(SELECT seq FROM assets WHERE id " +
               both + ")",
        use(line), use(key), use(to_key);
    sql << "DELETE FROM asset_tags WHERE tag = :key AND asset IN "
           "(SELECT asset FROM asset_tags WHERE tag = :other)",
        use(key), use(to_key);
    replace_line(sql, line, line_of(to), "IN (SELECT asset FROM asset_tags WHERE tag = :key)", key);
    sql << "UPDATE asset_tags SET tag = :other WHERE tag = :key", use(to_key), use(key);
}

} // namespace

std::string tag_fault(std::string_view name)
{
    const bool has_control =
        std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
    if (name.empty() || name.size() > max_tag_bytes || has_control || !is_utf8(name) || name.front() == ' ' ||
        name.back() == ' ')
        return fmt::format("must be 1 to {} bytes of UTF-8 without control characters, and without white "
                           "space at its begin and end",
                           max_tag_bytes);
    return {};
}

Result<TagPage> TagTable::list(const std::string& prefix, std::size_t limit, const std::string& cursor) const
{
    if (!cursor.empty() && !tag_fault(cursor).empty())
        return make_error(Errc::invalid, "bad_cursor", "the cursor does not belong to this list");
    const auto begin = name_key(prefix);
    const auto after = name_key(cursor);
    const auto wanted = static_cast<long long>(std::clamp<std::size_t>(limit, 1, 1000)) + 1;
    return database_.read([&](DatabaseConnection& sql) -> Result<TagPage> {
        std::string key;
        LibraryTag tag;
        long long count = 0;
        TagPage page;
        soci::statement rows =
            (sql.prepare << fmt::format("SELECT t.tag, t.name, {} FROM tags t WHERE t.tag >= :begin AND "
                                        "t.tag > :after ORDER BY t.tag LIMIT :limit",
                                        count_assets),
             into(key), into(tag.name), into(count), use(begin), use(after), use(wanted));
        for (rows.execute(); rows.fetch();) {
            tag.assets = static_cast<std::uint64_t>(count);
            if (key.starts_with(begin)) page.items.push_back(tag);
        }
        if (page.items.size() == static_cast<std::size_t>(wanted)) {
            page.items.pop_back();
            page.next = page.items.back().name;
        }
        return page;
    });
}

Result<LibraryTag> TagTable::rename(const std::string& from, const std::string& to, bool merge)
{
    const auto key = name_key(from), to_key = name_key(to);
    return database_.write([&](DatabaseConnection& sql) -> Result<LibraryTag> {
        lock_tags(sql);
        const auto name = find_spelling(sql, key);
        if (name.empty()) return no_tag(from);
        const auto known = to_key == key ? std::string() : find_spelling(sql, to_key);
        if (!known.empty() && !merge)
            return make_error(Errc::conflict, "tag_exists",
                              fmt::format("there is a tag '{}'; `merge` makes them one", known));
        const auto spelled = known.empty() ? to : known;
        if (spelled == name) return read_tag(sql, key);
        if (to_key == key) {
            replace_line(sql, line_of(name), line_of(to),
                         "IN (SELECT asset FROM asset_tags WHERE tag = :key)", key);
            sql << "UPDATE tags SET name = :name WHERE tag = :key", use(to), use(key);
        } else {
            if (known.empty())
                sql << "INSERT INTO tags (tag, name) VALUES (:key, :name)", use(to_key), use(to);
            give_other_tag(sql, key, name, to_key, spelled);
            sql << "DELETE FROM tags WHERE tag = :key", use(key);
        }
        record_words(sql, spelled, {});
        auto tag = read_tag(sql, to_key);
        record_change(sql, name, boost::json::value(spelled));
        return tag;
    });
}

Result<void> TagTable::remove(const std::string& tag)
{
    const auto key = name_key(tag);
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        lock_tags(sql);
        const auto name = find_spelling(sql, key);
        if (name.empty()) return no_tag(tag);
        replace_line(sql, line_of(name), {}, "IN (SELECT asset FROM asset_tags WHERE tag = :key)", key);
        sql << "DELETE FROM asset_tags WHERE tag = :key", use(key);
        sql << "DELETE FROM tags WHERE tag = :key", use(key);
        record_change(sql, name, nullptr);
        return {};
    });
}

} // namespace vitrine::server
