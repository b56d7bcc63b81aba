// Changes of many assets; the trash.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/handlers/organization/fact_members.hpp"
#include "server/handlers/organization/organization_routes.hpp"
#include "server/routing/context.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"
#include "server/services/organization/asset_batch.hpp"
#include "server/services/visibility/visibility.hpp"

namespace vitrine::server {
namespace {

using Kind = BatchOperation::Kind;

struct Batch {
    std::vector<std::string> assets;
    std::vector<BatchOperation> operations;
};

struct OperationWord {
    std::string_view word;
    Kind kind;
};
constexpr std::array<OperationWord, 9> operation_words{
    {{"tag", Kind::change},
     {"untag", Kind::change},
     {"set", Kind::change},
     {"addToCollection", Kind::add_to_collection},
     {"removeFromCollection", Kind::remove_from_collection},
     {"delete", Kind::trash},
     {"restore", Kind::restore},
     {"purge", Kind::purge},
     {"setFields", Kind::set_fields}}};

void read_operation_members(std::string_view word, BodyMembers& members, BatchOperation& operation)
{
    if (word == "tag" || word == "untag") {
        members.require("tags");
        auto& tags = word == "tag" ? operation.change.added_tags : operation.change.removed_tags;
        tags = read_tags(members).value_or(std::vector<std::string>());
    } else if (word == "set") {
        read_facts(members, operation.change);
    } else if (operation.kind == Kind::add_to_collection || operation.kind == Kind::remove_from_collection) {
        members.require("collection");
        operation.collection = members.text("collection").value_or("");
    } else if (operation.kind == Kind::set_fields) {
        operation.values = read_field_values(members);
    }
}

void read_operation(const boost::json::value& value, std::size_t index, BodyMembers& body, Batch& batch)
{
    const auto* object = value.if_object();
    if (!object) return body.reject("operations", "must have objects only");
    BodyMembers members(*object, fmt::format("/operations/{}", index));
    members.require("op");
    const auto word = members.text("op").value_or("");
    const auto* const known = std::ranges::find(operation_words, word, &OperationWord::word);
    BatchOperation operation;
    if (known != operation_words.end()) {
        operation.kind = known->kind;
        read_operation_members(word, members, operation);
    } else if (members.find("op")) {
        return body.reject("operations", "must have only operations that the contract names");
    }
    body.merge(members);
    batch.operations.push_back(std::move(operation));
}

std::expected<Batch, api::Problem> read_batch(const boost::json::object& object)
{
    BodyMembers body(object);
    Batch batch;
    body.require("assets");
    body.require("operations");
    batch.assets = body.texts("assets", 1, max_batch_assets).value_or(std::vector<std::string>());
    if (const auto* value = body.find("operations")) {
        const auto* array = value->if_array();
        if (!array || array->empty() || array->size() > max_batch_operations)
            body.reject("operations",
                        fmt::format("must be an array of 1 to {} operations", max_batch_operations));
        else
            for (std::size_t i = 0; i < array->size(); ++i)
                read_operation((*array)[i], i, body, batch);
    }
    if (auto rejection = body.finish()) return std::unexpected(*rejection);
    return batch;
}

boost::json::object result_json(const std::string& asset, const Result<void>& result)
{
    if (result) return {{"asset", asset}, {"status", 200}, {"problem", nullptr}};
    const auto why = to_problem(result.error());
    return {{"asset", asset},
            {"status", why.status},
            {"problem", boost::json::object{{"code", why.code}, {"detail", why.detail}}}};
}

// Grants do not remove assets for good.
std::optional<api::Problem> reject_purge(const Request& request, const Batch& batch)
{
    if (sees_everything() || std::ranges::none_of(batch.operations, [](const BatchOperation& operation) {
            return operation.kind == Kind::purge;
        }))
        return std::nullopt;
    return role_problem(Role::editor,
                        fmt::format("A purge requires the role editor for the library; the one that sends "
                                    "the request has the role {}.",
                                    to_word(request.principal.role)));
}

HandlerResult run_batch(const Batch& batch, Context& context)
{
    auto& services = context.services;
    const auto results = change_assets(services.catalog, *services.blobs, batch.assets, batch.operations);
    boost::json::array items;
    for (std::size_t i = 0; i < results.size(); ++i)
        items.push_back(result_json(batch.assets[i], results[i]));
    return json_response(200, boost::json::object{{"items", std::move(items)}});
}

} // namespace

HandlerResult change_many_assets(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    const auto batch = read_batch(*body);
    if (!batch) return std::unexpected(batch.error());
    if (auto rejection = reject_purge(request, *batch)) return std::unexpected(*rejection);
    return run_batch(*batch, context);
}

HandlerResult purge_trashed_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto purged = context.services.trash.purge(request.param("id"));
    if (!purged) return problem(purged.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
