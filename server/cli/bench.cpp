// Skinning of one model: on the CPU by a plain loop, vectorized, on all processors, and on the device.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <CLI/Validators.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "server/cli/command.hpp"
#include "server/cli/pose_options.hpp"
#include "server/cli/scene_file.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t measured_poses = 16;
constexpr double default_rate = 30.0; // frames a second of clips whose format has no rate

struct BenchArguments {
    std::string file;
    worker::ClientOptions loading;
    std::string clip;
    std::string gpu = "auto";
    std::string format = "text";
    double seconds = 1.0; // of each measurement
};

struct BenchInput {
    scene::SharedScene scene;
    std::uint32_t clip = scene::none;
    std::vector<double> times;      // seconds from the clip's start
    std::vector<scene::Pose> poses; // at `times`
    std::size_t vertices = 0;       // of all instances
    std::vector<scene::Instance> instances;
};

BenchInput make_input(scene::SharedScene scene, std::uint32_t clip)
{
    BenchInput input{.scene = std::move(scene), .clip = clip, .times = {}, .poses = {}, .instances = {}};
    const double duration = clip == scene::none ? 0.0 : input.scene->clips[clip].duration;
    for (std::size_t i = 0; i < measured_poses; ++i) {
        input.times.push_back(duration * static_cast<double>(i) / measured_poses);
        scene::sample_pose(*input.scene, clip, input.times.back(), input.poses.emplace_back());
    }
    input.instances = scene::find_instances(*input.scene);
    for (const auto& instance : input.instances)
        input.vertices += input.scene->meshes[instance.mesh].positions.size();
    return input;
}

// Calls run(), which skins so many vertices, at least twice and until the time is over.
template <class Run>
double vertices_per_second(double seconds, double vertices, const Run& run)
{
    const auto start = std::chrono::steady_clock::now();
    double elapsed = 0.0, skinned = 0.0;
    for (int runs = 0; runs < 2 || elapsed < seconds; ++runs) {
        run();
        skinned += vertices;
        elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return skinned / elapsed;
}

// Positions by the definition of linear skinning, one vertex after the other; no morph targets or frames.
void skin_plainly(const scene::Scene& scene, const scene::Instance& instance,
                  std::span<const scene::PaletteEntry> palette, std::vector<glm::vec3>& out)
{
    const auto& mesh = scene.meshes[instance.mesh];
    const auto& influences = mesh.influences;
    const auto entries = palette.subspan(instance.first_palette, instance.palette_count);
    out.resize(mesh.positions.size());
    for (std::size_t v = 0; v < out.size(); ++v) {
        const glm::vec4 position(mesh.positions[v], 1.0f);
        scene::PaletteEntry sum = entries.back(); // the node itself
        if (!influences.first.empty() && influences.first[v] != influences.first[v + 1]) {
            sum = {};
            for (auto i = influences.first[v]; i < influences.first[v + 1]; ++i)
                for (int row = 0; row < 3; ++row)
                    sum.row[row] += influences.weights[i] * entries[influences.joints[i]].row[row];
        }
        out[v] = {glm::dot(sum.row[0], position), glm::dot(sum.row[1], position),
                  glm::dot(sum.row[2], position)};
    }
}

double measure_plain_loop(const BenchInput& input, double seconds)
{
    std::vector<scene::PaletteEntry> palette(scene::palette_size(input.instances));
    std::vector<glm::vec3> out;
    return vertices_per_second(seconds, static_cast<double>(input.vertices * input.poses.size()), [&] {
        for (const auto& pose : input.poses) {
            scene::joint_palette(*input.scene, input.instances, pose, palette);
            for (const auto& instance : input.instances)
                skin_plainly(*input.scene, instance, palette, out);
        }
    });
}

// Each thread skins all poses, so that no thread waits for another one.
double measure_skinner(const BenchInput& input, double seconds, std::size_t threads, bool positions_alone)
{
    std::vector<double> rates(threads);
    std::vector<std::jthread> running;
    for (auto& rate : rates)
        running.emplace_back([&] {
            scene::Skinner skinner(*input.scene);
            const auto all = static_cast<double>(input.vertices * input.poses.size());
            rate = vertices_per_second(seconds, all, [&] {
                for (const auto& pose : input.poses)
                    positions_alone ? skinner.skin_positions(pose) : skinner.skin(pose);
            });
        });
    running.clear();
    return std::reduce(rates.begin(), rates.end());
}

// The time of the compute pass alone where the device has timestamps, else with the bounds and submission.
double measure_device(render::Renderer& renderer, const BenchInput& input, double seconds)
{
    const auto spent = [&] {
        const auto skinning = renderer.pass_times()[static_cast<std::size_t>(render::Pass::skinning)];
        return skinning.count() > 0 ? skinning : renderer.work_time();
    };
    const double duration = input.clip == scene::none ? 0.0 : input.scene->clips[input.clip].duration;
    std::vector<render::ClipTime> clip_times;
    double skinned = 0.0;
    int run = 0;
    const auto skin = [&] {
        clip_times.clear();
        ++run; // equal poses would not be skinned again
        for (std::size_t i = 0; i < measured_poses; ++i)
            clip_times.push_back(
                {input.clip, duration * (static_cast<double>(i) + 1.0 / (1 + run)) / measured_poses});
        renderer.bounds(input.scene, clip_times);
        skinned += static_cast<double>(input.vertices * measured_poses);
    };
    skin(); // compiles the shader; not counted
    const auto before = spent();
    const double skinned_before = skinned;
    vertices_per_second(seconds, 0.0, skin);
    return (skinned - skinned_before) / std::chrono::duration<double>(spent() - before).count();
}

// The largest distance between a vertex of the device and of the CPU, in all measured poses.
json::object largest_deviation(render::Renderer& renderer, const BenchInput& input)
{
    double farthest = 0.0;
    scene::Skinner skinner(*input.scene);
    glm::vec3 min(1e30f), max(-1e30f);
    for (std::size_t i = 0; i < input.times.size(); ++i) {
        const auto on_device = renderer.skin(input.scene, {input.clip, input.times[i]});
        const auto on_cpu = skinner.skin_positions(input.poses[i]);
        for (std::size_t m = 0; m < on_cpu.size(); ++m)
            for (std::size_t v = 0; v < on_cpu[m].positions.size(); ++v) {
                const auto& expected = on_cpu[m].positions[v];
                min = glm::min(min, expected);
                max = glm::max(max, expected);
                farthest = std::max(
                    farthest, glm::distance(glm::dvec3(expected), glm::dvec3(on_device[m].positions[v])));
            }
    }
    const auto size = max - min; // the largest side is that of the model
    return {{"meters", farthest},
            {"ofSize", farthest / std::max({double{size.x}, double{size.y}, double{size.z}, 1e-30})}};
}

// Bytes of a clip's keys, and of its joint matrices if they were stored for each frame.
json::object clip_bytes(const BenchInput& input)
{
    const auto& clip = input.scene->clips[input.clip];
    std::size_t keys = 0;
    for (const auto& channel : clip.channels)
        keys += (channel.times.size() + channel.values.size()) * sizeof(float);
    const double rate = clip.frame_rate > 0.0 ? clip.frame_rate : default_rate;
    const double frames = std::floor(clip.duration * rate) + 1.0;
    const double baked = frames * scene::palette_size(input.instances) * sizeof(scene::PaletteEntry);
    return {{"name", clip.name}, {"framesPerSecond", rate}, {"keyBytes", keys}, {"matrixBytes", baked}};
}

json::object row_of(const char* name, double vertices_per_second, std::size_t threads = 1)
{
    return {{"name", name}, {"threads", threads}, {"verticesPerSecond", vertices_per_second}};
}

json::array measure_cpu(const BenchInput& input, double seconds)
{
    const std::size_t all = std::max(std::thread::hardware_concurrency(), 1u);
    return {
        row_of("CPU, plain loop, positions", measure_plain_loop(input, seconds)),
        row_of("CPU, vectorized, positions", measure_skinner(input, seconds, 1, true)),
        row_of("CPU, vectorized, positions, all threads", measure_skinner(input, seconds, all, true), all),
        row_of("CPU, with normals and tangents", measure_skinner(input, seconds, 1, false)),
        row_of("CPU, with normals and tangents, all threads", measure_skinner(input, seconds, all, false),
               all)};
}

json::object report_of(const BenchInput& input, json::array rows, json::object deviation,
                       const std::string& device)
{
    return {{"vertices", input.vertices},
            {"paletteEntries", scene::palette_size(input.instances)},
            {"device", device},
            {"rows", std::move(rows)},
            {"largestDeviation", std::move(deviation)},
            {"clip", input.clip == scene::none ? json::value(nullptr) : json::value(clip_bytes(input))}};
}

void print_text(const json::object& report)
{
    fmt::print("{} vertices, {} joint matrices, {} poses; {}\n", report.at("vertices").as_uint64(),
               report.at("paletteEntries").to_number<std::uint64_t>(), measured_poses,
               report.at("device").as_string().c_str());
    for (const auto& row : report.at("rows").as_array())
        fmt::print("{:<52} {:>9.2f} million vertices/s\n", row.at("name").as_string().c_str(),
                   row.at("verticesPerSecond").as_double() / 1e6);
    const auto& deviation = report.at("largestDeviation");
    fmt::print("largest deviation of the device from the CPU: {:.3g} m, {:.2g} of the model's size\n",
               deviation.at("meters").as_double(), deviation.at("ofSize").as_double());
    if (report.at("clip").is_null()) return;
    const auto& clip = report.at("clip").as_object();
    fmt::print("clip '{}': {:.1f} kB of keys, {:.1f} kB as matrices at {:g} frames/s\n",
               clip.at("name").as_string().c_str(), clip.at("keyBytes").to_number<double>() / 1e3,
               clip.at("matrixBytes").as_double() / 1e3, clip.at("framesPerSecond").as_double());
}

int bench(const BenchArguments& arguments)
{
    auto loaded = load_or_report(arguments.file, arguments.loading);
    if (!loaded) return 1;
    std::uint32_t clip = loaded->clips.empty() ? scene::none : 0;
    if (!arguments.clip.empty()) {
        const auto selected = select_clip(*loaded, arguments.clip);
        if (!selected) {
            fmt::print(stderr, "vitrine: {}: --clip: {}\n", arguments.file, selected.error());
            return 1;
        }
        clip = *selected;
    }
    const auto input = make_input(std::make_shared<const scene::Scene>(std::move(*loaded)), clip);
    if (input.vertices == 0) {
        report_error(arguments.file, {LoadErrc::empty, "", "the model has no visible mesh to skin"});
        return 1;
    }
    auto rows = measure_cpu(input, arguments.seconds);
    render::disable_unused_drivers(arguments.gpu);
    try {
        render::Renderer renderer({.device = arguments.gpu, .measures_passes = true});
        rows.push_back(row_of("device, with normals and tangents",
                              measure_device(renderer, input, arguments.seconds), 0));
        const auto report =
            report_of(input, std::move(rows), largest_deviation(renderer, input), renderer.info().name);
        if (arguments.format == "json")
            fmt::print("{}\n", api::to_pretty_text(report));
        else
            print_text(report);
        return 0;
    } catch (const render::RenderError& error) {
        fmt::print(stderr, "vitrine: {}: {}\n", arguments.file, error.what());
    }
    return 1;
}

} // namespace

Action declare_bench(CLI::App& app)
{
    auto arguments = std::make_shared<BenchArguments>();
    add_file_options(app, arguments->file, arguments->loading);
    arguments->loading.pixels = worker::PixelResult::left_out;
    app.add_option("--clip", arguments->clip,
                   "Clip: name, id (c0), index or part of the name; default: the first");
    app.add_option("--seconds", arguments->seconds, "Time of each measurement")
        ->check(CLI::Range(0.01, 60.0))
        ->capture_default_str();
    app.add_option("--format", arguments->format, "text or json")
        ->capture_default_str()
        ->check(CLI::IsMember({"text", "json"}));
    app.add_option(
           "--gpu", arguments->gpu,
           "auto, gpu, software, an index, or part of a name that contains a letter (see `vitrine doctor`)")
        ->capture_default_str();
    return [arguments] { return bench(*arguments); };
}

} // namespace vitrine::cli
