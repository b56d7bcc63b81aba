#pragma once
// A common interface to Vitrine's loaders and the peers: takes a path, returns triangles.

#include <filesystem>
#include <span>
#include <string_view>

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"
#include "tests/bench/loaders/measure.hpp"

namespace vitrine::bench {

struct Reader {
    std::string_view name;
    std::string_view extensions; // supported formats: ".obj .dae"; "*": all
    Read (*read)(const std::filesystem::path& path);
    int runs = 2; // for large files; the best one counts
};

// The peers on this machine, from packages and from script/bench-peers; may be empty.
std::span<const Reader> peers();
std::span<const Reader> source_peers();

// Converts a file with assimp's exporter of that id: one vertex per corner and long numbers, like the output
// of many programs. Returns false if assimp is not installed or fails.
bool export_by_assimp(const std::filesystem::path& from, std::string_view id,
                      const std::filesystem::path& to);

using Load = LoadResult<scene::Scene> (*)(Source& source, const Limits& limits);
// Reads a mapped file, like the loader process.
Read read_ours(Load load, const std::filesystem::path& path);

} // namespace vitrine::bench
