#include "tests/support/compare.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/blob.hpp"

namespace vitrine::test {
namespace {

// Propagates NaN, which std::max() would drop.
double larger(double a, double b)
{
    return std::isnan(a) || a > b ? a : b;
}

} // namespace

double difference(const glm::vec3& a, const glm::vec3& b)
{
    return difference(glm::vec4(a, 0.0f), glm::vec4(b, 0.0f));
}

double difference(const glm::vec4& a, const glm::vec4& b)
{
    double largest = 0.0;
    for (int i = 0; i < 4; ++i)
        largest = larger(largest, std::abs(double{a[i]} - double{b[i]}));
    return largest;
}

double difference(const glm::mat4& a, const glm::mat4& b)
{
    double largest = 0.0;
    for (int c = 0; c < 4; ++c)
        largest = larger(largest, difference(a[c], b[c]));
    return largest;
}

double difference(const scene::Aabb& a, const scene::Aabb& b)
{
    return larger(difference(a.min, b.min), difference(a.max, b.max));
}

double difference(const glm::quat& a, const glm::quat& b)
{
    const glm::vec4 va(a.x, a.y, a.z, a.w), vb(b.x, b.y, b.z, b.w);
    return std::min(difference(va, vb), difference(va, -vb));
}

bool same(const scene::Scene& a, const scene::Scene& b)
{
    return encode_blob(a) == encode_blob(b);
}

glm::vec3 transform(const scene::PaletteEntry& entry, const glm::vec3& point)
{
    const glm::vec4 p(point, 1.0f);
    return {glm::dot(entry.row[0], p), glm::dot(entry.row[1], p), glm::dot(entry.row[2], p)};
}

} // namespace vitrine::test
