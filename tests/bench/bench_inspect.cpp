// bench_inspect [--only TEXT] [--rounds N] [--program PATH] [--peer PATH]: `vitrine inspect FILE` against
// `assimp info FILE -r` (assimp-utils) as whole processes, alternating. Generates large files in a temporary
// folder; small ones are those of the test corpus and of assimp-testmodels, as far as they are installed.
// Prints medians of wall-clock and processor time, and the peak memory of both processes of Vitrine.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "tests/bench/inspect/command.hpp"
#include "tests/bench/loaders/grid.hpp"

namespace {

namespace fs = std::filesystem;
using namespace vitrine::bench;

struct GeneratedFile {
    std::string_view name;
    std::string_view extension;
    int side;
    void (*write)(const Grid&, const fs::path&);
    double wanted_ratio;
};

constexpr std::array generated_files{
    GeneratedFile{"OBJ", ".obj", 555, write_obj, 4.0},
    GeneratedFile{"FBX ASCII", ".fbx", 900, write_fbx_ascii, 12.0},
    GeneratedFile{"DAE", ".dae", 981, write_dae, 3.0},
    GeneratedFile{"GLB without normals", ".glb", 700, write_glb_without_normals, 1.5},
    GeneratedFile{"GLB with normals", ".glb", 1375, write_glb, 1.5},
};

struct SmallFile {
    std::string_view name;
    std::string_view path; // in the corpus, or absolute
    double wanted_ratio;
};

constexpr std::array small_files{
    SmallFile{"GLB with 76 clips",
              "KayKit-Adventurers/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb",
              1.5},
    SmallFile{"small FBX", "/usr/share/assimp/models/FBX/spider.fbx", 0.9},
    SmallFile{"small DAE", "/usr/share/assimp/models/Collada/duck.dae", 0.9},
    SmallFile{"small 3DS", "3dsLoader/3dsLoader/OpenGLFramework/3dsobjects/12k.3ds", 0.9},
};

struct Arguments {
    std::string only;
    int rounds = 11;
    std::string program;
    std::string peer = "assimp";
};

struct Times {
    std::vector<double> wall_ms, processor_ms;
    bool succeeded = true;

    void add(const CommandTime& time)
    {
        wall_ms.push_back(time.wall_ms);
        processor_ms.push_back(time.processor_ms);
        succeeded = succeeded && time.succeeded;
    }
};

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

void compare(std::string_view name, const fs::path& file, double wanted_ratio, const Arguments& arguments)
{
    const std::vector<std::string> ours{arguments.program, "inspect", file.string()};
    const std::vector<std::string> theirs{arguments.peer, "info", file.string(), "-r"};
    const auto memory = watch_memory(ours); // also brings the file into the system's cache
    const bool has_peer = time_command(theirs).succeeded;
    Times vitrine, peer;
    for (int i = 0; i < arguments.rounds; ++i) {
        vitrine.add(time_command(ours));
        if (has_peer) peer.add(time_command(theirs));
    }
    const double megabytes = static_cast<double>(fs::file_size(file)) / 1e6;
    if (!vitrine.succeeded) {
        fmt::print("inspect {}: vitrine failed\n", name);
        return;
    }
    fmt::print("inspect {}, {:.1f} MB: vitrine {:.1f} ms (processor {:.1f})", name, megabytes,
               median(vitrine.wall_ms), median(vitrine.processor_ms));
    if (has_peer)
        fmt::print(
            ", assimp {:.1f} ms (processor {:.1f}): {:.2f} times as fast ({:.2f} by processor), wanted {}",
            median(peer.wall_ms), median(peer.processor_ms), median(peer.wall_ms) / median(vitrine.wall_ms),
            median(peer.processor_ms) / median(vitrine.processor_ms), wanted_ratio);
    fmt::print("; peak memory {:.1f} MB", static_cast<double>(memory.peak_bytes) / 1e6);
    if (memory.result_bytes > 0)
        fmt::print(", {:.2f} times the content",
                   static_cast<double>(memory.peak_bytes) / static_cast<double>(memory.result_bytes));
    fmt::print("\n");
    std::fflush(stdout);
}

fs::path corpus_folder()
{
    const char* set = std::getenv("VITRINE_CORPUS");
    return set != nullptr ? fs::path(set) : fs::path("../shared/corpus");
}

void run(const Arguments& arguments)
{
    const auto is_wanted = [&](std::string_view name) { return name.contains(arguments.only); };
    const auto here = fs::temp_directory_path() / fmt::format("bench_inspect_{}", ::getpid());
    fs::create_directory(here); // one file at a time: what lies beside a model belongs to it
    for (const auto& file : generated_files) {
        if (!is_wanted(file.name)) continue;
        const auto path = here / fmt::format("grid{}", file.extension);
        file.write(Grid{file.side}, path);
        compare(file.name, path, file.wanted_ratio, arguments);
        fs::remove(path);
    }
    fs::remove(here);
    for (const auto& file : small_files) {
        if (!is_wanted(file.name)) continue;
        const auto path = corpus_folder() / file.path; // an absolute path replaces the folder
        if (fs::exists(path))
            compare(file.name, path, file.wanted_ratio, arguments);
        else
            fmt::print("inspect {}: {} is not installed\n", file.name, path.string());
    }
}

} // namespace

int main(int argc, char** argv)
try {
    Arguments arguments;
    arguments.program = fs::read_symlink("/proc/self/exe").parent_path() / "vitrine";
    CLI::App app("vitrine inspect against assimp info, whole processes");
    app.add_option("--only", arguments.only, "rows whose name contains this text");
    app.add_option("--rounds", arguments.rounds, "runs of each program")->check(CLI::Range(1, 1000));
    app.add_option("--program", arguments.program, "vitrine, with vitrine-loader beside it");
    app.add_option("--peer", arguments.peer, "assimp of Debian's assimp-utils");
    CLI11_PARSE(app, argc, argv);
    run(arguments);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
