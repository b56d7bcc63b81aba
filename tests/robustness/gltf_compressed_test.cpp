// Broken compressed geometry: what Draco and meshopt are given is as hostile as the rest of the file.

#include <random>

#include "tests/robustness/gltf_broken.hpp"
#include "tests/robustness/rounds.hpp"
#include "tests/unit/gltf/compressed.hpp"

namespace vitrine {
namespace {

void flip_bytes(const std::string& glb, std::size_t from)
{
    std::mt19937 random(7);
    const auto count = static_cast<unsigned>(test::rounds(5'000));
    for (unsigned round = 0; round < count; ++round) {
        std::string broken = glb;
        for (unsigned n = 0; n <= round % 4u; ++n)
            broken[from + random() % (broken.size() - from)] = static_cast<char>(random());
        test::load_safely("a.glb", broken, test::small_limits());
    }
}

TEST(RobustnessGltfCompressed, Meshopt)
{
    for (const auto encode : {test::meshopt_vertices, test::meshopt_vertices_1}) {
        const test::GltfBuilder builder = test::meshopt_document(test::Grid(6), encode);
        const std::string glb = builder.glb(), json = builder.json(true);
        flip_bytes(glb, 20 + json.size());
        test::replace_numbers(glb, json);
    }
}

TEST(RobustnessGltfCompressed, Draco)
{
    const test::Grid grid(6);
    const std::string bytes = test::draco_bytes(grid);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        test::load_safely("a.glb", test::draco_document(grid, bytes.substr(0, size)).glb(),
                          test::small_limits());
    const test::GltfBuilder builder = test::draco_document(grid, bytes);
    const std::string glb = builder.glb(), json = builder.json(true);
    flip_bytes(glb, 20 + json.size());
    test::replace_numbers(glb, json);
}

} // namespace
} // namespace vitrine
