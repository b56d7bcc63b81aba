// Skinning on the device by number of vertices and poses, with neighboring and with random joints.

#include <algorithm>
#include <cstdint>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "tests/bench/gpu/measure.hpp"
#include "tests/bench/gpu/parts.hpp"
#include "tests/bench/renderer/skinning_passes.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::bench {
namespace {

namespace json = boost::json;

constexpr std::uint32_t joints = 80, influences = 4;

// Read once per vertex: shared::BindVertex 16, skin4_joints 8, skin4_weights 16; written once per vertex and
// pose: 16. A card with one pose per invocation reads the 40 bytes again for each pose, from a cache where
// they fit. Palettes (48 bytes per joint and pose) stay in caches.
constexpr double read_bytes = 40.0, written_bytes_per_pose = 16.0;

// Short work is repeated in one submission: 320,000 vertices take some microseconds on a card.
constexpr double min_vertices_per_submission = 64e6;

// A multiplicative generator (L'Ecuyer 1999, 2^32): the same joints in every run.
void randomize_joints(scene::Scene& scene)
{
    std::uint32_t state = 1;
    for (auto& joint : scene.meshes[0].influences.joints) {
        state *= 741103597u;
        joint = (state >> 8) % joints;
    }
}

json::object measure_one(const PartInput& input, const scene::Scene& scene, const char* order,
                         std::uint32_t poses, double seconds)
{
    SkinningPasses passes(input.options, scene, poses);
    const double vertices = passes.vertex_count();
    const double per_batch = vertices * passes.poses();
    const double wanted =
        input.software ? per_batch : std::max(vertices * poses, min_vertices_per_submission);
    const auto batches = static_cast<std::uint32_t>(std::max(1.0, wanted / per_batch + 0.5));
    const auto measured = measure_within(seconds, [&] { passes.run_together(batches, false); });
    const double rate = per_batch * batches / measured.seconds;
    const double bytes = (read_bytes / passes.poses() + written_bytes_per_pose) * rate;
    json::object row{{"joints", order},         {"vertices", passes.vertex_count()},
                     {"poses", poses},          {"posesAtOnce", passes.poses()},
                     {"batches", batches},      {"Mverts/s", rate / 1e6},
                     {"leastGBs", bytes / 1e9}, {"memoryShare", nullptr},
                     {"runs", measured.runs}};
    if (input.memory_bytes_per_second > 0.0) row["memoryShare"] = bytes / input.memory_bytes_per_second;
    return row;
}

} // namespace

json::value measure_skinning(const PartInput& input)
{
    json::array rows;
    for (const std::uint32_t vertices : {20'000u, 200'000u, 2'000'000u}) {
        auto scene = test::tube(vertices / 20, 20, joints, influences);
        for (const char* order : {"neighboring", "random"}) {
            if (std::string_view(order) == "random") randomize_joints(scene);
            for (const std::uint32_t poses : {16u, 256u})
                rows.push_back(measure_one(input, scene, order, poses, input.seconds / 16));
        }
    }
    return json::object{{"rows", std::move(rows)}};
}

} // namespace vitrine::bench
