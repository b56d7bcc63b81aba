#include "server/handlers/libraries/library_routes.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "api/resources.hpp"
#include "server/access/principal.hpp"
#include "server/net/http.hpp"
#include "server/routing/body_members.hpp"
#include "server/routing/context.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/libraries/library_scanner.hpp"
#include "server/services/libraries/path_patterns.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

json::object to_json(const Library& library)
{
    const bool is_scanned = library.scanned != 0;
    return {{"id", library.id},
            {"name", library.name},
            {"path", library.path},
            {"include", json::array(library.include.begin(), library.include.end())},
            {"ignore", json::array(library.ignored.begin(), library.ignored.end())},
            {"state", to_string(library.state)},
            {"problem", library.problem.empty() ? json::value() : json::value(library.problem)},
            {"files", library.files},
            {"models", library.models},
            {"skipped", library.skipped},
            {"waiting", library.waiting},
            {"scannedAt", is_scanned ? json::value(api::to_rfc3339(library.scanned)) : json::value()},
            {"durationMs", is_scanned ? json::value(library.duration_ms) : json::value()},
            {"createdAt", api::to_rfc3339(library.created)},
            {"createdBy", library.created_by}};
}

HandlerResult library_response(int status, const Result<Library>& library)
{
    if (!library) return problem(library.error());
    auto response = json_response(status, to_json(*library));
    response.headers.set("Cache-Control", "no-store"); // the state of a scan changes at any time
    if (status == 201) response.headers.add("Location", "/v1/libraries/" + library->id);
    return response;
}

std::vector<std::string> read_patterns(BodyMembers& members, std::string_view name)
{
    auto patterns = members.texts(name, 0, max_library_patterns).value_or(std::vector<std::string>());
    for (const auto& pattern : patterns)
        members.reject(name, pattern_fault(pattern));
    return patterns;
}

void check_name(BodyMembers& members, const std::string& name)
{
    if (name.size() > max_library_name)
        members.reject("name", fmt::format("must have at most {} bytes", max_library_name));
    if (name.contains('\0')) members.reject("name", "must not contain the character 0");
}

std::expected<LibraryChange, api::Problem> read_change(const Request& request)
{
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    LibraryChange change{.name = members.text("name"), .paused = members.flag("paused")};
    if (change.name) check_name(members, *change.name);
    if (change.name && change.name->empty()) members.reject("name", "must not be empty");
    if (members.find("include") != nullptr) change.include = read_patterns(members, "include");
    if (members.find("ignore") != nullptr) change.ignored = read_patterns(members, "ignore");
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    return change;
}

std::expected<NewLibrary, api::Problem> read_library(const Request& request)
{
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    NewLibrary wanted;
    members.require("path");
    wanted.path = members.text("path").value_or("");
    wanted.name = members.text("name").value_or("");
    check_name(members, wanted.name);
    if (wanted.path.contains('\0')) members.reject("path", "must not contain the character 0");
    wanted.include = read_patterns(members, "include");
    wanted.ignored = read_patterns(members, "ignore");
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    wanted.created_by = to_text(request.principal);
    return wanted;
}

} // namespace

HandlerResult list_libraries(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    json::array items;
    for (const auto& library : context.services.libraries.table().list())
        items.push_back(to_json(library));
    auto response = json_response(200, json::object{{"items", std::move(items)}});
    response.headers.set("Cache-Control", "no-store");
    return response;
}

HandlerResult create_library(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto wanted = read_library(request);
    if (!wanted) return std::unexpected(wanted.error());
    const auto& libraries = context.services.libraries;
    auto checked = check_new_library(*std::move(wanted), libraries.options());
    if (!checked) return problem(checked.error());
    return library_response(201, libraries.table().create(*checked));
}

HandlerResult get_library(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    return library_response(200, context.services.libraries.table().find(request.param("id")));
}

HandlerResult change_library(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto change = read_change(request);
    if (!change) return std::unexpected(change.error());
    return library_response(200, context.services.libraries.table().change(request.param("id"), *change));
}

HandlerResult delete_library(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto removed = context.services.libraries.table().remove(request.param("id"));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

HandlerResult scan_library(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    return library_response(202, context.services.libraries.table().request_scan(request.param("id")));
}

} // namespace vitrine::server
