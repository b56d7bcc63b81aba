#pragma once
// The measurements of gpu_report. Each part makes its own device, so that one that fails or loses its device
// leaves the others alone.

#include <string>

#include <boost/json/value.hpp>

#include "vk_renderer/base/options.hpp"

namespace vitrine::bench {

struct PartInput {
    render::Options options; // the device
    bool software = false;   // less work
    double seconds = 20.0;   // for the whole part; each measurement in it runs at least once
    // Bytes read and written per second by copies on the device; 0: not measured.
    double memory_bytes_per_second = 0.0;
};

// Copies on the device, in both directions between host and device, and reads by the host, in GB/s.
boost::json::value measure_memory(const PartInput& input);

} // namespace vitrine::bench
