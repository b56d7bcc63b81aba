// Whatever the bytes: load_stl returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <gtest/gtest.h>

#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/largest_allocation.hpp"
#include "tests/support/repeated.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/stl/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const std::string colored = binary_stl({{lower_half, 0x7C1F}, {upper_half, 0x8000}},
                                       "solid COLOR=\x10\x20\x30\x80,MATERIAL=" + std::string(12, 'm'));

void load(const std::string& bytes)
{
    expect_sane(try_stl(bytes));
}

} // namespace

TEST(RobustStl, CutEverywhere)
{
    cut_everywhere(square_stl, load);
    cut_everywhere(colored, load);
}

TEST(RobustStl, ChangedBytes)
{
    change_bytes(square_stl, load);
    change_bytes(colored, load);
}

TEST(RobustStl, Scrambled)
{
    scramble(square_stl, 3000, load);
    scramble(colored, 3000, load);
}

TEST(RobustStl, TinyLimits)
{
    for (std::uint64_t n = 0; n < 8; ++n) {
        Limits all;
        all.vertices = all.indices = n;
        all.nodes = all.meshes = all.materials = static_cast<std::uint32_t>(n);
        expect_sane(try_stl(square_stl, all), "limits");
        expect_sane(try_stl(colored, all), "limits");
    }
}

TEST(RobustStl, HugeCountsDoNotAllocate)
{
    for (const std::uint32_t count : {0x7FFFFFFFu, 0xFFFFFFFFu, 0x80000000u, 1'000'000u, 65'536u}) {
        std::string bytes = colored;
        std::memcpy(bytes.data() + 80, &count, sizeof count);
        expect_no_allocation_above("facets", 32'768, [&] { load(bytes); });
    }
}

TEST(RobustStl, ManyThingsStayLinear)
{
    const std::string facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                              "endloop\nendfacet\n";
    expect_nearly_linear("facets in text", 300,
                         [&](int n) { load("solid a\n" + repeated(n, facet) + "endsolid\n"); });
    expect_nearly_linear("solids", 300,
                         [&](int n) { load(repeated(n, "solid a\n" + facet + "endsolid a\n")); });
    expect_nearly_linear("solids without end", 300, [&](int n) { load(repeated(n, "solid a\n" + facet)); });
    expect_nearly_linear("empty solids", 300,
                         [&](int n) { load(repeated(n, "solid a\nendsolid a\n") + "solid b\n" + facet); });
    expect_nearly_linear("corners of one facet", 300, [&](int n) {
        load("solid a\nfacet normal 0 0 1\nouter loop\n" +
             repeated(n, "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n") + "endloop\nendfacet\n");
    });
    expect_nearly_linear("unknown words", 300,
                         [&](int n) { load("solid a\n" + repeated(n, "bogus\n") + facet); });
    expect_nearly_linear("facets of equal positions", 300, [](int n) {
        load(binary_stl(std::vector<BinaryFacet>(static_cast<std::size_t>(n), {lower_half})));
    });
    expect_nearly_linear("facets of other positions", 300, [](int n) {
        std::vector<BinaryFacet> facets;
        for (int i = 0; i < n; ++i)
            facets.push_back({{glm::vec3(i), glm::vec3(0, i, 0), glm::vec3(0, 0, i)}, 0x8001});
        load(binary_stl(facets));
    });
}
