#include "server/services/organization/field_rows.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/organization/collection_rows.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::vector<std::string> options_of(const std::string& text)
{
    boost::system::error_code error;
    const auto value = boost::json::parse(text, error);
    if (error) return {};
    const auto options = boost::json::try_value_to<std::vector<std::string>>(value);
    return options ? *options : std::vector<std::string>();
}

// Condition on ids of collections: the asset with this id is in it or below it.
std::string has_asset(const std::string& asset)
{
    return fmt::format(
        "IN (WITH RECURSIVE above (id) AS (SELECT m.collection FROM collection_assets m WHERE m.asset = {} "
        "UNION SELECT c.parent FROM collections c JOIN above u ON c.id = u.id WHERE c.parent <> '') "
        "SELECT id FROM above)",
        asset);
}

void put_copy(DatabaseConnection& sql, const std::string& asset)
{
    boost::json::array shown;
    CollectionField row;
    std::string type, text, before;
    {
        PreparedStatement rows =
            (sql.prepare << "SELECT f.id, f.collection, f.name, f.type, v.text FROM field_values v "
                            "JOIN collection_fields f ON f.id = v.field JOIN collections c ON c.id = "
                            "f.collection WHERE v.asset = :asset AND v.shown = 1 "
                            "ORDER BY c.created, c.id, f.position, f.id",
             into(row.id), into(row.collection), into(row.name), into(type), into(text), use(asset));
        for (rows.execute(); rows.fetch();)
            shown.push_back(
                {{"field", row.id},
                 {"collection", row.collection},
                 {"name", row.name},
                 {"type", type},
                 {"value", field_value_json(find_field_type(type).value_or(FieldType::text), text)}});
    }
    const auto after = shown.empty() ? std::string() : api::to_text(shown);
    sql << "SELECT field_values FROM assets WHERE id = :id", into(before), use(asset);
    if (before == after) return;
    sql << "UPDATE assets SET field_values = :text WHERE id = :id", use(after), use(asset);
    touch_asset(sql, asset);
}

// Or had some when the copy was made.
bool has_values(DatabaseConnection& sql, const std::string& asset)
{
    long long count = 0;
    sql << "SELECT COUNT(*) FROM assets a WHERE a.id = :id AND (a.field_values <> '' OR EXISTS (SELECT 1 "
           "FROM "
           "field_values v WHERE v.asset = a.id))",
        into(count), use(asset);
    return count > 0;
}

std::optional<std::string> find_value(DatabaseConnection& sql, const std::string& asset,
                                      const std::string& field)
{
    std::string text;
    sql << "SELECT text FROM field_values WHERE asset = :asset AND field = :field", into(text), use(asset),
        use(field);
    return sql.got_data() ? std::optional(text) : std::nullopt;
}

// Of those that the asset may have. Errors: as write_field_values().
Result<CollectionField> find_named(const std::vector<AssetField>& fields, const std::string& named)
{
    const CollectionField* found = nullptr;
    for (const auto& [field, value] : fields) {
        if (field.id == named) return field;
        if (name_key(field.name) != name_key(named)) continue;
        if (found)
            return make_error(Errc::conflict, "ambiguous_field",
                              fmt::format("the asset has several fields '{}'; their ids differ", named));
        found = &field;
    }
    if (found) return *found;
    return make_error(Errc::not_found, "no_field",
                      fmt::format("no collection that the asset is in has a field '{}'", named));
}

struct ParsedChange {
    CollectionField field;
    FieldValue value; // empty text: none
};

// Errors: as write_field_values().
Result<ParsedChange> parse_change(const std::vector<AssetField>& fields, const FieldValueChange& change)
{
    auto field = find_named(fields, change.field);
    if (!field) return std::unexpected(field.error());
    if (change.value.is_null()) return ParsedChange{std::move(*field), {}};
    auto value = parse_field_value(*field, change.value);
    if (value) return ParsedChange{std::move(*field), std::move(*value)};
    return make_error(Errc::invalid, "bad_field_value",
                      fmt::format("the field '{}' {}", field->name, value.error()));
}

// Returns whether it is another one.
bool put_value(DatabaseConnection& sql, const std::string& asset, const ParsedChange& change)
{
    const auto& [field, value] = change;
    if (find_value(sql, asset, field.id).value_or("") == value.text) return false;
    const std::string kind(to_string(field.type));
    sql << "DELETE FROM field_values WHERE asset = :asset AND field = :field", use(asset), use(field.id);
    if (!value.text.empty())
        sql << "INSERT INTO field_values (asset, field, kind, text, text_key, number, shown) VALUES "
               "(:asset, :field, :kind, :text, :key, :number, 1)",
            use(asset), use(field.id), use(kind), use(value.text), use(value.key), use(value.number);
    return true;
}

} // namespace

std::string is_above(const std::string& id)
{
    return fmt::format("IN (WITH RECURSIVE above (id) AS (SELECT c.id FROM collections c WHERE c.id = {} "
                       "UNION SELECT k.parent FROM collections k JOIN above u ON k.id = u.id WHERE "
                       "k.parent <> '') SELECT id FROM above)",
                       id);
}

std::string is_below(const std::string& id)
{
    return fmt::format("IN (WITH RECURSIVE below (id) AS (SELECT c.id FROM collections c WHERE c.id = {} "
                       "UNION SELECT k.id FROM collections k JOIN below b ON k.parent = b.id) "
                       "SELECT id FROM below)",
                       id);
}

std::vector<CollectionField> fetch_fields(DatabaseConnection& sql, const std::string& rest, Binds& binds)
{
    CollectionField row;
    std::string type, options;
    long long created = 0, updated = 0, revision = 0;
    soci::statement rows(sql);
    for (auto* text : {&row.id, &row.collection, &row.name, &type, &row.description, &row.unit, &options})
        rows.exchange(into(*text));
    for (auto* number : {&created, &updated, &revision})
        rows.exchange(into(*number));
    binds.attach(rows);
    rows.alloc();
    rows.prepare("SELECT f.id, f.collection, f.name, f.type, f.description, f.unit, f.options, f.created, "
                 "f.updated, f.revision FROM collection_fields f " +
                 rest);
    rows.define_and_bind();
    std::vector<CollectionField> found;
    for (rows.execute(); rows.fetch();) {
        row.type = find_field_type(type).value_or(FieldType::text);
        row.options = options_of(options);
        row.created = created;
        row.updated = updated;
        row.revision = revision;
        found.push_back(row);
    }
    return found;
}

std::vector<AssetField> fetch_asset_fields(DatabaseConnection& sql, const std::string& asset)
{
    Binds binds;
    std::vector<AssetField> found;
    for (auto& field :
         fetch_fields(sql,
                      fmt::format("JOIN collections c ON c.id = f.collection WHERE "
                                  "f.collection {}{} ORDER BY c.created, c.id, f.position, f.id",
                                  has_asset(binds.add(asset)), and_visible_collection("f.collection")),
                      binds))
        found.push_back({.field = std::move(field)});
    for (auto& [field, value] : found)
        value = find_value(sql, asset, field.id);
    return found;
}

Result<bool> write_field_values(DatabaseConnection& sql, const std::string& asset,
                                const std::vector<FieldValueChange>& changes)
{
    const auto fields = fetch_asset_fields(sql, asset);
    std::vector<ParsedChange> parsed; // before the first write: an error does not undo writes
    for (const auto& change : changes) {
        auto value = parse_change(fields, change);
        if (!value) return std::unexpected(value.error());
        parsed.push_back(std::move(*value));
    }
    bool is_changed = false;
    for (const auto& change : parsed)
        is_changed = put_value(sql, asset, change) || is_changed;
    if (is_changed) put_copy(sql, asset);
    return is_changed;
}

std::set<std::string> assets_with_values(DatabaseConnection& sql, const std::string& condition, Binds& binds)
{
    std::set<std::string> found;
    std::string asset;
    soci::statement rows(sql);
    rows.exchange(into(asset));
    binds.attach(rows);
    rows.alloc();
    rows.prepare("SELECT DISTINCT v.asset FROM field_values v JOIN collection_fields f ON f.id = v.field "
                 "WHERE " +
                 condition);
    rows.define_and_bind();
    for (rows.execute(); rows.fetch();)
        found.insert(asset);
    return found;
}

void lock_assets(DatabaseConnection& sql, std::set<std::string> assets)
{
    assets.insert(noted_asset(sql));
    for (const auto& asset : assets)
        lock_asset(sql, asset);
}

void refresh_field_values(DatabaseConnection& sql, const std::set<std::string>& assets)
{
    std::set<std::string> concerned;
    for (const auto& asset : assets)
        if (has_values(sql, asset)) concerned.insert(asset);
    if (concerned.empty()) return;
    lock_assets(sql, concerned);
    for (const auto& asset : concerned) {
        sql << fmt::format("UPDATE field_values SET shown = CASE WHEN field IN (SELECT f.id FROM "
                           "collection_fields f WHERE f.collection {}) THEN 1 ELSE 0 END "
                           "WHERE asset = :asset",
                           has_asset(":member")),
            use(asset), use(asset);
        put_copy(sql, asset);
    }
}

Result<void> check_moved_fields(DatabaseConnection& sql, const std::string& collection,
                                const std::string& parent)
{
    Binds binds;
    const auto above = is_above(binds.add(parent));
    const auto name =
        fetch_text(sql,
                   fmt::format("SELECT f.name FROM collection_fields f JOIN collection_fields g "
                               "ON g.name_key = f.name_key WHERE g.collection {} AND "
                               "f.collection {}",
                               above, is_below(binds.add(collection))),
                   binds);
    if (!name) return {};
    return make_error(Errc::conflict, "field_exists",
                      fmt::format("a field '{}' is in a collection above that place", *name));
}

void remove_fields(DatabaseConnection& sql, const std::string& collection)
{
    sql << "DELETE FROM field_values WHERE field IN (SELECT id FROM collection_fields WHERE collection = "
           ":id)",
        use(collection);
    sql << "DELETE FROM collection_fields WHERE collection = :id", use(collection);
}

} // namespace vitrine::server
