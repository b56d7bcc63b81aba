#pragma once
// What the services count. Made once over the registry that /metrics serves; every member may be used from
// any thread and lives as long as the registry.

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

namespace vitrine::server {

struct Metrics {
    explicit Metrics(prometheus::Registry& registry);

    prometheus::Counter& imports_succeeded;
    prometheus::Counter& imports_failed;
    prometheus::Counter& imports_cancelled;
    prometheus::Counter& imports_retried;
    prometheus::Gauge& import_queue;
    prometheus::Histogram& import_seconds;
    prometheus::Counter& upload_bytes;
    prometheus::Counter& blobs_swept;

    prometheus::Counter& renders_interactive;
    prometheus::Counter& renders_picture;
    prometheus::Counter& renders_batch;
    prometheus::Counter& renders_refused; // a queue was full
    prometheus::Counter& devices_lost;
    prometheus::Gauge& models_quarantined;
    prometheus::Gauge& device_bytes;
    prometheus::Gauge& device_budget;
    prometheus::Gauge& render_queue;
    prometheus::Histogram& render_seconds;

    prometheus::Counter& scene_hits;
    prometheus::Counter& scene_misses;
    prometheus::Gauge& scene_bytes;
    prometheus::Counter& derived_hits;
    prometheus::Counter& derived_misses;
    prometheus::Counter& derived_evictions;
    prometheus::Gauge& derived_bytes;
};

} // namespace vitrine::server
