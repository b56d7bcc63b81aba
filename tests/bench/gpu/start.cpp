// The first picture of a process: child processes of gpu_report, each with the folders for shader caches.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "server/samples/models.hpp"
#include "tests/bench/gpu/parts.hpp"
#include "tests/bench/timing.hpp"
#include "tests/support/temp_dir.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

struct FirstPicture {
    double device_ms = 0.0, picture_ms = 0.0, process_ms = 0.0;
};

// The caches of Mesa, of NVIDIA's driver and of the renderer.
FirstPicture run_child(const std::string& device, const fs::path& caches)
{
    const auto program = fs::read_symlink("/proc/self/exe").string();
    if (program.contains('\'') || caches.string().contains('\''))
        throw std::runtime_error("a path contains an apostrophe");
    // No other thread is running.
    ::setenv("VITRINE_FIRST_PICTURE_DEVICE", device.c_str(), 1); // NOLINT(concurrency-mt-unsafe)
    const auto command = fmt::format("MESA_SHADER_CACHE_DIR='{0}' __GL_SHADER_DISK_CACHE_PATH='{0}' '{1}' "
                                     "--first-picture '{0}/pipelines'",
                                     caches.string(), program);
    const auto start = Clock::now();
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot start a process");
    std::array<char, 256> line{};
    const bool has_line = std::fgets(line.data(), line.size(), pipe) != nullptr;
    const bool succeeded = ::pclose(pipe) == 0;
    FirstPicture times{.process_ms = seconds_since(start) * 1e3};
    char* rest = line.data();
    times.device_ms = std::strtod(rest, &rest);
    times.picture_ms = std::strtod(rest, &rest);
    if (!has_line || !succeeded || times.picture_ms <= 0.0)
        throw std::runtime_error("the process of the first picture failed");
    return times;
}

json::object row_of(const char* what, const FirstPicture& times, std::size_t runs)
{
    return {{"caches", what},
            {"deviceMs", times.device_ms},
            {"pictureMs", times.picture_ms},
            {"processMs", times.process_ms},
            {"runs", runs}};
}

json::object median_row(const char* what, std::vector<FirstPicture> runs)
{
    std::ranges::sort(runs, {}, &FirstPicture::process_ms);
    return row_of(what, runs[runs.size() / 2], runs.size());
}

} // namespace

void render_first_picture(const std::string& device, const std::string& pipeline_cache)
{
    const auto start = Clock::now();
    render::disable_unused_drivers(device);
    double device_ms = 0.0, picture_ms = 0.0;
    {
        render::Renderer renderer({.device = device, .pipeline_cache = pipeline_cache});
        device_ms = seconds_since(start) * 1e3;
        const auto scene = std::make_shared<const scene::Scene>(samples::make_robot());
        const render::ClipTime clip_time{0, 0.3};
        renderer.render(scene, {.width = 512, .height = 512}, {&clip_time, 1});
        picture_ms = seconds_since(start) * 1e3;
    } // stores the pipelines
    std::printf("%.2f %.2f\n", device_ms, picture_ms);
}

json::value measure_start(const PartInput& input)
{
    constexpr std::size_t max_runs = 9;
    const auto start = Clock::now();
    std::vector<FirstPicture> cold, warm;
    while (cold.empty() || (seconds_since(start) < input.seconds && cold.size() < max_runs)) {
        const test::TempDir caches;
        cold.push_back(run_child(input.options.device, caches.path()));
        warm.push_back(run_child(input.options.device, caches.path()));
    }
    json::array rows;
    rows.push_back(median_row("empty", std::move(cold)));
    rows.push_back(median_row("of one process before", std::move(warm)));
    return json::object{{"rows", std::move(rows)}};
}

} // namespace vitrine::bench
