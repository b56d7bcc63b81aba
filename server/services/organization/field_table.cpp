#include "server/services/organization/field_table.hpp"

#include <algorithm>
#include <iterator>

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/organization/collection_rows.hpp"
#include "server/services/organization/field_rows.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::vector<CollectionField> fields_of(DatabaseConnection& sql, const std::string& collection)
{
    Binds binds;
    return fetch_fields(
        sql, fmt::format("WHERE f.collection = {} ORDER BY f.position, f.id", binds.add(collection)), binds);
}

// Errors: not_found.
Result<CollectionField> find_field(DatabaseConnection& sql, const std::string& collection,
                                   const std::string& id)
{
    if (!has_collection(sql, collection)) return no_collection(collection);
    Binds binds;
    const auto key = binds.add(id);
    auto found = fetch_fields(
        sql, fmt::format("WHERE f.id = {} AND f.collection = {}", key, binds.add(collection)), binds);
    if (found.empty())
        return make_error(Errc::not_found, "no_field", fmt::format("the collection has no field '{}'", id));
    return std::move(found.front());
}

// Locks the collections. Errors: not_found, precondition_failed.
Result<CollectionField> find_field_to_change(DatabaseConnection& sql, const std::string& collection,
                                             const std::string& id, const std::string& if_match)
{
    lock_collections(sql);
    auto found = find_field(sql, collection, id);
    if (found && !if_match.empty() && if_match != found->etag())
        return make_error(Errc::precondition_failed, "edit_conflict",
                          fmt::format("the field's revision is {}, not {}", found->etag(), if_match));
    return found;
}

Result<void> check_field_name(DatabaseConnection& sql, const CollectionField& wanted)
{
    Binds binds;
    const auto rest =
        fmt::format("WHERE f.name_key = {} AND f.id <> {} AND (f.collection {} OR f.collection {})",
                    binds.add(name_key(wanted.name)), binds.add(wanted.id),
                    is_above(binds.add(wanted.collection)), is_below(binds.add(wanted.collection)));
    if (fetch_fields(sql, rest, binds).empty()) return {};
    return make_error(Errc::conflict, "field_exists",
                      fmt::format("the collection, or one above or below it, has a field '{}'", wanted.name));
}

void put_position(DatabaseConnection& sql, const CollectionField& field, std::uint64_t position)
{
    auto fields = fields_of(sql, field.collection);
    std::erase_if(fields, [&](const CollectionField& other) { return other.id == field.id; });
    const auto at = std::min<std::uint64_t>(position, fields.size());
    fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(at), field);
    for (long long i = 0; i < std::ssize(fields); ++i)
        sql << "UPDATE collection_fields SET position = :position WHERE id = :id", use(i),
            use(fields[static_cast<std::size_t>(i)].id);
}

struct StoredRow {
    std::string asset;
    std::string text;
};

std::vector<StoredRow> values_of(DatabaseConnection& sql, const std::string& field)
{
    StoredRow row;
    std::vector<StoredRow> found;
    PreparedStatement rows = (sql.prepare << "SELECT asset, text FROM field_values WHERE field = :field "
                                             "ORDER BY asset",
                              into(row.asset), into(row.text), use(field));
    for (rows.execute(); rows.fetch();)
        found.push_back(row);
    return found;
}

void put_converted(DatabaseConnection& sql, const CollectionField& field, const std::string& asset,
                   const FieldValueResult& value)
{
    const std::string kind(to_string(field.type));
    if (value)
        sql << "UPDATE field_values SET kind = :kind, text = :text, text_key = :key, number = :number "
               "WHERE asset = :asset AND field = :field",
            use(kind), use(value->text), use(value->key), use(value->number), use(asset), use(field.id);
    else
        sql << "DELETE FROM field_values WHERE asset = :asset AND field = :field", use(asset), use(field.id);
}

// Of all values to the type and the options of the field. Those that cannot be converted are removed.
// Errors: conflict, with nothing changed.
Result<void> convert_values(DatabaseConnection& sql, const CollectionField& field, bool discard)
{
    const auto rows = values_of(sql, field.id);
    std::vector<FieldValueResult> values;
    std::size_t unfit = 0;
    std::string example;
    for (const auto& row : rows) {
        values.push_back(convert_field_value(field, row.text));
        if (!values.back() && unfit++ == 0) example = fmt::format("'{}' {}", row.text, values.back().error());
    }
    if (unfit > 0 && !discard)
        return make_error(Errc::conflict, "field_values_unfit",
                          fmt::format("{} of {} values are not of this kind ({}); `discard` removes them",
                                      unfit, rows.size(), example));
    for (std::size_t i = 0; i < rows.size(); ++i)
        put_converted(sql, field, rows[i].asset, values[i]);
    return {};
}

CollectionField changed(CollectionField row, const FieldChange& change)
{
    row.name = change.name.value_or(row.name);
    row.description = change.description.value_or(row.description);
    row.unit = change.unit.value_or(row.unit);
    const auto type = change.type.value_or(row.type);
    if (type != row.type && type != FieldType::choice) row.options.clear();
    row.type = type;
    row.options = change.options.value_or(row.options);
    return row;
}

void update_row(DatabaseConnection& sql, const CollectionField& field)
{
    const auto key = name_key(field.name);
    const auto options = api::to_text(boost::json::value_from(field.options));
    const std::string type(to_string(field.type));
    const long long instant = now();
    sql << "UPDATE collection_fields SET name = :name, name_key = :key, type = :type, "
           "description = :description, unit = :unit, options = :options, updated = :now, "
           "revision = revision + 1 WHERE id = :id",
        use(field.name), use(key), use(type), use(field.description), use(field.unit), use(options),
        use(instant), use(field.id);
}

void insert_field(DatabaseConnection& sql, const CollectionField& field)
{
    const auto key = name_key(field.name);
    const auto options = api::to_text(boost::json::value_from(field.options));
    const std::string type(to_string(field.type));
    const long long instant = now();
    long long position = 0;
    sql << "SELECT COALESCE(MAX(position), -1) + 1 FROM collection_fields WHERE collection = :id",
        into(position), use(field.collection);
    sql << "INSERT INTO collection_fields (id, collection, name, name_key, type, description, unit, options, "
           "position, created, updated, revision) VALUES (:id, :collection, :name, :key, :type, "
           ":description, :unit, :options, :position, :created, :updated, 1)",
        use(field.id), use(field.collection), use(field.name), use(key), use(type), use(field.description),
        use(field.unit), use(options), use(position), use(instant), use(instant);
}

// The collection has other fields: it has a new revision, with an event, and caches forget lists.
void publish_fields(DatabaseConnection& sql, const std::string& collection)
{
    note_membership(sql);
    publish_collection(sql, collection, "collection.updated");
}

std::set<std::string> assets_of(DatabaseConnection& sql, const std::string& field)
{
    Binds binds;
    return assets_with_values(sql, "v.field = " + binds.add(field), binds);
}

} // namespace

Result<std::vector<CollectionField>> FieldTable::list(const std::string& collection, bool inherited) const
{
    return database_.read([&](DatabaseConnection& sql) -> Result<std::vector<CollectionField>> {
        if (!has_collection(sql, collection)) return no_collection(collection);
        if (!inherited) return fields_of(sql, collection);
        Binds binds;
        const auto above = is_above(binds.add(collection));
        auto found =
            fetch_fields(sql,
                         fmt::format("JOIN collections c ON c.id = f.collection WHERE f.collection {} AND "
                                     "f.collection <> {}{} ORDER BY c.created, c.id, f.position, f.id",
                                     above, binds.add(collection), and_visible_collection("c.id")),
                         binds);
        std::ranges::move(fields_of(sql, collection), std::back_inserter(found));
        return found;
    });
}

Result<CollectionField> FieldTable::find(const std::string& collection, const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) { return find_field(sql, collection, id); });
}

Result<CollectionField> FieldTable::create(const CollectionField& wanted,
                                           std::optional<std::uint64_t> position)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<CollectionField> {
        lock_collections(sql);
        if (!has_collection(sql, wanted.collection)) return no_collection(wanted.collection);
        if (fields_of(sql, wanted.collection).size() >= max_fields)
            return make_error(Errc::conflict, "too_many_fields",
                              fmt::format("a collection must have at most {} fields", max_fields));
        auto field = wanted;
        field.id = new_id("field");
        if (auto valid = check_field_name(sql, field); !valid) return std::unexpected(valid.error());
        insert_field(sql, field);
        if (position) put_position(sql, field, *position);
        publish_fields(sql, field.collection);
        return find_field(sql, field.collection, field.id);
    });
}

Result<CollectionField> FieldTable::change(const std::string& collection, const std::string& id,
                                           const FieldChange& change)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<CollectionField> {
        auto before = find_field_to_change(sql, collection, id, change.if_match);
        if (!before) return before;
        const auto field = changed(*before, change);
        if (auto fault = options_fault(field.type, field.options); !fault.empty())
            return make_error(Errc::invalid, "bad_options", "options " + fault);
        if (auto valid = check_field_name(sql, field); !valid) return std::unexpected(valid.error());
        const auto assets = assets_of(sql, id);
        lock_assets(sql, assets);
        if (field.type != before->type || field.options != before->options)
            if (auto fits = convert_values(sql, field, change.discard); !fits)
                return std::unexpected(fits.error());
        update_row(sql, field);
        if (change.position) put_position(sql, field, *change.position);
        refresh_field_values(sql, assets);
        publish_fields(sql, collection);
        return find_field(sql, collection, id);
    });
}

Result<void> FieldTable::remove(const std::string& collection, const std::string& id,
                                const std::string& if_match)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        const auto before = find_field_to_change(sql, collection, id, if_match);
        if (!before) return std::unexpected(before.error());
        const auto assets = assets_of(sql, id);
        lock_assets(sql, assets);
        sql << "DELETE FROM field_values WHERE field = :id", use(id);
        sql << "DELETE FROM collection_fields WHERE id = :id", use(id);
        refresh_field_values(sql, assets);
        record_audit(sql, "field.delete", id, before->name);
        publish_fields(sql, collection);
        return {};
    });
}

Result<std::vector<AssetField>> FieldTable::values(const std::string& asset) const
{
    return database_.read([&](DatabaseConnection& sql) -> Result<std::vector<AssetField>> {
        if (!find_asset_row(sql, asset)) return no_asset(asset);
        return fetch_asset_fields(sql, asset);
    });
}

Result<std::vector<AssetField>> FieldTable::set_values(const std::string& asset,
                                                       const std::vector<FieldValueChange>& changes,
                                                       const std::string& if_match)
{
    return database_.write([&](DatabaseConnection& sql) -> Result<std::vector<AssetField>> {
        lock_collections(sql);
        const auto found = find_to_change(sql, asset, if_match);
        if (!found) return std::unexpected(found.error());
        const auto written = write_field_values(sql, asset, changes);
        if (!written) return std::unexpected(written.error());
        auto fields = fetch_asset_fields(sql, asset);
        if (*written) record_event(sql, "asset.updated", *find_asset_row(sql, asset));
        return fields;
    });
}

boost::json::object to_json(const AssetField& field)
{
    auto object = to_json(field.field);
    object["value"] =
        field.value ? field_value_json(field.field.type, *field.value) : boost::json::value(nullptr);
    return object;
}

} // namespace vitrine::server
