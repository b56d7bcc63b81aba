// Endpoints for operators: health, readiness, metrics, contract.
#include <boost/json/parse.hpp>
#include <prometheus/text_serializer.h>

#include "api/openapi.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/services/rendering/image_service.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::string_view api_page = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Vitrine API</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{background:#8882;padding:.1em .3em;border-radius:.3em}table{border-collapse:collapse;width:100%}
td{border-top:1px solid #8884;padding:.35rem .6rem;vertical-align:top}</style></head>
<body><h1>Vitrine API</h1><p>The whole contract is <a href="/openapi.json"><code>/openapi.json</code></a>
(OpenAPI 3.1). These are its operations.</p>
)";

std::string escape_html(std::string_view text)
{
    std::string out;
    for (char c : text) {
        if (c == '<') {
            out += "&lt;";
        } else if (c == '&') {
            out += "&amp;";
        } else {
            out.push_back(c);
        }
    }
    return out;
}

std::string text_of(const json::object& object, std::string_view key)
{
    auto value = object.if_contains(key);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

json::object device_json(const render::DeviceInfo& device)
{
    return {{"name", device.name},
            {"driver", device.driver},
            {"api", device.api_version},
            {"software", device.software}};
}

json::array devices_json(const RenderHealth& health)
{
    json::array devices;
    for (const auto& of : health.devices) {
        auto object = of.info ? device_json(*of.info) : json::object();
        object["draws"] = of.draws;
        object["devicesLost"] = of.losses;
        object["gaveUp"] = of.gave_up;
        object["waiting"] = of.waiting;
        object["memoryBytes"] = of.memory.used;
        object["memoryBudget"] = of.memory.budget;
        devices.push_back(std::move(object));
    }
    return devices;
}

} // namespace

HandlerResult get_health(const Request&, Context&)
{
    auto response = text_response(200, "text/plain; charset=utf-8", "ok\n");
    response.headers.add("Cache-Control", "no-store");
    return response;
}

HandlerResult get_readiness(const Request&, Context& context)
{
    bool stores = true;
    try {
        context.services.catalog.check();
    } catch (const StorageError&) {
        stores = false;
    }
    auto device = context.services.renders.device();
    bool ready = stores && device && !context.stopping;
    json::object body{{"ready", ready}, {"catalog", stores}, {"stopping", context.stopping.load()}};
    // Without free space the server is still ready: it serves existing assets, so load balancers must keep
    // it.
    body["room"] = free_bytes(context.data) >= context.limits.free_bytes;
    body["device"] = nullptr;
    if (device) body["device"] = device_json(*device);
    const auto health = context.services.renders.health();
    body["devices"] = devices_json(health);
    body["renderer"] = {{"devicesLost", health.losses},
                        {"quarantined", health.quarantined},
                        {"gaveUp", health.gave_up},
                        {"memoryBytes", health.memory.used},
                        {"memoryBudget", health.memory.budget}};
    body["pictureRevision"] = image_revision; // the `rev` of immutable URLs
    body["encoders"] = {"png", "jpeg", "webp", "vp8", "vp9"};
    auto response = json_response(ready ? 200 : 503, body);
    response.headers.set("Cache-Control", "no-store");
    return response;
}

HandlerResult get_metrics(const Request&, Context& context)
{
    prometheus::TextSerializer serializer;
    auto response = text_response(200, "text/plain; version=0.0.4; charset=utf-8",
                                  serializer.Serialize(context.registry.Collect()));
    response.headers.set("Cache-Control", "no-store");
    return response;
}

HandlerResult get_contract(const Request&, Context&)
{
    auto response = json_text_response(api::openapi_json());
    response.headers.add("Cache-Control", "no-cache");
    return response;
}

HandlerResult get_api_page(const Request&, Context&)
{
    auto contract = json::parse(api::openapi_json());
    std::string page(api_page);
    page += "<table>";
    for (const auto& [path, operations] : contract.at("paths").as_object()) {
        for (const auto& [method, operation] : operations.as_object()) {
            if (!operation.is_object()) continue;
            page += "<tr><td><code>" + escape_html(method) + "</code></td><td><code>" + escape_html(path) +
                    "</code></td><td>" + escape_html(text_of(operation.as_object(), "summary")) +
                    "</td></tr>";
        }
    }
    return text_response(200, "text/html; charset=utf-8", page + "</table></body></html>\n");
}

} // namespace vitrine::server
