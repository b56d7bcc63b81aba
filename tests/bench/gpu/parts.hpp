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
// Skinned vertices per second, and the share of the memory's rate that their least traffic takes.
boost::json::value measure_skinning(const PartInput& input);
// Triangles and pixels per second, from the request to pixels in host memory.
boost::json::value measure_drawing(const PartInput& input);
// Copies alone and while another device of the process draws on the same card.
boost::json::value measure_beside_drawing(const PartInput& input);
// Pictures per second by size and number in one call, of one scene and of new scenes.
boost::json::value measure_stills(const PartInput& input);
// Microseconds of the device's time in each pass, per picture, by timestamps.
boost::json::value measure_passes(const PartInput& input);
// Microseconds of the device's time for resolving a picture by fragments and in compute.
boost::json::value measure_resolve(const PartInput& input);
// Images encoded per second by format and number of threads.
boost::json::value measure_encoders(const PartInput& input);
// Time to a process's first picture without and with what drivers and the renderer have stored on disk.
boost::json::value measure_start(const PartInput& input);
// Of the child processes of measure_start(): renders and prints two times, in milliseconds: until the device
// is ready, until the first picture.
void render_first_picture(const std::string& device, const std::string& pipeline_cache);

} // namespace vitrine::bench
