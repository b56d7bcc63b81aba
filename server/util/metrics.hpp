#pragma once
// Metrics of the services. Created once over the registry that /metrics serves; every member may be used from
// any thread and lives as long as the registry.

#include <cstddef>
#include <string>
#include <vector>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>

namespace vitrine::server {

// Metrics of one device, labeled by its number.
struct DeviceMetrics {
    prometheus::Gauge& is_available; // 1 or 0
    prometheus::Counter& losses;
    prometheus::Counter& tasks;             // tasks, including failed ones
    prometheus::Counter& busy_seconds;      // seconds in which tasks waited or were run
    prometheus::Counter& work_seconds;      // seconds in which the device executed commands
    prometheus::Counter& in_flight_seconds; // seconds in which images were submitted that were not finished
    prometheus::Gauge& bytes;
    prometheus::Gauge& budget;
    prometheus::Gauge& queue;
};

// Ended jobs of one kind by result.
struct JobCounters {
    prometheus::Counter& succeeded;
    prometheus::Counter& failed;
    prometheus::Counter& cancelled;
};

// Time of imports and refreshes in each stage.
struct ImportStageSeconds {
    prometheus::Histogram& queue; // from the upload to the first claim, of imports
    prometheus::Histogram& load;  // the loader process
    prometheus::Histogram& bounds;
    prometheus::Histogram& thumbnail;
    prometheus::Histogram& store; // writes of results to the catalog
};

// Of the store of derived files that several processes share.
struct SharedDerivedMetrics {
    prometheus::Counter& found; // lookups by result
    prometheus::Counter& missing;
    prometheus::Counter& damaged;
    prometheus::Counter& unanswered; // the store is gone or too slow
    prometheus::Counter& stored;     // files by what became of them
    prometheus::Counter& known;      // the store has them already
    prometheus::Counter& dropped;    // the queue is full, or the store is gone
    prometheus::Counter& removed;    // by this process, above the limit
    prometheus::Gauge& bytes;        // of all processes, estimated from the part that was listed last
    prometheus::Gauge& is_available; // 1 or 0
};

struct Metrics {
    explicit Metrics(prometheus::Registry& registry);

    DeviceMetrics device(std::size_t number);
    SharedDerivedMetrics shared_derived();

    JobCounters imports;
    JobCounters refreshes;
    prometheus::Counter& imports_retried;
    prometheus::Gauge& import_queue;
    prometheus::Histogram& import_seconds;
    ImportStageSeconds import_stages;
    prometheus::Counter& upload_bytes;
    prometheus::Counter& blobs_removed;

    prometheus::Counter& renders_interactive;
    prometheus::Counter& renders_image;
    prometheus::Counter& renders_batch;
    prometheus::Counter& renders_rejected; // because a queue was full
    prometheus::Gauge& models_quarantined;
    prometheus::Histogram& render_seconds;

    prometheus::Counter& scene_hits;
    prometheus::Counter& scene_misses;
    prometheus::Gauge& scene_bytes;
    prometheus::Gauge& posted_bytes;     // of models in the bodies of requests
    prometheus::Gauge& scene_copy_bytes; // of scenes that requests make, also those in the cache
    prometheus::Counter& derived_hits;
    prometheus::Counter& derived_misses;
    prometheus::Counter& derived_evictions;
    prometheus::Gauge& derived_bytes;

private:
    prometheus::Registry* registry_;
};

// One metric of the kind gauge, as it is now.
prometheus::MetricFamily gauge_family(const std::string& name, const std::string& help, double value);
// What the operating system knows of this process, with the names that Prometheus' client libraries give
// these: processor time, memory, open files, start. Reads /proc/self.
std::vector<prometheus::MetricFamily> process_families();

} // namespace vitrine::server
