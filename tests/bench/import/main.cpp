// bench_import [library|small] [character] [scan] [smooth-scan] [start]: how long users of the real server
// wait for new assets; all parts without arguments. Prints rows of a table: measure, value. Times are
// wall-clock, processor times those of the server and of its loader processes.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "tests/bench/import/figures.hpp"
#include "tests/bench/import/model_files.hpp"
#include "tests/integration/preview_client.hpp"

namespace {

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::bench;
double ended_imports(int port)
{
    return metric(port, "vitrine_imports_total");
}

void upload_all(int port, const std::vector<UploadFile>& models)
{
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> clients;
    for (int c = 0; c < 4; ++c)
        clients.emplace_back([&] {
            for (auto i = next++; i < models.size(); i = next++)
                if (const auto reply = upload(port, {models[i]}); reply.status >= 300)
                    std::printf("%s: %d %s\n", models[i].name.c_str(), reply.status, reply.body.c_str());
        });
}

// What is made when it is first requested: how long the first asker waits. Each kind is requested of other
// models, so that no request finds what another has loaded.
void bench_first_requests(int port)
{
    struct Kind {
        std::string_view name, path;
    };
    static constexpr std::array kinds{Kind{"a sprite sheet, 16 frames of 192 x 192", "sprite"},
                                      Kind{"a thumbnail of 512 pixels", "thumbnail?size=512"},
                                      Kind{"the mesh as OBJ", "mesh"},
                                      Kind{"the model as GLB", "export.glb"}};
    constexpr int models = 40; // of each kind; fewer in a small library
    const auto list = get(port, fmt::format("/v1/assets?limit={}", kinds.size() * models)).json();
    const auto found = list.at("items").as_array().size();
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        std::vector<double> times;
        for (std::size_t i = kind; i < found; i += kinds.size()) {
            const auto path = fmt::format("/v1/assets/{}/{}", text_at(list, fmt::format("/items/{}/id", i)),
                                          kinds[kind].path);
            const auto start = Clock::now();
            if (get(port, path).status == 200) times.push_back(1e3 * seconds_since(start));
        }
        print_row(fmt::format("first request of {}, ms", kinds[kind].name),
                  fmt::format("p50 {:.0f}, p95 {:.0f} ({} models)", share_of(times, 0.5),
                              share_of(times, 0.95), times.size()));
    }
}

void wait_for_device(int port)
{
    while (get(port, "/readyz").status != 200)
        std::this_thread::sleep_for(1ms);
}

void bench_library(std::size_t count)
{
    const TempDir folder;
    const ServerProcess server(folder.path() / "data", {"--log", "error"});
    const int port = server.port();
    wait_for_device(port);
    const auto models = small_models(count);
    const auto before = processor_time(server.pid());
    const auto start = Clock::now();
    upload_all(port, models);
    const double uploaded = seconds_since(start);
    const bool all_ended = eventually(
        [&] {
            std::this_thread::sleep_for(50ms);
            return metric(port, "vitrine_import_queue_length") == 0.0 &&
                   ended_imports(port) >= static_cast<double>(count);
        },
        600s);
    const double took = seconds_since(start);
    const auto after = processor_time(server.pid());
    const double good = metric(port, "vitrine_imports_total{outcome=\"succeeded\"}");
    print_row(fmt::format("{} small models: imported with thumbnails a second", count),
              fmt::format("{:.1f} ({:.0f} succeeded in {:.1f} s, uploads {:.1f} s{})", good / took, good,
                          took, uploaded, all_ended ? "" : "; not all ended"));
    print_row("tasks of render threads an asset",
              fmt::format("{:.2f} ({:.0f}; images {:.0f}, batches {:.0f}; images and boxes {:.0f})",
                          metric(port, "vitrine_renders_total") / good, metric(port, "vitrine_renders_total"),
                          metric(port, "vitrine_renders_total{priority=\"image\"}"),
                          metric(port, "vitrine_renders_total{priority=\"batch\"}"),
                          metric(port, "vitrine_device_tasks_total")));
    print_row("processor time an asset, ms: server user, system, loader processes",
              fmt::format("{:.1f}, {:.1f}, {:.1f}; render thread busy {:.1f} s",
                          1e3 * (after.user - before.user) / good,
                          1e3 * (after.system - before.system) / good,
                          1e3 * (after.children - before.children) / good,
                          metric(port, "vitrine_device_busy_seconds_total")));
    bench_first_requests(port);
}

// Returns milliseconds from the first byte of the upload to the answered thumbnail; negative: none.
double upload_to_thumbnail(int port, const UploadFile& model, std::string* asset = nullptr)
{
    const auto start = Clock::now();
    const auto reply = upload(port, {model});
    if (reply.status != 201) return -1.0;
    const auto id = text_at(reply.json(), "/items/0/asset/id");
    if (asset != nullptr) *asset = id;
    const auto path = "/v1/assets/" + id + "/thumbnail";
    int status = 0;
    eventually([&] {
        status = get(port, path).status;
        if (status == 202) std::this_thread::sleep_for(8ms);
        return status != 503 && status != 202;
    });
    if (status != 200) std::printf("thumbnail of %s: status %d\n", model.name.c_str(), status);
    return status == 200 ? 1e3 * seconds_since(start) : -1.0;
}

void bench_character(int uploads)
{
    const TempDir folder;
    const ServerProcess server(folder.path() / "data", {"--log", "error"});
    wait_for_device(server.port());
    const auto model = character_glb();
    std::vector<double> times, ends;
    double processor = 0.0;
    for (int i = 0; i < uploads; ++i) {
        const auto before = processor_time(server.pid());
        const auto start = Clock::now();
        times.push_back(upload_to_thumbnail(server.port(), renumbered(model, static_cast<std::uint32_t>(i))));
        eventually([&] { return ended_imports(server.port()) >= i + 1; });
        ends.push_back(1e3 * seconds_since(start));
        const auto after = processor_time(server.pid());
        processor +=
            after.user + after.system + after.children - before.user - before.system - before.children;
    }
    print_row(
        model.name + ": upload to thumbnail, ms",
        fmt::format("p50 {:.0f}, p95 {:.0f}, max {:.0f} (end of the import: p50 {:.0f}; processor {:.0f})",
                    share_of(times, 0.5), share_of(times, 0.95), share_of(times, 1.0), share_of(ends, 0.5),
                    1e3 * processor / uploads));
}

// Measures the time until the last frame after the end of a motion.
void bench_rest(WebSocket& socket, std::uint32_t input)
{
    const auto rest = Clock::now();
    socket.say(fmt::format(R"({{"type":"view","input":{},"moving":false}})", input));
    PreviewFrame frame, last;
    double sharp = 0.0;
    while ((frame = parse(socket.next_of(2, 10s))).sequence != 0) {
        acknowledge(socket, frame);
        last = frame;
        sharp = seconds_since(rest);
    }
    print_row("last frame at rest", fmt::format("{}x{}, flags {}, {:.2f} s after the end of the motion",
                                                last.width, last.height, last.flags, sharp));
}

// Turns the model as a user who drags it, then waits for the image at rest. Counts the end of the
// time, when the level of detail exists.
void bench_dragging(const ServerProcess& server, const std::string& asset)
{
    constexpr double drag_seconds = 40.0, counted_seconds = 5.0;
    WebSocket socket(server.port(), asset);
    const auto start_live = Clock::now();
    socket.say(R"({"type":"view","input":1,"width":512,"height":512})");
    acknowledge(socket, parse(socket.next_of(2)));
    const double first = seconds_since(start_live);
    std::vector<double> ends;
    std::uint32_t input = 2;
    double used = 0.0;
    const auto start = Clock::now();
    for (; seconds_since(start) < drag_seconds; ++input) {
        socket.say(fmt::format(R"({{"type":"view","input":{},"moving":true,"camera":{{"yaw":{}}}}})", input,
                               2 * input % 360));
        PreviewFrame frame;
        do {
            frame = parse(socket.next_of(2));
            acknowledge(socket, frame);
        } while (frame.sequence != 0 && frame.input < input);
        if (frame.sequence == 0) break;
        if (seconds_since(start) < drag_seconds - counted_seconds)
            used = processor_time(server.pid()).sum();
        else
            ends.push_back(seconds_since(start));
    }
    used = processor_time(server.pid()).sum() - used;
    const auto frames = static_cast<double>(ends.size());
    print_row("live frames a second while moving",
              fmt::format("{:.1f} (processor {:.1f} ms a frame; first frame after {:.2f} s)",
                          frames / counted_seconds, 1e3 * used / std::max(frames, 1.0), first));
    bench_rest(socket, input);
}

void bench_scan(std::uint32_t triangles, bool normals)
{
    const TempDir folder;
    const ServerProcess server(folder.path() / "data", {"--log", "error"});
    wait_for_device(server.port());
    const auto model = scan_glb(triangles, normals);
    std::string asset;
    const auto before = processor_time(server.pid());
    const double took = upload_to_thumbnail(server.port(), model, &asset);
    const auto after = processor_time(server.pid());
    print_row(fmt::format("{} of {} triangles, {} MB: upload to thumbnail", model.name, triangles,
                          model.bytes.size() / 1'000'000),
              took < 0.0 ? "rejected"
                         : fmt::format("{:.2f} s (processor: server {:.2f} s, loader {:.2f} s)", took / 1e3,
                                       after.user + after.system - before.user - before.system,
                                       after.children - before.children));
    eventually([&] { return ended_imports(server.port()) >= 1.0; });
    const auto ended = processor_time(server.pid());
    get(server.port(), "/v1/assets/" + asset + "/thumbnail");
    print_row("processor time: rest of the import; second request of the thumbnail",
              fmt::format("{:.2f} s; {:.2f} s", ended.sum() - after.sum(),
                          processor_time(server.pid()).sum() - ended.sum()));
    if (took >= 0.0) bench_dragging(server, asset);
}

void bench_start(int rounds)
{
    const TempDir folder;
    const auto data = folder.path() / "data";
    std::string asset;
    {
        ServerProcess server(data, {"--log", "error"});
        asset = import_asset(server.port(), {robot_glb()});
        get(server.port(), fmt::format("/v1/assets/{}/render?w=300&h=300", asset));
        server.signal(SIGTERM);
        server.wait();
    }
    std::vector<double> ready, thumbnail, live;
    for (int i = 0; i < rounds; ++i) {
        for (const bool is_live : {false, true}) {
            const auto start = Clock::now();
            ServerProcess server(data, {"--log", "error"});
            if (!is_live) ready.push_back(1e3 * seconds_since(start));
            if (is_live) {
                WebSocket socket(server.port(), asset);
                socket.say(R"({"type":"view","input":1,"width":512,"height":512})");
                socket.next_of(2);
            } else {
                get(server.port(),
                    fmt::format("/v1/assets/{}/render?w={}&h=256&format=webp", asset, 200 + i));
            }
            (is_live ? live : thumbnail).push_back(1e3 * seconds_since(start));
            server.signal(SIGTERM);
            server.wait();
        }
    }
    print_row("start with warm caches, ms: ready; first new image; first live frame",
              fmt::format("{:.0f}; {:.0f}; {:.0f}", share_of(ready, 0.5), share_of(thumbnail, 0.5),
                          share_of(live, 0.5)));
}

} // namespace

int main(int argc, char** argv)
{
    const auto wants = [&](std::string_view part) {
        return argc == 1 ||
               std::any_of(argv + 1, argv + argc, [&](const char* word) { return part == word; });
    };
    if (wants("library")) bench_library(300);
    if (argc > 1 && wants("small")) bench_library(60);
    if (wants("character")) bench_character(20);
    if (wants("scan")) bench_scan(3'000'000, false);
    if (wants("smooth-scan")) bench_scan(3'000'000, true);
    if (wants("start")) bench_start(5);
}
