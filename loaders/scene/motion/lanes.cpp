#include "loaders/scene/motion/lanes.hpp"

#include "loaders/base/also_for_avx2.hpp"
#include "loaders/scene/motion/lane_loops.hpp"

namespace vitrine::scene {

VITRINE_ALSO_FOR_AVX2
void sample_vectors(const float* values, const KeyLanes& at, Lane* out)
{
    loops::sample_vectors(values, at, out);
}

VITRINE_ALSO_FOR_AVX2
void sample_cubic_vectors(const float* values, const KeyLanes& at, Lane* out)
{
    loops::sample_cubic_vectors(values, at, out);
}

VITRINE_ALSO_FOR_AVX2
bool sample_rotations(const float* values, const KeyLanes& at, Lane* out)
{
    return loops::sample_rotations(values, at, out);
}

VITRINE_ALSO_FOR_AVX2
bool sample_cubic_rotations(const float* values, const KeyLanes& at, Lane* out)
{
    return loops::sample_cubic_rotations(values, at, out);
}

VITRINE_ALSO_FOR_AVX2
void place_nodes(std::span<const PlacedNode> nodes, std::span<const LocalLanes> local,
                 std::span<MatrixLanes> model, const OriginLanes& origins, std::span<Pose> poses)
{
    loops::place_nodes(nodes, local, model, origins, poses);
}

} // namespace vitrine::scene
