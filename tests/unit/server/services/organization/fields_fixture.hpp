#pragma once
// Custom fields of two collections, one in the other, and two assets.

#include "server/services/organization/field_table.hpp"

#include <gmock/gmock.h>

#include "api/json_text.hpp"
#include "server/services/organization/collection_table.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {

namespace json = boost::json;

class CatalogFieldsTest : public CatalogTest {
protected:
    std::string collection(const std::string& name, const std::string& parent = {})
    {
        Collection wanted;
        wanted.name = name;
        wanted.parent = parent;
        return collections.create(wanted).value().id;
    }
    Result<CollectionField> try_define(const std::string& of, const std::string& name, FieldType type,
                                       std::vector<std::string> options = {})
    {
        CollectionField wanted;
        wanted.collection = of;
        wanted.name = name;
        wanted.type = type;
        wanted.options = std::move(options);
        return fields.create(wanted, {});
    }
    std::string define(const std::string& of, const std::string& name, FieldType type,
                       std::vector<std::string> options = {})
    {
        return try_define(of, name, type, std::move(options)).value().id;
    }
    // The code of the error, or nothing.
    std::string set(const std::string& asset, const std::string& field, const json::value& value)
    {
        const auto done = fields.set_values(asset, {{field, value}}, {});
        return done ? "" : done.error().code;
    }
    std::string code_of_change(const std::string& field, const FieldChange& change)
    {
        const auto changed = fields.change(top, field, change);
        return changed ? "" : changed.error().code;
    }
    // "name=value" of what the JSON of the asset has.
    std::vector<std::string> shown(const std::string& asset)
    {
        std::vector<std::string> found;
        for (const auto& value : api::to_json(*catalog.find_asset(asset)).at("fieldValues").as_array())
            found.push_back(std::string(value.at("name").as_string()) + "=" +
                            api::to_text(value.at("value")));
        return found;
    }
    std::vector<std::string> with(const FieldFilter& filter) { return names({.custom_fields = {filter}}); }
    std::vector<std::string> names_of(const std::string& of, bool inherited = false)
    {
        std::vector<std::string> found;
        for (const auto& field : fields.list(of, inherited).value())
            found.push_back(field.name);
        return found;
    }
    void put(const std::string& in, const std::string& asset)
    {
        ASSERT_TRUE(collections.insert_members(in, {.assets = {asset}}));
    }

    CollectionTable collections{catalog.connections()};
    FieldTable fields{catalog.connections()};
    const std::string top = collection("Props"), inner = collection("Metal", top);
    const std::string fish = add("fish").id, boat = add("boat").id;
};

} // namespace vitrine::server::testing
