// Endpoints for operators: health, readiness, metrics, API document.
#include <algorithm>
#include <iterator>
#include <set>

#include <boost/json/object.hpp>
#include <prometheus/text_serializer.h>

#include "api/json_text.hpp"
#include "api/openapi.hpp"
#include "api/readiness.hpp"
#include "api/worker_json.hpp"
#include "clients/clients.hpp"
#include "server/guide/guide_pages.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/routing/remote_image.hpp"
#include "server/services/database/database_meters.hpp"
#include "server/services/rendering/image_service.hpp"
#include "server/util/files.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

api::DeviceName name_of(const render::DeviceInfo& device)
{
    return {.name = device.name,
            .driver = device.driver,
            .api_version = device.api_version,
            .software = device.software,
            .pci_address = device.pci_address};
}

api::DeviceMemory memory_of(const render::MemoryUse& memory)
{
    return {.used = memory.used, .budget = memory.budget};
}

api::DeviceState state_of(const DeviceHealth& health)
{
    return {.device = health.info ? std::optional(name_of(*health.info)) : std::nullopt,
            .is_available = health.is_available,
            .losses = health.losses,
            .is_disabled = health.is_disabled,
            .waiting = health.waiting,
            .memory = memory_of(health.memory)};
}

void add_devices(const RenderPool& renders, api::Readiness& readiness)
{
    const auto health = renders.health();
    for (const auto& device : health.devices)
        readiness.devices.push_back(state_of(device));
    auto first = std::ranges::find_if(readiness.devices, &api::DeviceState::is_available);
    if (first == readiness.devices.end()) // one that is replaced
        first =
            std::ranges::find_if(readiness.devices, [](const auto& one) { return one.device.has_value(); });
    if (first != readiness.devices.end()) readiness.device = first->device;
    readiness.losses = health.losses;
    readiness.quarantined = health.quarantined;
    readiness.is_disabled = health.is_disabled;
    readiness.memory = memory_of(health.memory);
}

// `count`: of something.
prometheus::MetricFamily count_family(const std::string& name, const std::string& help, std::size_t count)
{
    return gauge_family(name, help, static_cast<double>(count));
}

prometheus::MetricFamily build_family()
{
    prometheus::ClientMetric metric;
    metric.gauge.value = 1.0;
    metric.label = {{"version", VITRINE_VERSION}, {"image_revision", std::to_string(image_revision)}};
    return {
        "vitrine_build_info", "Version of this program, always 1", prometheus::MetricType::Gauge, {metric}};
}

prometheus::MetricFamily gauges(const char* name, const char* help)
{
    return {name, help, prometheus::MetricType::Gauge, {}};
}

// `label`: what distinguishes it from others of the worker.
void add_gauge(prometheus::MetricFamily& family, const api::Worker& worker,
               const prometheus::ClientMetric::Label& label, double value)
{
    auto& metric = family.metric.emplace_back();
    metric.label = {{"worker", worker.name}, {"address", worker.address}, label};
    metric.gauge.value = value;
}

// Live ones by role, then what each of them has, can do and does, as in GET /v1/workers.
void add_workers(const std::vector<api::Worker>& live, std::vector<prometheus::MetricFamily>& families)
{
    auto roles = gauges("vitrine_workers", "Processes that draw and import, and are alive");
    for (const auto role : {to_word(ProcessRole::all), to_word(ProcessRole::worker)}) {
        auto& metric = roles.metric.emplace_back();
        metric.label.push_back({.name = "role", .value = std::string(role)});
        metric.gauge.value = static_cast<double>(std::ranges::count(live, role, &api::Worker::role));
    }
    auto devices = gauges("vitrine_worker_devices", "Devices of this name that draw in a worker");
    auto capacity = gauges("vitrine_worker_capacity", "What a worker does at the same time");
    auto load = gauges("vitrine_worker_load", "What a worker does");
    for (const auto& worker : live) {
        for (const auto& device : std::set(worker.devices.begin(), worker.devices.end()))
            add_gauge(devices, worker, {"device", device},
                      static_cast<double>(std::ranges::count(worker.devices, device)));
        add_gauge(capacity, worker, {"work", "viewers"}, worker.viewer_slots);
        add_gauge(capacity, worker, {"work", "draws"}, worker.draw_slots);
        add_gauge(load, worker, {"work", "viewers"}, worker.load.viewers);
        add_gauge(load, worker, {"work", "draws"}, worker.load.draws);
        add_gauge(load, worker, {"work", "imports"}, worker.load.imports);
    }
    for (auto* const family : {&roles, &devices, &capacity, &load})
        families.push_back(std::move(*family));
}

} // namespace

asio::awaitable<HandlerResult> get_health(Request&, BodySource&, Context&)
{
    auto response = text_response(200, "text/plain; charset=utf-8", "ok\n");
    response.headers.add("Cache-Control", "no-store");
    co_return response;
}

asio::awaitable<HandlerResult> get_readiness(Request&, BodySource&, Context& context)
{
    const auto probed = context.services.readiness.state();
    api::Readiness readiness{.catalog = probed.catalog, .stopping = context.stopping};
    add_devices(context.services.renders, readiness);
    const bool can_draw = readiness.device || !context.services.renders.draws();
    readiness.role = to_word(context.services.role);
    readiness.ready = readiness.catalog && can_draw && !readiness.stopping;
    // Without free space the server is still ready: it serves existing assets, so load balancers must keep
    // it.
    readiness.has_disk_space = probed.free_bytes >= context.limits.min_free_bytes;
    readiness.image_revision = image_revision;
    auto response = json_response(readiness.ready ? 200 : 503, api::to_json(readiness));
    response.headers.set("Cache-Control", "no-store");
    co_return response;
}

HandlerResult get_storage(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto& quota = context.services.quota;
    const auto use = quota.in_use();
    const auto limit = quota.limit_bytes();
    auto response = json_response(
        200, json::object{{"originalBytes", use.stored},
                          {"openUploadBytes", use.open},
                          {"quotaBytes", limit == 0 ? json::value(nullptr) : json::value(limit)},
                          {"uploadBytes", context.limits.max_upload_bytes}});
    response.headers.set("Cache-Control", "no-store");
    return response;
}

HandlerResult get_metrics(const Request&, Context& context)
{
    prometheus::TextSerializer serializer;
    auto families = context.registry.Collect();
    families.push_back(count_family("vitrine_event_streams", "Open streams of /v1/events",
                                    context.services.events.subscribers()));
    families.push_back(count_family("vitrine_previews", "Open live previews", context.viewers));
    const auto stale = context.services.catalog.count_stale_facts();
    families.push_back(count_family("vitrine_stale_assets",
                                    "Assets whose stored facts an older version has made", stale.assets));
    families.push_back(count_family("vitrine_refreshes_waiting",
                                    "Stale assets that this version has not tried", stale.waiting));
    add_workers(context.services.live_workers(), families);
    families.push_back(count_family("vitrine_render_requests_waiting", "Images that wait for a worker",
                                    context.services.render_queue.length()));
    families.push_back(count_family("vitrine_requests_awaiting_workers",
                                    "Requests of this process that wait for images of workers",
                                    context.image_waits.waiting()));
    families.push_back(count_family("vitrine_job_queue_length", "Imports that wait for a worker",
                                    context.services.catalog.queued_jobs()));
    std::ranges::move(process_families(), std::back_inserter(families));
    std::ranges::move(database_families(), std::back_inserter(families));
    families.push_back(build_family());
    families.push_back(gauge_family("vitrine_disk_free_bytes", "Free disk space of the data directory",
                                    static_cast<double>(free_bytes(context.data))));
    auto& quota = context.services.quota;
    families.push_back(count_family("vitrine_original_bytes",
                                    "Original files of all versions and the trash, each content once",
                                    quota.in_use().stored));
    families.push_back(
        count_family("vitrine_quota_bytes", "Limit of original files, 0: none", quota.limit_bytes()));
    auto response =
        text_response(200, "text/plain; version=0.0.4; charset=utf-8", serializer.Serialize(families));
    response.headers.set("Cache-Control", "no-store");
    return response;
}

HandlerResult get_api_document(const Request&, Context&)
{
    auto response = json_text_response(api::openapi_json());
    response.headers.add("Cache-Control", "no-cache");
    return response;
}

HandlerResult get_python_client(const Request&, Context&)
{
    auto response = text_response(200, "text/x-python; charset=utf-8", clients::python_client());
    response.headers.add("Cache-Control", "no-cache");
    return response;
}

HandlerResult get_api_page(const Request&, Context&)
{
    return text_response(200, "text/html; charset=utf-8", guide_page("api"));
}

} // namespace vitrine::server
