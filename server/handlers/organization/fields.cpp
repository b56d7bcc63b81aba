// Custom fields of collections, and their values.
#include <fmt/format.h>

#include "server/handlers/organization/fact_members.hpp"
#include "server/handlers/organization/organization_routes.hpp"
#include "server/routing/body_members.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/organization/collection_table.hpp"

namespace vitrine::server {
namespace {

FieldTable fields_of(Context& context)
{
    return FieldTable(context.services.catalog.connections());
}

HandlerResult field_response(int status, const Result<CollectionField>& field)
{
    if (!field) return problem(field.error());
    auto response = json_response(status, to_json(*field));
    add_caching(response, field->etag());
    if (status == 201)
        response.headers.add("Location",
                             fmt::format("/v1/collections/{}/fields/{}", field->collection, field->id));
    return response;
}

void check_text(BodyMembers& members, std::string_view name, const std::optional<std::string>& text,
                std::size_t max_bytes)
{
    if (!text) return;
    if (text->size() > max_bytes) members.reject(name, fmt::format("must have at most {} bytes", max_bytes));
    if (text->contains('\0')) members.reject(name, "must not contain the character 0");
}

std::optional<FieldType> read_type(BodyMembers& members)
{
    const auto word = members.text("type");
    const auto type = find_field_type(word.value_or(""));
    if (word && !type) members.reject("type", "must be text, number, boolean, date or choice");
    return type;
}

std::expected<FieldChange, api::Problem> read_field(const Request& request, bool is_new)
{
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    FieldChange change;
    if (is_new) {
        members.require("name");
        members.require("type");
    }
    change.name = members.text("name");
    if (change.name) members.reject("name", field_name_fault(*change.name));
    change.type = read_type(members);
    change.description = members.text("description");
    check_text(members, "description", change.description, max_description_bytes);
    change.unit = members.text("unit");
    check_text(members, "unit", change.unit, max_unit_bytes);
    change.options = members.texts("options", 0, max_field_options);
    if (is_new && change.type)
        members.reject("options",
                       options_fault(*change.type, change.options.value_or(std::vector<std::string>())));
    change.position = members.integer("position", FieldTable::max_fields);
    if (!is_new) change.discard = members.flag("discard").value_or(false);
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    if (!is_new) change.if_match = read_if_match(request);
    return change;
}

HandlerResult values_response(const Request& request, const Result<std::vector<AssetField>>& fields)
{
    if (!fields) return problem(fields.error());
    boost::json::array items;
    for (const auto& field : *fields)
        items.push_back(to_json(field));
    return page_response(request, std::move(items), {});
}

} // namespace

HandlerResult list_fields(const Request& request, Context& context)
{
    QueryReader reader(request);
    const bool inherited = reader.flag("inherited").value_or(false);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto fields = fields_of(context).list(request.param("id"), inherited);
    if (!fields) return problem(fields.error());
    boost::json::array items;
    for (const auto& field : *fields)
        items.push_back(to_json(field));
    return page_response(request, std::move(items), {});
}

HandlerResult create_field(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto wanted = read_field(request, true);
    if (!wanted) return std::unexpected(wanted.error());
    CollectionField field;
    field.collection = request.param("id");
    field.name = *wanted->name;
    field.type = *wanted->type;
    field.description = wanted->description.value_or("");
    field.unit = wanted->unit.value_or("");
    field.options = wanted->options.value_or(std::vector<std::string>());
    return field_response(201, fields_of(context).create(field, wanted->position));
}

HandlerResult get_field(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto field = fields_of(context).find(request.param("id"), request.param("field"));
    if (field)
        if (auto same = not_modified(request, field->etag())) return std::move(*same);
    return field_response(200, field);
}

HandlerResult change_field(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto change = read_field(request, false);
    if (!change) return std::unexpected(change.error());
    return field_response(200,
                          fields_of(context).change(request.param("id"), request.param("field"), *change));
}

HandlerResult delete_field(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto removed =
        fields_of(context).remove(request.param("id"), request.param("field"), read_if_match(request));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

HandlerResult list_field_values(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    return values_response(request, fields_of(context).values(request.param("id")));
}

HandlerResult change_field_values(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    const auto values = read_field_values(members);
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    return values_response(
        request, fields_of(context).set_values(request.param("id"), values, read_if_match(request)));
}

} // namespace vitrine::server
