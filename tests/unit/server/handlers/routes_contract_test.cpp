// The route table and api/openapi.yaml are equal, checked in both directions.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "api/openapi.hpp"
#include "clients/clients.hpp"
#include "loaders/base/ascii.hpp"
#include "server/handlers/routes.hpp"
#include "server/link/link_frames.hpp"
#include "server/routing/idempotency.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

// "{path...}" of the table is "{path}" in the contract.
std::string plain(std::string_view pattern)
{
    std::string text(pattern);
    if (auto dots = text.find("..."); dots != text.npos) text.erase(dots, 3);
    return text;
}

std::set<std::string> table()
{
    std::set<std::string> rows;
    for (const auto& route : all_routes()) {
        rows.insert(ascii::lower(to_string(route.method)) + " " + plain(route.pattern) + " " +
                    std::string(route.name));
    }
    return rows;
}

// Added by expand_versions.mjs.
bool is_of_version(const json::value& operation)
{
    return std::string_view(operation.at("operationId").as_string()).ends_with("OfVersion");
}

// Without the paths of versions.
std::set<std::string> contract()
{
    std::set<std::string> rows;
    auto document = json::parse(api::openapi_json());
    for (const auto& [path, operations] : document.at("paths").as_object()) {
        for (const auto& [method, operation] : operations.as_object()) {
            if (method == "parameters" || is_of_version(operation)) continue;
            rows.insert(std::string(method) + " " + std::string(path) + " " +
                        std::string(operation.at("operationId").as_string()));
        }
    }
    return rows;
}

std::set<std::string> missing_in(const std::set<std::string>& wanted, const std::set<std::string>& found)
{
    std::set<std::string> missing;
    std::ranges::set_difference(wanted, found, std::inserter(missing, missing.end()));
    return missing;
}

// Returns the pointers of required members without a type below the schema.
std::string untyped_members(const json::value& schema, const std::string& at)
{
    std::string found;
    if (const auto* list = schema.if_array()) {
        for (std::size_t i = 0; i < list->size(); ++i)
            found += untyped_members((*list)[i], at + "/" + std::to_string(i));
        return found;
    }
    const auto* object = schema.if_object();
    if (object == nullptr) return found;
    const auto* required = object->if_contains("required");
    const auto* properties = object->if_contains("properties");
    if (required != nullptr && required->is_array())
        for (const auto& name : required->as_array()) {
            const auto* member = properties ? properties->as_object().if_contains(name.as_string()) : nullptr;
            const bool is_typed = member != nullptr && (member->as_object().contains("type") ||
                                                        member->as_object().contains("$ref") ||
                                                        member->as_object().contains("oneOf"));
            if (!is_typed) found += at + "/" + std::string(name.as_string()) + " ";
        }
    for (const auto& [key, value] : *object)
        if (key != "example" && key != "examples")
            found += untyped_members(value, at + "/" + std::string(key));
    return found;
}

// "listAssets" is list_assets.
std::string python_method(std::string_view name)
{
    std::string text;
    for (const char c : name)
        if (c >= 'A' && c <= 'Z')
            text += {'_', static_cast<char>(c - 'A' + 'a')};
        else
            text += c;
    return text;
}

} // namespace

TEST(Contract, MatchesTheRouteTable)
{
    const std::set<std::string> nothing;
    EXPECT_GT(table().size(), 30u);
    EXPECT_EQ(missing_in(table(), contract()), nothing) << "add the operation to api/openapi.yaml";
    EXPECT_EQ(missing_in(contract(), table()), nothing) << "add the row to server/handlers/routes.cpp";
}

// Each POST that changes something takes an Idempotency-Key, and no other operation does.
TEST(Contract, DeclaresWhatIsDoneOncePerKey)
{
    const std::set<std::string_view> others{"createSession",     "endProviderSessions", "signOut",
                                            "unlockShareLink",   "authorizeDevice", // no sender, or a sign-in
                                            "createDeviceToken", "decideDevice",        "callMcp",
                                            "downloadSelection", "inspectModel",        "renderModel",
                                            "animateModel",      "convertModel",        "checkModel"};
    const json::object key{{"$ref", "#/components/parameters/IdempotencyKey"}};
    const auto document = json::parse(api::openapi_json());
    for (const auto& route : all_routes()) {
        const auto& operation =
            document.at("paths").at(plain(route.pattern)).at(ascii::lower(to_string(route.method)));
        const auto* const parameters = operation.as_object().if_contains("parameters");
        const bool is_declared =
            parameters && std::ranges::count(parameters->as_array(), json::value(key)) == 1;
        const bool is_read = route.name.starts_with("post") || others.contains(route.name);
        EXPECT_EQ(is_done_once(route), route.method == Method::post && !is_read) << route.name;
        EXPECT_EQ(is_declared, is_done_once(route)) << route.name;
        if (is_declared) EXPECT_TRUE(operation.at("responses").as_object().contains("422"));
    }
}

TEST(Contract, EachReadOfAnAssetExistsForItsVersions)
{
    const auto document = json::parse(api::openapi_json());
    const auto& paths = document.at("paths").as_object();
    for (const auto& route : all_routes()) {
        const std::string_view prefix = "/v1/assets/{id}/";
        if (route.method != Method::get || !route.pattern.starts_with(prefix) ||
            route.pattern.substr(prefix.size()).starts_with("versions"))
            continue;
        const auto path = std::string(prefix) + "versions/{n}/" + plain(route.pattern.substr(prefix.size()));
        ASSERT_TRUE(paths.contains(path)) << path;
        const auto target = parse_target(percent_encode(path, true)).value();
        const auto match = match_route(all_routes(), Method::get, target.segments);
        ASSERT_NE(match.route, nullptr) << path;
        EXPECT_EQ(match.route->name, route.name);
    }
}

TEST(Contract, EveryRequiredMemberHasAType)
{
    const auto document = json::parse(api::openapi_json());
    EXPECT_EQ(untyped_members(document.at("components").at("schemas"), ""), "");
    EXPECT_EQ(untyped_members(document.at("paths"), ""), "");
}

// The member `security` of the operation, else of the document, names the least role; {}: a server with
// --open requires nothing.
TEST(Contract, DeclaresWhoMayUseEachRoute)
{
    const auto document = json::parse(api::openapi_json());
    for (const auto& route : all_routes()) {
        const auto& operation =
            document.at("paths").at(plain(route.pattern)).at(ascii::lower(to_string(route.method)));
        const auto* own = operation.as_object().if_contains("security");
        const auto& security = own ? *own : document.at("security");
        const auto least = role_for(route.access);
        ASSERT_TRUE(least) << route.name;
        const json::value bearer{{"bearer", {to_word(*least)}}};
        json::array expected;
        if (*least != Role::admin) expected.push_back(json::object());
        if (*least != Role::none) expected.push_back(bearer);
        EXPECT_EQ(security.as_array(), expected) << route.name;
    }
}

// By the member `x-shared`; without one, nothing.
TEST(Contract, DeclaresWhatIsShared)
{
    using enum Sharing;
    const std::map<std::string, Sharing> words{{"anything", anything},     {"asset", asset},
                                               {"picture", picture},       {"download", download},
                                               {"collection", collection}, {"list", list}};
    const auto document = json::parse(api::openapi_json());
    for (const auto& route : all_routes()) {
        const auto& operation =
            document.at("paths").at(plain(route.pattern)).at(ascii::lower(to_string(route.method)));
        const auto* const word = operation.as_object().if_contains("x-shared");
        EXPECT_EQ(word ? words.at(std::string(word->as_string())) : none, route.sharing) << route.name;
    }
}

// By the member `x-granted`, else by `x-shared`: what a share link may use, a grant may use too.
TEST(Contract, DeclaresWhatGrantsMayUse)
{
    using enum Granted;
    const std::map<std::string, Granted> words{
        {"anything", anything}, {"asset", asset},           {"job", job},
        {"note", note},         {"collection", collection}, {"administration", administration},
        {"list", list},         {"picture", asset},         {"download", asset}};
    const auto document = json::parse(api::openapi_json());
    for (const auto& route : all_routes()) {
        const auto& operation = document.at("paths")
                                    .at(plain(route.pattern))
                                    .at(ascii::lower(to_string(route.method)))
                                    .as_object();
        const auto* word = operation.if_contains("x-granted");
        if (word == nullptr) word = operation.if_contains("x-shared");
        EXPECT_EQ(word ? words.at(std::string(word->as_string())) : none, route.granted) << route.name;
    }
}

// Without a grant a route with an asset, a job, a note or a collection in its path is closed: each says so.
TEST(Contract, RoutesOfAssetsDeclareGrants)
{
    const std::set<std::string_view> closed{"liftQuarantine", "purgeAsset", "createSignedUrl"};
    for (const auto& route : all_routes()) {
        const bool is_of_asset = route.pattern.starts_with("/v1/assets/{id}");
        if (is_of_asset) EXPECT_EQ(route.granted == Granted::none, closed.contains(route.name)) << route.name;
    }
}

TEST(Contract, ThePythonClientHasAMethodForEachRoute)
{
    const auto client = clients::python_client();
    const std::set<std::string_view> others{"/mcp", "/v1/events", link_path}; // not called as methods
    for (const auto& route : all_routes()) {
        if (route.upgrades || route.method == Method::options || others.contains(route.pattern)) continue;
        EXPECT_TRUE(client.contains("    def " + python_method(route.name) + "(self")) << route.name;
    }
}

TEST(Contract, EveryRouteHasOneHandler)
{
    for (const auto& route : all_routes()) {
        EXPECT_NE(route.blocking == nullptr, route.async == nullptr) << route.pattern;
    }
}

} // namespace vitrine::server
