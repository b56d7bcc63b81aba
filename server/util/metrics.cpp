#include "server/util/metrics.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <sys/resource.h>
#include <unistd.h>

namespace vitrine::server {
namespace {

using prometheus::Labels;
using prometheus::Registry;

prometheus::Counter& counter(Registry& registry, const std::string& name, const std::string& help,
                             const Labels& labels = {})
{
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add(labels);
}

prometheus::Gauge& gauge(Registry& registry, const std::string& name, const std::string& help,
                         const Labels& labels = {})
{
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add(labels);
}

prometheus::Histogram& seconds(Registry& registry, const std::string& name, const std::string& help,
                               const Labels& labels = {})
{
    static constexpr double bounds[] = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry).Add(
        labels, prometheus::Histogram::BucketBoundaries(std::begin(bounds), std::end(bounds)));
}

ImportStageSeconds import_stage_seconds(Registry& registry)
{
    const auto stage = [&](const std::string& name) -> prometheus::Histogram& {
        return seconds(registry, "vitrine_import_stage_seconds",
                       "Time of imports and refreshes in each stage", {{"stage", name}});
    };
    return {.queue = stage("queue"),
            .load = stage("load"),
            .bounds = stage("bounds"),
            .thumbnail = stage("thumbnail"),
            .store = stage("store")};
}

JobCounters jobs(Registry& registry, const std::string& name, const std::string& help)
{
    const auto ended = [&](const std::string& outcome) -> prometheus::Counter& {
        return counter(registry, name, help, {{"outcome", outcome}});
    };
    return {.succeeded = ended("succeeded"), .failed = ended("failed"), .cancelled = ended("cancelled")};
}

prometheus::Counter& renders(Registry& registry, const std::string& priority)
{
    return counter(registry, "vitrine_renders_total", "Tasks run by the render threads",
                   {{"priority", priority}});
}

} // namespace

Metrics::Metrics(Registry& registry)
    : imports(jobs(registry, "vitrine_imports_total", "Ended imports by result")),
      refreshes(jobs(registry, "vitrine_refreshes_total", "Ended refreshes of stored facts by result")),
      imports_retried(counter(registry, "vitrine_imports_retried_total",
                              "Imports returned to the queue for a later attempt")),
      import_queue(gauge(registry, "vitrine_import_queue_length", "Imports waiting")),
      import_seconds(
          seconds(registry, "vitrine_import_seconds", "Time from the first claim of an import to its end")),
      import_stages(import_stage_seconds(registry)),
      upload_bytes(counter(registry, "vitrine_upload_bytes_total", "Bytes of files of new assets")),
      blobs_removed(counter(registry, "vitrine_blobs_removed_total", "Unreferenced blobs removed")),
      renders_interactive(renders(registry, "interactive")), renders_image(renders(registry, "image")),
      renders_batch(renders(registry, "batch")),
      renders_rejected(
          counter(registry, "vitrine_renders_rejected_total", "Tasks rejected because the queue was full")),
      models_quarantined(gauge(registry, "vitrine_models_quarantined",
                               "Models quarantined after the loss of two render devices")),
      render_seconds(seconds(registry, "vitrine_render_seconds", "Time of one task on a render thread")),
      scene_hits(counter(registry, "vitrine_scene_hits_total", "Scenes found in memory")),
      scene_misses(counter(registry, "vitrine_scene_misses_total", "Scenes decoded or loaded")),
      scene_bytes(gauge(registry, "vitrine_scene_bytes", "Memory of cached scenes")),
      posted_bytes(gauge(registry, "vitrine_posted_bytes", "Memory of models in the bodies of requests")),
      scene_copy_bytes(gauge(registry, "vitrine_scene_copy_bytes",
                             "Memory of scenes that requests have made or sent, cached ones included")),
      derived_hits(counter(registry, "vitrine_derived_hits_total", "Derived files found")),
      derived_misses(counter(registry, "vitrine_derived_misses_total", "Derived files created")),
      derived_evictions(counter(registry, "vitrine_derived_evictions_total", "Derived files evicted")),
      derived_bytes(gauge(registry, "vitrine_derived_bytes", "Disk space of derived files")),
      registry_(&registry)
{
}

DeviceMetrics Metrics::device(std::size_t number)
{
    const Labels of{{"device", std::to_string(number)}};
    auto& in = *registry_;
    return {.is_available = gauge(in, "vitrine_device_up", "Whether the render device is available", of),
            .losses = counter(in, "vitrine_devices_lost_total", "Losses of the render device", of),
            .tasks = counter(in, "vitrine_device_tasks_total", "Tasks given to the device", of),
            .busy_seconds = counter(in, "vitrine_device_busy_seconds_total",
                                    "Time in which tasks waited or were run", of),
            .work_seconds = counter(in, "vitrine_device_work_seconds_total",
                                    "Time in which the device executed commands", of),
            .in_flight_seconds = counter(in, "vitrine_device_in_flight_seconds_total",
                                         "Time in which submitted images were not finished", of),
            .bytes = gauge(in, "vitrine_gpu_memory_bytes", "Used memory of the render device", of),
            .budget = gauge(in, "vitrine_gpu_memory_budget_bytes", "Memory budget of the render device", of),
            .queue = gauge(in, "vitrine_render_queue_length", "Tasks waiting for the device", of)};
}

SharedDerivedMetrics Metrics::shared_derived()
{
    auto& in = *registry_;
    const auto lookups = [&](const std::string& outcome) -> prometheus::Counter& {
        return counter(in, "vitrine_shared_derived_lookups_total",
                       "Derived files that were looked for in the shared store, by result",
                       {{"outcome", outcome}});
    };
    const auto files = [&](const std::string& outcome) -> prometheus::Counter& {
        return counter(in, "vitrine_shared_derived_files_total",
                       "Derived files for the shared store, by what became of them", {{"outcome", outcome}});
    };
    return {.found = lookups("found"),
            .missing = lookups("missing"),
            .damaged = lookups("damaged"),
            .unanswered = lookups("unanswered"),
            .stored = files("stored"),
            .known = files("known"),
            .dropped = files("dropped"),
            .removed = counter(in, "vitrine_shared_derived_removed_total",
                               "Derived files that this process removed from the shared store"),
            .bytes = gauge(in, "vitrine_shared_derived_bytes",
                           "Size of the shared store of derived files, estimated"),
            .is_available =
                gauge(in, "vitrine_shared_derived_up", "Whether the shared store of derived files answers")};
}

prometheus::MetricFamily gauge_family(const std::string& name, const std::string& help, double value)
{
    prometheus::ClientMetric metric;
    metric.gauge.value = value;
    return {name, help, prometheus::MetricType::Gauge, {std::move(metric)}};
}

namespace {

// The fields of /proc/self/stat after the name of the program (proc(5)), from field 3 on; 0 for missing ones.
struct ProcessStat {
    double processor_ticks = 0, start_ticks = 0, virtual_bytes = 0, resident_pages = 0;
};

ProcessStat read_process_stat()
{
    std::ifstream file("/proc/self/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(std::min(line.rfind(')') + 1, line.size())));
    std::vector<std::string> values(std::istream_iterator<std::string>(fields), {});
    const auto at = [&](std::size_t field) { // counted from 1, as in proc(5)
        return field - 3 < values.size() ? std::strtod(values[field - 3].c_str(), nullptr) : 0.0;
    };
    return {at(14) + at(15), at(22), at(23), at(24)};
}

double boot_time()
{
    std::ifstream file("/proc/stat");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("btime ")) return std::strtod(line.c_str() + 6, nullptr);
    return 0.0;
}

double count_open_files()
{
    std::error_code error;
    const std::filesystem::directory_iterator files("/proc/self/fd", error);
    return static_cast<double>(std::distance(begin(files), end(files)));
}

double max_open_files()
{
    struct rlimit limit{};
    return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<double>(limit.rlim_cur) : 0.0;
}

} // namespace

std::vector<prometheus::MetricFamily> process_families()
{
    const auto stat = read_process_stat();
    const auto tick = static_cast<double>(::sysconf(_SC_CLK_TCK));
    prometheus::ClientMetric processor_time;
    processor_time.counter.value = stat.processor_ticks / tick;
    return {
        {"process_cpu_seconds_total",
         "Processor time of this process, in seconds",
         prometheus::MetricType::Counter,
         {std::move(processor_time)}},
        gauge_family("process_resident_memory_bytes", "Resident memory of this process",
                     stat.resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE))),
        gauge_family("process_virtual_memory_bytes", "Virtual memory of this process", stat.virtual_bytes),
        gauge_family("process_open_fds", "Open files of this process", count_open_files()),
        gauge_family("process_max_fds", "Limit of open files of this process", max_open_files()),
        gauge_family("process_start_time_seconds", "Start of this process, seconds since 1970",
                     boot_time() + stat.start_ticks / tick)};
}

} // namespace vitrine::server
