#include "loaders/scene/arrays/arrays.hpp"

#include "loaders/base/also_for_avx2.hpp"
#include "loaders/scene/arrays/loops.hpp"

namespace vitrine::scene {

VITRINE_ALSO_FOR_AVX2
bool all_finite(std::span<const float> values)
{
    return loops::all_finite(values);
}

VITRINE_ALSO_FOR_AVX2
bool all_below(std::span<const std::uint32_t> indices, std::size_t count)
{
    return loops::all_below(indices, count);
}

VITRINE_ALSO_FOR_AVX2
bool is_ascending(std::span<const std::uint32_t> values)
{
    return loops::is_ascending(values);
}

VITRINE_ALSO_FOR_AVX2
std::uint16_t max_value(std::span<const std::uint16_t> values)
{
    return loops::max_value(values);
}

VITRINE_ALSO_FOR_AVX2
bool add_points(std::span<const glm::vec3> points, glm::vec3& min, glm::vec3& max)
{
    return loops::add_points(points, min, max);
}

VITRINE_ALSO_FOR_AVX2
void transform_points(const JointMatrix& matrix, std::span<const glm::vec3> points, std::span<glm::vec3> out)
{
    loops::transform_points(matrix, points, out);
}

VITRINE_ALSO_FOR_AVX2
void skin_points(const Influences& influences, std::span<const JointMatrix> palette, std::size_t first_vertex,
                 std::span<const glm::vec3> points, std::span<glm::vec3> out)
{
    loops::skin_points(influences, palette, first_vertex, points, out);
}

JointMatrix to_joint_matrix(const glm::vec4 (&rows)[3])
{
    JointMatrix matrix{};
    for (glm::length_t r = 0; r < 3; ++r)
        for (glm::length_t c = 0; c < 4; ++c)
            matrix.columns[c][r] = 0.0 + double{rows[r][c]}; // 0 instead of -0, as in a sum of one
    return matrix;
}

} // namespace vitrine::scene
