// URLs that show a picture to everybody until they expire.

#include <algorithm>
#include <array>
#include <charconv>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "api/resources.hpp"
#include "loaders/base/parse_whole.hpp"
#include "server/access/signed_url.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/handlers/sharing/sharing_routes.hpp"
#include "server/net/url.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 5> signed_pictures{"thumbnail", "render", "sprite", "animation",
                                                          "turntable"};
constexpr std::size_t max_parameters = 32, max_parameter_bytes = 500;

// The largest numbers that a signed URL may have: nobody is known who pays for its pictures.
struct ParameterLimit {
    std::string_view name;
    long long largest = 0;
};
constexpr std::array<ParameterLimit, 6> parameter_limits{
    {{"w", 2048}, {"h", 2048}, {"size", 1024}, {"frames", 64}, {"crowd", 16}, {"ghosts", 16}}};

struct UrlBody {
    std::string picture;
    UrlParameters parameters;
    std::int64_t version = 0; // 0: the newest at each request
    std::int64_t lifetime_s = 0;
};

std::string parameter_fault(std::string_view name, std::string_view value)
{
    if (name.empty() || name.size() > 64 || value.size() > max_parameter_bytes)
        return fmt::format("has a name of 1 to 64 and a value of at most {} bytes", max_parameter_bytes);
    if (name == "key" || name == "expires" || name == "sig") return "belongs to the signature";
    const auto limit = std::ranges::find(parameter_limits, name, &ParameterLimit::name);
    if (limit == parameter_limits.end()) return {};
    const auto number = parse_whole<long long>(value);
    return number && *number >= 0 && *number <= limit->largest
               ? ""
               : fmt::format("must be a number up to {} in signed URLs", limit->largest);
}

std::string read_parameters(const json::value& value, UrlParameters& parameters)
{
    const auto* const object = value.if_object();
    if (object == nullptr || object->size() > max_parameters)
        return fmt::format("must be an object of at most {} strings", max_parameters);
    for (const auto& [name, text] : *object) {
        if (!text.is_string()) return "must be an object of strings";
        if (const auto why = parameter_fault(name, text.as_string()); !why.empty())
            return fmt::format("has '{}', which {}", std::string_view(name).substr(0, 64), why);
        parameters.emplace_back(name, text.as_string());
    }
    return {};
}

// Returns why it is none, as the end of a sentence.
std::string read_count(const json::value& value, std::int64_t largest, std::int64_t& count)
{
    const auto* number = value.if_int64();
    if (!number || *number < 1 || *number > largest) return fmt::format("must be a number, 1 to {}", largest);
    count = *number;
    return {};
}

std::string read_url_member(std::string_view key, const json::value& value, UrlBody& body)
{
    if (key == "picture") {
        body.picture = value.is_string() ? std::string(value.as_string()) : "";
        return std::ranges::find(signed_pictures, body.picture) != signed_pictures.end()
                   ? ""
                   : fmt::format("must be one of {}", fmt::join(signed_pictures, ", "));
    }
    if (key == "parameters") return read_parameters(value, body.parameters);
    if (key == "version") return read_count(value, 1'000'000'000, body.version);
    if (key == "expiresIn") return read_count(value, UrlKeyTable::max_lifetime / 1'000'000, body.lifetime_s);
    return "is no member of a signed URL";
}

std::string path_of(const std::string& asset, const UrlBody& body)
{
    const auto version = body.version == 0 ? "" : fmt::format("/versions/{}", body.version);
    return fmt::format("/v1/assets/{}{}/{}", percent_encode(asset), version, body.picture);
}

std::string url_of(const std::string& path, const UrlParameters& parameters, const UrlSignature& signature)
{
    auto url = path + "?";
    for (const auto& [name, value] : parameters)
        url += percent_encode(name) + "=" + percent_encode(value) + "&";
    return url + fmt::format("key={}&expires={}&sig={}", signature.key, signature.expires, signature.digits);
}

Result<void> check_signed_asset(const std::string& id, const UrlBody& body, Context& context)
{
    auto& catalog = context.services.catalog;
    const auto asset = body.version == 0 ? catalog.find_asset(id)
                                         : catalog.find_version(id, static_cast<std::uint32_t>(body.version));
    if (!asset) return std::unexpected(asset.error());
    if (asset->deleted == 0) return {};
    return make_error(Errc::not_found, "asset_in_trash", "This asset is in the trash.");
}

} // namespace

HandlerResult create_signed_url(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    UrlBody body;
    const auto read =
        read_members(request, "signed URL", {"picture", "expiresIn"},
                     [&](auto key, const json::value& value) { return read_url_member(key, value, body); });
    if (!read) return std::unexpected(read.error());
    const auto& id = request.param("id");
    if (const auto valid = check_signed_asset(id, body, context); !valid) return problem(valid.error());
    const auto path = path_of(id, body);
    const auto expires = now() / 1'000'000 + body.lifetime_s;
    const auto signature = sign_url(path, body.parameters, expires, context.services.tokens.signing_key());
    context.services.audit.record(
        "signed-url.create", id,
        fmt::format("{}, until {}", body.picture, api::to_rfc3339(expires * 1'000'000)));
    return json_answer(201,
                       json::object{{"url", url_of(path, body.parameters, signature)},
                                    {"expiresAt", api::to_rfc3339(expires * 1'000'000)}},
                       "no-store");
}

HandlerResult revoke_signed_urls(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    context.services.tokens.remove_url_keys();
    return Response{.status = 204};
}

} // namespace vitrine::server
