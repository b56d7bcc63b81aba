#include "server/services/organization/tag_table.hpp"

#include <algorithm>
#include <utility>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "loaders/base/utf8.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::size_t assets_per_tag_change = 500; // in one transaction

// Of a row `t` of tags.
std::string count_assets()
{
    return "(SELECT COUNT(*) FROM asset_tags g JOIN assets a ON a.id = g.asset WHERE g.tag = t.tag AND "
           "a.deleted = 0" +
           and_visible_asset("a.id") + ")";
}

// A tag that only assets have that are not visible does not exist.
std::string and_visible_tag()
{
    if (sees_everything()) return {};
    return " AND EXISTS (SELECT 1 FROM asset_tags h WHERE h.tag = t.tag" + and_visible_asset("h.asset") + ")";
}

std::string line_of(const std::string& name)
{
    return api::join_tags({name});
}

// Some of the assets that have a tag, from the first to the last of them in the order of the database.
struct TaggedRange {
    std::string key; // of the tag
    std::string first, last;
    bool is_end = true; // there are no others
};

// In asset_tags, with three values.
constexpr const char* in_range = "tag = :key AND asset >= :first AND asset <= :last";

// Locks those that a transaction changes, in ascending order. `condition`: on a row `a` of assets, with the
// value `line`.
TaggedRange lock_range(DatabaseConnection& sql, const std::string& key, const std::string& condition,
                       const std::string& line)
{
    TaggedRange range{.key = key};
    std::string id;
    std::vector<std::string> ids;
    PreparedStatement rows =
        (sql.prepare << fmt::format("SELECT g.asset FROM asset_tags g JOIN assets a ON a.id = g.asset "
                                    "WHERE g.tag = :key AND {} ORDER BY g.asset LIMIT {}",
                                    condition, assets_per_tag_change),
         into(id), use(key), use(line));
    for (rows.execute(); rows.fetch();)
        ids.push_back(id);
    if (ids.empty()) return range;
    range.first = ids.front();
    range.last = ids.back();
    range.is_end = ids.size() < assets_per_tag_change;
    std::ranges::sort(ids);
    for (const auto& asset : ids)
        lock_asset(sql, asset);
    return range;
}

// Replaces the line of a tag in the copies that assets of the range and the search have. `others`: a
// condition on rows of asset_tags, with the value `other`. Assets come first: an import that has locked one
// writes its row of the search before this does.
void replace_line(DatabaseConnection& sql, const std::string& before, const std::string& after,
                  const TaggedRange& range, const std::string& others, const std::string& other)
{
    const long long instant = now();
    const auto which = fmt::format("IN (SELECT asset FROM asset_tags WHERE {} AND {})", in_range, others);
    sql << "UPDATE assets SET tags = replace(tags, :before, :after), revision = revision + 1, "
           "updated = :now WHERE id " +
               which,
        use(before), use(after), use(instant), use(range.key), use(range.first), use(range.last), use(other);
    sql << "UPDATE asset_search SET tags = replace(tags, :before, :after) WHERE rowid IN "
           "(SELECT seq FROM assets WHERE id " +
               which + ")",
        use(before), use(after), use(range.key), use(range.first), use(range.last), use(other);
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
    record_audit(sql, after.is_null() ? "tag.delete" : "tag.rename", before);
    record_event(sql, "tag.changed", api::to_text(boost::json::object{{"tag", tag}}));
}

LibraryTag read_tag(DatabaseConnection& sql, const std::string& key)
{
    LibraryTag tag;
    long long count = 0;
    sql << fmt::format("SELECT t.name, {} FROM tags t WHERE t.tag = :key", count_assets()), into(tag.name),
        into(count), use(key);
    tag.assets = static_cast<std::uint64_t>(count);
    return tag;
}

// A change of a tag over all assets, in transactions that each do a part of it. What a fault has interrupted
// is continued by the same request.
class TagChange {
public:
    // `to`: empty: the tag is removed.
    TagChange(std::string from, std::string to, bool merge)
        : from_(std::move(from)), to_(std::move(to)), key_(name_key(from_)), to_key_(name_key(to_)),
          merge_(merge)
    {
    }

    // One transaction. Returns whether it was the last one.
    Result<bool> run(DatabaseConnection& sql, bool is_first)
    {
        lock_tags(sql);
        auto name = find_spelling(sql, key_);
        if (name.empty() && is_first) return no_tag(from_);
        if (name.empty()) name = from_; // the last assets that had it have lost it meanwhile
        const auto known = to_key_ == key_ || to_.empty() ? std::string() : find_spelling(sql, to_key_);
        if (!known.empty() && is_first && !merge_)
            return make_error(Errc::conflict, "tag_exists",
                              fmt::format("there is a tag '{}'; `merge` makes them one", known));
        spelled_ = known.empty() ? to_ : known;
        if (spelled_ == name) return true;
        if (!change_some(sql, name, known.empty())) return false;
        finish(sql, name);
        return true;
    }

    LibraryTag result(DatabaseConnection& sql) const { return read_tag(sql, to_key_); }

private:
    // Returns whether no other asset is left.
    bool change_some(DatabaseConnection& sql, const std::string& name, bool is_new)
    {
        const auto line = line_of(name);
        const auto to_line = spelled_.empty() ? std::string() : line_of(spelled_);
        if (to_key_ == key_) {
            const auto range = lock_range(sql, key_, "replace(a.tags, :line, '') <> a.tags", line);
            replace_line(sql, line, to_line, range, "tag <> :other", {});
            return range.is_end;
        }
        const auto range = lock_range(sql, key_, "a.id <> :line", {});
        if (to_.empty()) {
            replace_line(sql, line, {}, range, "tag <> :other", {});
        } else {
            if (is_new) sql << "INSERT INTO tags (tag, name) VALUES (:key, :name)", use(to_key_), use(to_);
            give_other_tag(sql, range, line, to_line);
        }
        sql << fmt::format("DELETE FROM asset_tags WHERE {}", in_range), use(key_), use(range.first),
            use(range.last);
        return range.is_end;
    }

    // Of assets that have both tags, the copy loses the first one.
    void give_other_tag(DatabaseConnection& sql, const TaggedRange& range, const std::string& line,
                        const std::string& to_line) const
    {
        const std::string both = "asset IN (SELECT asset FROM asset_tags WHERE tag = :other)";
        replace_line(sql, line, {}, range, both, to_key_);
        sql << fmt::format("DELETE FROM asset_tags WHERE {} AND {}", in_range, both), use(key_),
            use(range.first), use(range.last), use(to_key_);
        replace_line(sql, line, to_line, range, "tag <> :other", {});
        sql << fmt::format("UPDATE asset_tags SET tag = :other WHERE {}", in_range), use(to_key_), use(key_),
            use(range.first), use(range.last);
    }

    void finish(DatabaseConnection& sql, const std::string& name) const
    {
        if (to_key_ == key_)
            sql << "UPDATE tags SET name = :name WHERE tag = :key", use(to_), use(key_);
        else
            sql << "DELETE FROM tags WHERE tag = :key", use(key_);
        if (!to_.empty()) record_words(sql, spelled_, {});
        record_change(sql, name, to_.empty() ? boost::json::value(nullptr) : boost::json::value(spelled_));
    }

    const std::string from_, to_, key_, to_key_;
    const bool merge_;
    std::string spelled_; // the name that assets have afterwards
};

// Returns the tag that assets have afterwards.
Result<LibraryTag> run_all(DatabaseConnections& database, TagChange change)
{
    LibraryTag tag;
    for (bool is_first = true;; is_first = false) {
        const auto done = database.write([&](DatabaseConnection& sql) {
            auto ended = change.run(sql, is_first);
            if (ended && *ended) tag = change.result(sql);
            return ended;
        });
        if (!done) return std::unexpected(done.error());
        if (*done) return tag;
    }
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
        PreparedStatement rows =
            (sql.prepare << fmt::format("SELECT t.tag, t.name, {} FROM tags t WHERE t.tag >= :begin AND "
                                        "t.tag > :after{} ORDER BY t.tag LIMIT :limit",
                                        count_assets(), and_visible_tag()),
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
    return run_all(database_, TagChange(from, to, merge));
}

Result<void> TagTable::remove(const std::string& tag)
{
    const auto removed = run_all(database_, TagChange(tag, {}, false));
    if (!removed) return std::unexpected(removed.error());
    return {};
}

} // namespace vitrine::server
