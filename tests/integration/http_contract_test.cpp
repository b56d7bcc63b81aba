// Responses of the server against the schemas of the contract.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "api/openapi.hpp"
#include "tests/integration/http_fixture.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/paths.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

bool is_named(const json::object& schema, std::string_view member)
{
    const auto* properties = schema.if_contains("properties");
    if (properties && properties->as_object().contains(member)) return true;
    const auto* required = schema.if_contains("required");
    return required && std::ranges::any_of(required->as_array(),
                                           [&](const auto& name) { return name.as_string() == member; });
}

std::string differences(const json::value& contract, const json::value& schema, const json::value& value,
                        const std::string& at);

bool has_type(const json::value& value, std::string_view type)
{
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_bool();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_int64() || value.is_uint64();
    return value.is_number();
}

// The types and words that the schema allows.
std::string value_differences(const json::object& schema, const json::value& value, const std::string& at)
{
    const auto* type = schema.if_contains("type");
    const auto one = [&](const json::value& name) { return has_type(value, name.as_string()); };
    if (type && !(type->is_array() ? std::ranges::any_of(type->as_array(), one) : one(*type)))
        return at + " is " + json::serialize(value).substr(0, 40) + " ";
    const auto* words = schema.if_contains("enum");
    if (words && !value.is_null() && std::ranges::find(words->as_array(), value) == words->as_array().end())
        return at + " is " + json::serialize(value).substr(0, 40) + ", no word of the enum ";
    return "";
}

std::string object_differences(const json::value& contract, const json::object& schema,
                               const json::object& object, const std::string& at)
{
    std::string found;
    const auto* required = schema.if_contains("required");
    const auto* properties = schema.if_contains("properties");
    if (required)
        for (const auto& name : required->as_array())
            if (!object.contains(name.as_string())) found += fmt::format("no {}/{} ", at, name.as_string());
    for (const auto& [key, value] : object) {
        const auto place = at + "/" + std::string(key);
        if ((required || properties) && !is_named(schema, key)) found += "unnamed " + place + " ";
        const auto* inner = properties ? properties->as_object().if_contains(key) : nullptr;
        if (inner) found += differences(contract, *inner, value, place);
    }
    return found;
}

// Returns missing required members, undeclared members and values of another type in a response according to
// its schema, recursively.
std::string differences(const json::value& contract, const json::value& schema, const json::value& value,
                        const std::string& at)
{
    const auto& described = schema.as_object();
    if (const auto* reference = described.if_contains("$ref")) {
        auto pointer = std::string(reference->as_string()).substr(1);
        return differences(contract, contract.at_pointer(pointer), value, at);
    }
    auto found = value_differences(described, value, at);
    if (!found.empty()) return found;
    if (value.is_object()) return object_differences(contract, described, value.as_object(), at);
    const auto* items = described.if_contains("items");
    if (items && value.is_array())
        for (const auto& element : value.as_array())
            if (found.empty()) found = differences(contract, *items, element, at + "/*");
    return found;
}

// `path` without parameters; `id` is the asset or the job.
std::string with_parameters(std::string path, const std::string& id)
{
    for (const auto& [name, value] : {std::pair<std::string, std::string>{"{id}", id},
                                      {"{clip}", "0"},
                                      {"{image}", "0"},
                                      {"{n}", "1"},
                                      {"{page}", "share"}}) {
        if (auto at = path.find(name); at != path.npos) path.replace(at, name.size(), value);
    }
    for (const auto* several : {"/v1/lineup", "/v1/render", "/v1/animation", "/v1/turntable"})
        if (path == several) path += "?asset=" + id;
    if (path == "/v1/assets:download") return path + "?assets=" + id;
    if (path == "/v1/pick") return path + "?x=256&y=256&asset=" + id;
    return path.ends_with("/pick") ? path + "?x=256&y=256" : path;
}

// Nothing: the response is described by a reference, or not as JSON.
const json::value* schema_of(const json::value& response)
{
    boost::system::error_code error;
    if (response.as_object().contains("$ref")) return nullptr;
    return response.find_pointer("/content/application~1json/schema", error);
}

// Returns the path of a new field. `list`: that of the fields, with a slash at its end.
std::string make_field(int port, const std::string& list)
{
    const auto made =
        fetch(port, "POST", list.substr(0, list.size() - 1), {{"Content-Type", "application/json"}},
              R"({"name": "Contract", "type": "text"})");
    return list + text_at(made.json(), "/id");
}

// With the asset, which has a tag.
std::string make_collection(int port, const std::string& asset)
{
    const Fields type{{"Content-Type", "application/json"}};
    fetch(port, "PATCH", "/v1/assets/" + asset, type, R"({"tags": ["contract"]})");
    const auto known = get(port, "/v1/collections").json().at("items").as_array();
    if (!known.empty()) return text_at(known[0], "/id");
    const auto made = fetch(port, "POST", "/v1/collections", type, R"({"name": "Contract"})");
    const auto id = text_at(made.json(), "/id");
    fetch(port, "POST", "/v1/collections/" + id + "/assets", type,
          fmt::format(R"({{"assets": ["{}"]}})", asset));
    return id;
}

std::string make_library(int port, const std::filesystem::path& folder, const Fields& admin)
{
    std::filesystem::create_directory(folder);
    const auto body = fmt::format(R"({{"path": "{}"}})", folder.string());
    return text_at(fetch(port, "POST", "/v1/libraries", admin, body).json(), "/id");
}

// The id of what the path is about.
std::string id_for(int port, const std::string& path, const std::string& asset, const std::string& job,
                   const Fields& admin)
{
    if (path.starts_with("/v1/jobs")) return job;
    if (path.starts_with("/v1/webhooks/"))
        return text_at(
            fetch(port, "POST", "/v1/webhooks", admin, R"({"url": "https://hooks.example/"})").json(), "/id");
    if (path.starts_with("/v1/share-links/"))
        return text_at(fetch(port, "POST", "/v1/share-links", admin,
                             fmt::format(R"({{"name": "contract", "asset": "{}"}})", asset))
                           .json(),
                       "/id");
    if (path.starts_with("/v1/collections/")) return make_collection(port, asset);
    if (path.starts_with("/v1/notes/"))
        return text_at(
            fetch(port, "POST", "/v1/assets/" + asset + "/notes", admin, R"({"text": "contract"})").json(),
            "/id");
    if (path.starts_with("/v1/searches/"))
        return text_at(fetch(port, "POST", "/v1/searches", {{"Content-Type", "application/json"}},
                             R"({"name": "contract", "query": "rigged=true"})")
                           .json(),
                       "/id");
    if (!path.starts_with("/v1/uploads")) return asset;
    const auto begun =
        fetch(port, "POST", "/v1/uploads", {{"Tus-Resumable", "1.0.0"}, {"Upload-Length", "5"}});
    return begun.header("location").substr(std::string("/v1/uploads/").size());
}

// Of an admin, whom a server with --open knows only by a token.
Fields make_admin(const std::filesystem::path& data, int port)
{
    auto command = fmt::format("{} token create contract --role admin 2>/dev/null", program("vitrine"));
    command += std::getenv("VITRINE_TEST_DATABASE") != nullptr
                   ? fmt::format(" --database '{}'", catalog_location(data))
                   : fmt::format(" --data '{}'", data.string());
    std::array<char, 128> line{};
    auto* const output = ::popen(command.c_str(), "r");
    EXPECT_NE(std::fgets(line.data(), line.size(), output), nullptr);
    EXPECT_EQ(::pclose(output), 0);
    const std::string text(line.data());
    Fields fields{{"Authorization", "Bearer " + text.substr(0, text.find('\n'))}};
    EXPECT_TRUE(eventually([&] { return get(port, "/v1/tokens", fields).status == 200; }));
    return fields;
}

bool is_for_admins(const json::object& operation)
{
    const auto* security = operation.if_contains("security");
    return security && *security == json::value{json::object{{"bearer", json::array{"admin"}}}};
}

bool is_never_stored(std::string_view path)
{
    return path == "/healthz" || path == "/readyz" || path == "/metrics" || path == "/v1/me/storage" ||
           path.starts_with("/v1/storage") || path.starts_with("/v1/libraries") ||
           path.starts_with("/v1/uploads") || path.starts_with("/v1/assets:download");
}

// Streams, files, and pages of links and of sign-in.
bool is_tested_elsewhere(std::string_view path)
{
    return path.ends_with("/preview") || path.ends_with("/events") || path.ends_with("{path}") ||
           path.ends_with("{secret}") || path == "/internal/link" || path.starts_with("/v1/oidc/") ||
           path == "/device" || path == "/v1/jobs/{id}/result";
}

// `fields`: of the request that got `etag`.
void expect_revalidation(int port, const std::string& path, const Fields& fields, const std::string& etag,
                         const json::object& responses)
{
    const auto with = [&](const char* name, const std::string& value) {
        auto all = fields;
        all.emplace_back(name, value);
        return get(port, path, all);
    };
    const auto again = with("If-None-Match", etag);
    EXPECT_EQ(again.status, 304) << path;
    EXPECT_EQ(again.header("etag"), etag) << path;
    EXPECT_TRUE(again.body.empty()) << path;
    EXPECT_TRUE(responses.contains("304")) << path;
    EXPECT_EQ(with("If-None-Match", "\"other\"").status, 200) << path;
    EXPECT_EQ(with("If-Match", "\"other\"").status, 412) << path;
    EXPECT_TRUE(responses.contains("412")) << path;
}

} // namespace

TEST_F(Http, ResponsesMatchTheContract)
{
    auto contract = json::parse(api::openapi_json());
    EXPECT_EQ(get(port(), "/openapi.json").json(), contract);
    const auto job = text_at(get(port(), asset_path("")).json(), "/job");
    const auto admin = make_admin(folder->path() / "data", port());
    const auto made = fetch(port(), "POST", "/v1/users", admin, R"({"name":"contract","role":"viewer"})");
    const auto user = text_at(made.json(), "/id");
    const auto library = make_library(port(), folder->path() / "library", admin);
    for (const auto& [template_path, operations] : contract.at("paths").as_object()) {
        auto operation = operations.as_object().if_contains("get");
        auto path = std::string(template_path);
        if (!operation || is_tested_elsewhere(path)) continue;
        path = with_parameters(path, path.starts_with("/v1/users/") ? user
                                     : path.starts_with("/v1/libraries/")
                                         ? library
                                         : id_for(port(), path, koi, job, admin));
        if (const auto at = path.find("{field}"); at != path.npos)
            path = make_field(port(), path.substr(0, at));
        const auto fields = is_for_admins(operation->as_object()) ? admin : Fields{};
        auto reply = get(port(), path, fields);
        auto described = operation->at("responses").as_object().if_contains(std::to_string(reply.status));
        ASSERT_TRUE(described) << path << " answers " << reply.status;
        EXPECT_EQ(reply.status, 200) << path << reply.body;
        const bool fresh = is_never_stored(path);
        auto etag = reply.header("etag");
        EXPECT_EQ(etag.empty(), fresh) << path;
        if (!etag.empty())
            expect_revalidation(port(), path, fields, etag, operation->at("responses").as_object());
        auto schema = schema_of(*described);
        if (schema && reply.header("content-type") == "application/json") {
            EXPECT_EQ(differences(contract, *schema, reply.json(), path), "");
        }
    }
    auto problem = get(port(), "/v1/assets/nobody").json();
    EXPECT_EQ(differences(contract, contract.at_pointer("/components/schemas/Problem"), problem, ""), "");
    auto known = upload(port(), {koi_glb()});
    EXPECT_EQ(known.status, 200);
    EXPECT_EQ(differences(contract, contract.at_pointer("/components/schemas/Upload"), known.json(), ""), "");
}

} // namespace vitrine::test
