// bench_viewers [SECONDS] [VIEWERS]: the real server on a loopback port with many live previews of a playing
// clip, 2 k vertices at 512 x 512: one viewer alone, then viewers of one view, of different views of one
// model, and of different models. Prints frames per second of each viewer (mean, least) and the mean width of
// a frame; then how long new stills take while 12 viewers of different models play. The clients run on the
// same processors as the server.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "tests/bench/timing.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/integration/preview_client.hpp"

namespace {

using namespace vitrine;
using namespace vitrine::test;
using Clock = std::chrono::steady_clock;

struct Watched {
    double frames = 0, widths = 0, bytes = 0;
};

UploadFile tube_glb(std::uint32_t rings)
{
    const auto bytes = exporting::write_glb(tube(rings, 45, 80, 4)).value();
    return {fmt::format("tube{}.glb", rings), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

Clock::duration to_clock(double seconds)
{
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Watches from `start` until `end`; frames before are not counted.
Watched watch(int port, const std::string& asset, double yaw, Clock::time_point start, Clock::time_point end)
{
    Watched watched;
    WebSocket socket(port, asset);
    socket.say(fmt::format(R"({{"type":"view","input":1,"width":512,"height":512,"clip":0,"playing":true,)"
                           R"("loop":"repeat","camera":{{"yaw":{}}}}})",
                           yaw));
    while (Clock::now() < end) {
        const auto frame = parse(socket.next_of(2));
        if (frame.sequence == 0) break;
        acknowledge(socket, frame);
        if (Clock::now() < start) continue;
        ++watched.frames;
        watched.widths += frame.width;
        watched.bytes += static_cast<double>(frame.payload.size());
    }
    return watched;
}

void bench_frames(int port, const char* name, const std::vector<std::string>& assets, int viewers,
                  double yaw_step, double seconds)
{
    const auto start = Clock::now() + std::chrono::seconds(4); // shaders are compiled, the size has settled
    const auto end = start + to_clock(seconds);
    std::vector<Watched> watched(static_cast<std::size_t>(viewers));
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < viewers; ++i)
            threads.emplace_back([&, i] {
                const auto& asset = assets[static_cast<std::size_t>(i) % assets.size()];
                watched[static_cast<std::size_t>(i)] = watch(port, asset, yaw_step * i, start, end);
            });
    }
    Watched sum;
    double least = watched[0].frames;
    for (const auto& one : watched) {
        sum.frames += one.frames;
        sum.widths += one.widths;
        sum.bytes += one.bytes;
        least = std::min(least, one.frames);
    }
    std::printf("| %-40s | %6.1f | %6.1f | %6.1f | %4.0f | %5.1f |\n", name, sum.frames / seconds / viewers,
                least / seconds, sum.frames / seconds, sum.widths / std::max(1.0, sum.frames),
                sum.bytes / std::max(1.0, sum.frames) / 1e3);
    std::fflush(stdout);
}

// Images of a new view each, one after the other, while all models are played.
void bench_stills(int port, const std::vector<std::string>& assets, double seconds)
{
    const auto start = Clock::now() + std::chrono::seconds(4), end = start + to_clock(seconds);
    std::vector<std::jthread> threads;
    for (const auto& asset : assets)
        threads.emplace_back([&, end] { watch(port, asset, 0.0, start, end); });
    std::this_thread::sleep_until(start);
    std::vector<double> times;
    while (Clock::now() < end) {
        const auto asked = Clock::now();
        const auto reply = get(port, fmt::format("/v1/assets/{}/render?w=256&h=256&view={},15",
                                                 assets.front(), static_cast<double>(times.size()) / 8.0));
        if (reply.status != 200) std::printf("still: status %d\n", reply.status);
        times.push_back(1e3 * bench::seconds_since(asked));
    }
    std::printf(
        "\n| new still while %zu viewers of different models play, 256 x 256, ms | p50 %.0f, p95 %.0f, max "
        "%.0f (%zu stills) |\n",
        assets.size(), bench::share_of(times, 0.5), bench::share_of(times, 0.95), bench::share_of(times, 1.0),
        times.size());
}

} // namespace

int main(int argc, char** argv)
{
    const double seconds = argc > 1 ? std::atof(argv[1]) : 5.0;
    const int viewers = argc > 2 ? std::atoi(argv[2]) : 20;
    const TempDir folder;
    const ServerProcess server(folder.path() / "data");
    if (server.port() == 0) {
        std::printf("the server did not start: %s\n", server.line().c_str());
        return 1;
    }
    std::vector<std::string> assets;
    for (std::uint32_t i = 0; i < 20; ++i)
        assets.push_back(import_asset(server.port(), {tube_glb(44 + i)}));
    const std::vector<std::string> one(assets.begin(), assets.begin() + 1);
    std::printf(
        "| viewers | frames/s each | least | all | pixels wide | kB a frame |\n|---|---|---|---|---|---|\n");
    bench_frames(server.port(), "1 alone", one, 1, 0.0, seconds);
    bench_frames(server.port(), fmt::format("{} of one view", viewers).c_str(), one, viewers, 0.0, seconds);
    bench_frames(server.port(), fmt::format("{} of different views", viewers).c_str(), one, viewers, 17.0,
                 seconds);
    bench_frames(server.port(), fmt::format("{} of different models", viewers).c_str(), assets, viewers, 17.0,
                 seconds);
    bench_frames(server.port(), "1 alone again", one, 1, 0.0, seconds);
    bench_stills(server.port(), {assets.begin(), assets.begin() + 12}, seconds);
}
