// bench_cold FILE...: measures `vitrine render` with one process per image, and f3d for comparison if it is
// installed (it requires a display: see script/bench). Interleaved runs, medians: wall-clock and processor
// time with all child processes, and the peak memory of the largest process.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/bench/inspect/quiet_process.hpp"

namespace {

using namespace vitrine;
using Clock = std::chrono::steady_clock;

constexpr int runs = 15;

struct Peer {
    std::string name;
    std::vector<std::string> command;
    std::vector<double> wall_ms{}, processor_ms{}, peak_mb{};
    bool failed = false;
};

void run(Peer& peer)
{
    const auto start = Clock::now();
    const pid_t pid = bench::start_quietly(peer.command);
    int status = -1;
    rusage used{};
    peer.failed = pid < 0 || ::wait4(pid, &status, 0, &used) != pid || status != 0;
    peer.wall_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    peer.processor_ms.push_back(bench::milliseconds(used.ru_utime) + bench::milliseconds(used.ru_stime));
    peer.peak_mb.push_back(static_cast<double>(used.ru_maxrss) / 1024.0);
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

void compare(const std::string& vitrine, const std::string& file)
{
    const auto picture = (std::filesystem::temp_directory_path() / "bench_cold.png").string();
    std::vector<Peer> peers{
        {"vitrine", {vitrine, "render", file, "-o", picture, "--size", "512x512", "--gpu", "software"}},
        {"vitrine, static pose",
         {vitrine, "render", file, "-o", picture, "--size", "512x512", "--gpu", "software", "--clip",
          "none"}},
        {"f3d", {"f3d", "--output=" + picture, "--resolution=512,512", file}}};
    for (auto& peer : peers)
        run(peer); // warms the system's file cache and Mesa's shader cache
    for (auto& peer : peers)
        peer.wall_ms.clear(), peer.processor_ms.clear(), peer.peak_mb.clear();
    for (int i = 0; i < runs; ++i)
        for (auto& peer : peers)
            if (!peer.failed) run(peer);
    for (const auto& peer : peers) {
        if (peer.failed)
            std::printf("cold %s, %s: not there, or it failed\n", file.c_str(), peer.name.c_str());
        else
            std::printf("cold %s, %s: %.0f ms (processor %.0f), peak %.0f MB\n", file.c_str(),
                        peer.name.c_str(), median(peer.wall_ms), median(peer.processor_ms),
                        median(peer.peak_mb));
    }
}

} // namespace

int main(int argc, char** argv)
{
    const auto vitrine = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "vitrine";
    for (int i = 1; i < argc; ++i)
        compare(vitrine.string(), argv[i]);
}
