// bench_live [SECONDS] [PART]: the real server on a loopback port with one viewer: frames per second of a
// playing clip at 512 x 512, and the latency from a camera change to its image; then images by URL, warm,
// four at a time, and 24 frames as animated WebP; finally thumbnails of many small assets by one client and
// by eight, and turntables by four. No image is requested twice. `stills`: only images by URL; `thumbs`: only
// thumbnails; `turntables`: only those by four clients; `live`: only the viewer.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "tests/bench/timing.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/integration/preview_client.hpp"

namespace {

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::bench;

std::chrono::duration<double> span{4.0};

// A skinned tube with equal numbers of rings and sides and a clip of two seconds.
UploadFile tube_glb(std::uint32_t vertices)
{
    const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(vertices)));
    const auto bytes = exporting::write_glb(tube(vertices / side, side, 80, 4)).value();
    return {fmt::format("tube{}.glb", vertices), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

void bench_playing(int port, const std::string& asset, std::string_view name)
{
    WebSocket socket(port, asset);
    socket.say(
        R"({"type":"view","input":1,"width":512,"height":512,"clip":0,"playing":true,"loop":"repeat"})");
    for (int i = 0; i < 30; ++i) // until the size has settled
        acknowledge(socket, parse(socket.next_of(2)));
    const auto start = Clock::now();
    double frames = 0, widths = 0, bytes = 0;
    while (seconds_since(start) < span.count()) {
        const auto frame = parse(socket.next_of(2));
        if (frame.sequence == 0) break;
        acknowledge(socket, frame);
        ++frames;
        widths += frame.width;
        bytes += static_cast<double>(frame.payload.size());
    }
    const double took = seconds_since(start);
    std::printf("playing  %-16s %5.1f frames/s, %3.0f pixels wide, %5.1f kB a frame\n",
                std::string(name).c_str(), frames / took, widths / frames, bytes / frames / 1e3);
}

// Like a user dragging: a new angle as soon as the previous image arrives. `is_dragging`: the viewer reports
// the drag, as the web client does, and accepts reduced detail until it ends.
void bench_turning(int port, const std::string& asset, std::string_view name, bool is_dragging)
{
    WebSocket socket(port, asset);
    socket.say(R"({"type":"view","input":1,"width":512,"height":512})");
    acknowledge(socket, parse(socket.next_of(2)));
    std::vector<double> waits;
    const auto start = Clock::now();
    for (std::uint32_t input = 2; seconds_since(start) < span.count(); ++input) {
        const auto asked = Clock::now();
        socket.say(fmt::format(R"({{"type":"view","input":{},"moving":{},"camera":{{"yaw":{}}}}})", input,
                               is_dragging, 2 * input % 360));
        PreviewFrame frame;
        do {
            frame = parse(socket.next_of(2));
            acknowledge(socket, frame);
        } while (frame.sequence != 0 && frame.input < input);
        if (frame.sequence == 0) break;
        waits.push_back(seconds_since(asked) * 1e3);
    }
    std::printf("%-8s %-16s %5.1f pictures/s, from input to picture %.1f ms median, %.1f ms for 95 of 100\n",
                is_dragging ? "dragging" : "turning", std::string(name).c_str(),
                static_cast<double>(waits.size()) / seconds_since(start), share_of(waits, 0.5),
                share_of(waits, 0.95));
}

// Of all threads of the server.
double processor_seconds(pid_t pid)
{
    std::ifstream stat(fmt::format("/proc/{}/stat", pid));
    std::string word;
    for (int i = 0; i < 13; ++i)
        stat >> word;
    double user = 0.0, system = 0.0;
    stat >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// Seconds since the start in which tasks waited for the device or were run, in which the device had images,
// and in which it executed commands.
struct DeviceTime {
    double busy, in_flight, work;
};

DeviceTime device_time(int port)
{
    const auto metrics = get(port, "/metrics").body;
    const auto value = [&](const std::string& name) {
        const auto label = name + "{device=\"0\"} ";
        const auto at = metrics.find(label);
        return at == metrics.npos ? 0.0 : std::atof(metrics.c_str() + at + label.size());
    };
    return {value("vitrine_device_busy_seconds_total"), value("vitrine_device_in_flight_seconds_total"),
            value("vitrine_device_work_seconds_total")};
}

struct Rate {
    double a_second;
    double processor_ms; // of the server, per image
    double busy;         // fraction of the time in which tasks waited for the device or were run
    double in_flight;    // fraction of that in which the device had images
    double working;      // fraction of that in which it executed commands
};

std::string text_of(const Rate& rate)
{
    return fmt::format("{:5.1f} a second, {:.1f} ms each (processor {:.1f}), pictures wait {:.0f} % of the "
                       "time, of which the device has some {:.1f} % and works {:.1f} %",
                       rate.a_second, 1e3 / rate.a_second, rate.processor_ms, 100.0 * rate.busy,
                       100.0 * rate.in_flight, 100.0 * rate.working);
}

// Measures how many requests are answered; `path` returns the URL of each by its number.
Rate ask_all_the_time(const ServerProcess& server, int clients, const std::function<std::string(int)>& path)
{
    const int port = server.port();
    std::atomic<int> next = 0, good = 0;
    get(port, path(next++)); // warm-up
    const double before = processor_seconds(server.pid());
    const auto device_before = device_time(port);
    const auto start = Clock::now();
    {
        std::vector<std::jthread> threads;
        for (int c = 0; c < clients; ++c)
            threads.emplace_back([&] {
                while (seconds_since(start) < span.count())
                    good += get(port, path(next++)).status == 200 ? 1 : 0;
            });
    }
    const double took = seconds_since(start);
    const double processor = processor_seconds(server.pid()) - before;
    const auto device = device_time(port);
    const double busy = device.busy - device_before.busy;
    return {good / took, processor * 1e3 / good, busy / took,
            (device.in_flight - device_before.in_flight) / busy, (device.work - device_before.work) / busy};
}

void bench_stills(const ServerProcess& server, const std::string& asset, std::string_view name)
{
    const auto rate = ask_all_the_time(server, 4, [&](int i) {
        return fmt::format("/v1/assets/{}/render?w=512&h=512&format=jpeg&view={:.2f},12", asset, 0.25 * i);
    });
    std::printf("stills   %-16s 512 x 512 JPEG: %s\n", std::string(name).c_str(), text_of(rate).c_str());
}

// Like a library that is browsed for the first time.
void bench_thumbnails(const ServerProcess& server)
{
    std::vector<std::string> assets;
    for (std::uint32_t i = 0; i < 16; ++i)
        assets.push_back(import_asset(server.port(), {tube_glb(1'500 + 64 * i)}));
    int views = 0;
    for (const int clients : {1, 8}) {
        const auto rate = ask_all_the_time(server, clients, [&, first = views](int i) {
            return fmt::format("/v1/assets/{}/render?w=256&h=256&format=webp&view={:.2f},12",
                               assets[static_cast<std::size_t>(i) % assets.size()], 0.05 * (first + i));
        });
        views += 3000; // not requested by any client before
        std::printf("thumbs   16 assets, %d client%s, 256 x 256 WebP: %s\n", clients,
                    clients == 1 ? " " : "s", text_of(rate).c_str());
    }
}

// `kind`: turntable (one pose from all sides) or animation (one pose per frame).
void bench_motion(int port, const std::string& asset, std::string_view name, std::string_view kind)
{
    std::vector<double> times;
    for (int i = 0; i < 7; ++i) {
        const auto start = Clock::now();
        const auto reply =
            get(port, fmt::format("/v1/assets/{}/{}?clip=0&frames=24&size={}", asset, kind, 256 - i));
        if (reply.status != 200) std::printf("%d: %s\n", reply.status, reply.body.c_str());
        if (i > 0) times.push_back(seconds_since(start) * 1e3);
    }
    std::printf("%-9s %-16s %5.1f ms median, 24 frames of 256 x 256, animated WebP\n",
                std::string(kind).c_str(), std::string(name).c_str(), share_of(times, 0.5));
}

// Of one model or of several, each by clients that ask for the next one at once.
void bench_turntables(const ServerProcess& server, std::size_t models, int clients)
{
    std::vector<std::string> assets;
    for (std::uint32_t i = 0; i < models; ++i)
        assets.push_back(import_asset(server.port(), {tube_glb(2'000 + 64 * i)}));
    const auto rate = ask_all_the_time(server, clients, [&](int i) {
        return fmt::format("/v1/assets/{}/turntable?frames={}&size={}",
                           assets[static_cast<std::size_t>(i) % assets.size()], 24 + i % 8, 256 - i / 8 % 64);
    });
    std::printf(
        "turntables, models: %zu, clients: %d, 24 to 31 frames of up to 256 x 256, animated WebP: %s\n",
        models, clients, text_of(rate).c_str());
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1) span = std::chrono::duration<double>(std::atof(argv[1]));
    const std::string_view part = argc > 2 ? argv[2] : "";
    const TempDir folder;
    const ServerProcess server(folder.path() / "data");
    if (server.port() == 0) {
        std::printf("the server did not start: %s\n", server.line().c_str());
        return 1;
    }
    const std::pair<std::string, UploadFile> models[] = {{"2 k vertices", tube_glb(2'000)},
                                                         {"20 k vertices", tube_glb(20'000)},
                                                         {"200 k vertices", tube_glb(200'000)},
                                                         {"robot (samples)", robot_glb()}};
    for (const auto& [name, file] : models) {
        if (part == "thumbs" || part == "turntables") break;
        const auto asset = import_asset(server.port(), {file});
        if (asset.empty()) return 1;
        if (part != "live") bench_stills(server, asset, name);
        if (part == "stills") continue;
        bench_playing(server.port(), asset, name);
        bench_turning(server.port(), asset, name, false);
        bench_turning(server.port(), asset, name, true);
        if (part == "live") continue;
        bench_motion(server.port(), asset, name, "turntable");
        bench_motion(server.port(), asset, name, "animation");
    }
    const bool all = part.empty() || part == "stills";
    if (all || part == "thumbs") bench_thumbnails(server);
    if (!all && part != "turntables") return 0;
    bench_turntables(server, 1, 4);
    bench_turntables(server, 8, 4);
}
