#pragma once
// Ours and the peers behind one shape: a path in, triangles out.

#include <filesystem>
#include <span>
#include <string_view>

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"
#include "tests/bench/loaders/measure.hpp"

namespace vitrine::bench {

struct Reader {
    std::string_view name;
    std::string_view extensions; // of the formats that it reads: ".obj .dae"; "*": all
    Read (*read)(const std::filesystem::path& path);
    int runs = 2; // of a large file; the best counts
};

// Those that this machine has: of packages, and of script/bench-peers (they may be none).
std::span<const Reader> peers();
std::span<const Reader> source_peers();

// What assimp's exporter of that id makes of a file: one vertex for each corner, long numbers, as many
// programs write them. False where assimp is not installed or cannot.
bool export_by_assimp(const std::filesystem::path& from, std::string_view id,
                      const std::filesystem::path& to);

using Load = LoadResult<scene::Scene> (*)(Source& source, const Limits& limits);
// The file mapped, as the loader process has it.
Read read_ours(Load load, const std::filesystem::path& path);

} // namespace vitrine::bench
