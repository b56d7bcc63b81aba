#include "loaders/dae/transforms/shear_decomposition.hpp"

#include <random>

#include <gtest/gtest.h>

namespace vitrine::dae {
namespace {

constexpr glm::dquat no_turn(1.0, 0.0, 0.0, 0.0);

glm::dmat3 product(const SvdFactors& s)
{
    const glm::dvec3& f = s.scale;
    const glm::dmat3 scale(f.x, 0.0, 0.0, 0.0, f.y, 0.0, 0.0, 0.0, f.z);
    return glm::mat3_cast(s.turn) * scale * glm::mat3_cast(glm::inverse(s.axes));
}

double difference(const glm::dmat3& a, const glm::dmat3& b)
{
    double most = 0.0;
    for (glm::length_t c = 0; c < 3; ++c)
        most = std::max(most, glm::length(a[c] - b[c]));
    return most;
}

TEST(DaeShear, AnyMatrixIsATurnAScaleAndATurn)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-2.0, 2.0);
    for (int n = 0; n < 200; ++n) {
        glm::dmat3 m;
        for (glm::length_t c = 0; c < 3; ++c)
            m[c] = {number(random), number(random), number(random)};
        if (n % 5 == 1) m[1] = 3.0 * m[0];    // flat
        if (n % 5 == 2) m[2] = glm::dvec3(0); // flat
        if (n % 5 == 3) m = glm::dmat3(number(random));
        const SvdFactors s = decompose_svd(m, n % 2 == 0 ? no_turn : glm::dquat(0.5, 0.5, 0.5, 0.5));
        EXPECT_LE(difference(product(s), m), 1e-9) << n;
        EXPECT_NEAR(glm::length(s.turn), 1.0, 1e-12);
        EXPECT_NEAR(glm::length(s.axes), 1.0, 1e-12);
    }
    EXPECT_LE(difference(product(decompose_svd(glm::dmat3(0.0), no_turn)), glm::dmat3(0.0)), 0.0);
}

// Half a turn of the axes in small steps: sorted axes would be exchanged on the way.
TEST(DaeShear, AxesStayNextToTheOnesBefore)
{
    glm::dquat axes = no_turn;
    for (int n = 1; n <= 180; ++n) {
        const glm::dmat3 turn = glm::mat3_cast(glm::angleAxis(glm::radians(double(n)), glm::dvec3(0, 0, 1)));
        const glm::dmat3 m = turn * glm::dmat3(2, 0, 0, 0, 1, 0, 0, 0, 1.5) * glm::transpose(turn);
        const glm::dquat next = decompose_svd(m, axes).axes;
        EXPECT_NEAR(glm::degrees(glm::angle(glm::inverse(axes) * next)), 1.0, 1e-6) << n;
        axes = next;
    }
}

TEST(DaeShear, RoundingErrorsAreNotShear)
{
    EXPECT_FALSE(is_sheared(glm::dmat3(0.01, 0.000001, 0, -0.000001, 0.01, 0, 0, 0, 0.01)));
    EXPECT_FALSE(is_sheared(glm::dmat3(0.0)));
    EXPECT_TRUE(is_sheared(glm::dmat3(1, 0, 0, 0.01, 1, 0, 0, 0, 1)));
    EXPECT_TRUE(is_sheared(glm::dmat3(1, 0, 0, 0, 1, 0, 0.01, 0, 1)));
}

} // namespace
} // namespace vitrine::dae
