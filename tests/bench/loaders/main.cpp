// bench_loaders [--side N] [--only NAME] [--exported] [--file PATH]... [--keep] [--alone]: for each format,
// writes a grid of N x N vertices (1040: 1.08 M) to a temporary file, with --exported by assimp's exporter,
// and reads it with Vitrine and every installed peer library; --file reads existing files instead. Prints the
// best processor time, peak resident memory, and the ratio of each peer's time to Vitrine's.
//
// To add a format: add a row to `formats`, and a generator if large files matter.

#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "loaders/3ds/3ds.hpp"
#include "loaders/dae/dae.hpp"
#include "loaders/fbx/fbx.hpp"
#include "loaders/gltf/gltf.hpp"
#include "loaders/md2/md2.hpp"
#include "loaders/md3/md3.hpp"
#include "loaders/md5/md5.hpp"
#include "loaders/obj/obj.hpp"
#include "loaders/ply/ply.hpp"
#include "loaders/stl/stl.hpp"
#include "tests/bench/loaders/grid.hpp"
#include "tests/bench/loaders/readers.hpp"

namespace {

namespace fs = std::filesystem;
using namespace vitrine;
using namespace vitrine::bench;

struct Format {
    std::string_view name;
    std::string_view extension;
    Load load;                                   // nullptr: only peers
    void (*write)(const Grid&, const fs::path&); // nullptr: only with --file
    std::string_view exporter = {};              // assimp's exporter id, if it has one
};

constexpr std::array formats{
    Format{"OBJ", ".obj", load_obj, write_obj, "obj"},
    Format{"GLB", ".glb", load_gltf, write_glb, "glb2"},
    Format{"FBX ASCII", ".fbx", load_fbx, write_fbx_ascii, "fbxa"},
    Format{"FBX binary", ".fbx", load_fbx, write_fbx_binary, "fbx"},
    Format{"3DS", ".3ds", load_3ds, write_3ds, "3ds"},
    Format{"DAE", ".dae", load_dae, write_dae, "collada"},
    Format{"STL text", ".stl", load_stl_with_flat_meshes, nullptr, "stl"},
    Format{"STL binary", ".stl", load_stl_with_flat_meshes, nullptr, "stlb"},
    Format{"PLY text", ".ply", load_ply_with_flat_meshes, nullptr, "ply"},
    Format{"PLY binary", ".ply", load_ply_with_flat_meshes, nullptr, "plyb"},
    Format{"MD2", ".md2", load_md2, write_md2},
    Format{"MD3", ".md3", load_md3, write_md3},
    Format{"MD5", ".md5mesh", load_md5, write_md5},
};

struct Arguments {
    int side = 1040;
    std::string only;
    std::vector<std::string> files;
    bool exported = false, alone = false, keep = false;
};

void print(std::string_view name, std::uintmax_t bytes, const Figures& figures, const Figures* ours)
{
    if (figures.triangles == 0) return fmt::print("  {:<17} does not read it\n", name);
    fmt::print("  {:<17} {:8.1f} ms {:7.0f} MB/s  peak {:5.0f} MB  {} triangles", name, figures.seconds * 1e3,
               static_cast<double>(bytes) / figures.seconds / 1e6,
               static_cast<double>(figures.peak_bytes) / 1e6, figures.triangles);
    if (figures.content_bytes > 0)
        fmt::print(", without the mapped file {:.1f} times the content",
                   (static_cast<double>(figures.peak_bytes) - static_cast<double>(bytes)) /
                       static_cast<double>(figures.content_bytes));
    if (ours != nullptr && ours->triangles > 0)
        fmt::print(", {:.2f} times as long", figures.seconds / ours->seconds);
    fmt::print("\n");
    std::fflush(stdout);
}

void compare(const Format& format, const fs::path& path, bool alone)
{
    const auto bytes = fs::file_size(path);
    const int runs = bytes > 1'000'000 ? 5 : 50;
    fmt::print("{}: {}, {:.1f} MB\n", format.name, path.filename().string(),
               static_cast<double>(bytes) / 1e6);
    Figures ours;
    if (format.load != nullptr) {
        ours = measure(runs, [&] { return read_ours(format.load, path); });
        print("vitrine", bytes, ours, nullptr);
    }
    if (alone) return;
    for (const auto& readers : {peers(), source_peers()})
        for (const auto& peer : readers)
            if (peer.extensions == "*" || peer.extensions.contains(format.extension))
                print(peer.name, bytes,
                      measure(bytes > 1'000'000 ? peer.runs : runs, [&] { return peer.read(path); }), &ours);
}

// Returns false if the format has no generator.
bool write_grid(const Format& format, const Grid& grid, bool exported, const fs::path& path)
{
    if (!exported && format.write != nullptr) format.write(grid, path);
    if (!exported) return format.write != nullptr;
    if (format.exporter.empty()) return false;
    const fs::path obj = path.string() + ".obj";
    write_obj(grid, obj);
    const bool written = export_by_assimp(obj, format.exporter, path);
    fs::remove(obj);
    return written;
}

void run(const Arguments& arguments)
{
    const Grid grid{arguments.side};
    const auto here = fs::temp_directory_path() / fmt::format("bench_loaders_{}", ::getpid());
    for (const auto& format : formats) {
        if (!arguments.only.empty() && arguments.only != format.name) continue;
        const fs::path path = here.string() + std::string(format.extension);
        if (arguments.files.empty() && write_grid(format, grid, arguments.exported, path)) {
            compare(format, path, arguments.alone);
            if (arguments.keep) continue;
            fs::remove(path);
            fs::remove(fs::path(path).replace_extension(".mtl")); // an exporter writes it beside an OBJ
        }
        for (const auto& file : arguments.files)
            if (fs::path(file).extension() == format.extension) compare(format, file, arguments.alone);
    }
}

} // namespace

int main(int argc, char** argv)
try {
    Arguments arguments;
    CLI::App app("Loaders against their peers");
    app.add_option("--side", arguments.side, "vertices on a side of the grid")->check(CLI::Range(2, 8000));
    app.add_option("--only", arguments.only, "one format: OBJ, GLB, 'FBX ASCII', ...");
    app.add_option("--file", arguments.files, "these files instead of a grid");
    app.add_flag("--exported", arguments.exported, "grids as assimp's exporters write them");
    app.add_flag("--keep", arguments.keep, "leave the grids where they were written, to profile with --file");
    app.add_flag("--alone", arguments.alone, "without the peers");
    CLI11_PARSE(app, argc, argv);
    run(arguments);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
