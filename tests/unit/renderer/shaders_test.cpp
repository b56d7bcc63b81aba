// Properties of the compiled shaders that pictures of one driver do not show.

#include "vk_renderer/shaders/shaders.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace vitrine::render::shaders {
namespace {

// "SPIR-V Specification", 2.3 and 3.
constexpr std::size_t header_words = 5;
constexpr std::uint32_t op_decorate = 71, op_member_decorate = 72, op_kill = 252, op_terminate = 4416,
                        op_demote = 5380;
constexpr std::uint32_t invariant = 18;

using Instruction = std::span<const std::uint32_t>;

std::uint32_t opcode_of(Instruction instruction)
{
    return instruction[0] & 0xFFFF;
}

std::vector<Instruction> instructions(Spirv shader)
{
    std::vector<Instruction> all;
    for (std::size_t at = header_words; at < shader.size();) {
        const std::size_t words = shader[at] >> 16;
        if (words == 0 || words > shader.size() - at) {
            ADD_FAILURE() << "not SPIR-V";
            break;
        }
        all.push_back(shader.subspan(at, words));
        at += words;
    }
    return all;
}

std::size_t count(Spirv shader, std::uint32_t opcode)
{
    return static_cast<std::size_t>(std::ranges::count(instructions(shader), opcode, opcode_of));
}

std::vector<Spirv> mesh_fragments()
{
    std::vector<Spirv> all;
    for (const auto inputs : {MeshInputs::plain, MeshInputs::base, MeshInputs::all, MeshInputs::tangents,
                              MeshInputs::extensions, MeshInputs::extensions_tangents}) {
        all.push_back(mesh_fragment(inputs, false));
        all.push_back(masked_fragment(inputs));
    }
    for (const auto inputs : {MeshInputs::extensions, MeshInputs::extensions_tangents}) {
        all.push_back(mesh_fragment(inputs, true));
        all.push_back(more_uvs_fragment(inputs, false));
        all.push_back(more_uvs_fragment(inputs, true));
        all.push_back(more_uvs_masked_fragment(inputs));
    }
    for (const auto inputs : {MeshInputs::plain, MeshInputs::base, MeshInputs::all})
        all.push_back(disc_fragment(inputs));
    return all;
}

// Vulkan 1.3, "Derivative Operations": undefined where an invocation of the quad has been terminated.
TEST(MeshFragments, KeepTheDerivativesOfUnwrittenFragments)
{
    for (const auto shader : mesh_fragments()) {
        EXPECT_EQ(count(shader, op_kill) + count(shader, op_terminate), 0u);
        EXPECT_EQ(count(shader, op_demote), 1u);
    }
}

TEST(ResolveVertices, ArePlacedAlikeByEveryPipeline)
{
    const auto all = instructions(resolve_vertex());
    EXPECT_TRUE(std::ranges::any_of(all, [](Instruction instruction) {
        const bool decorates =
            opcode_of(instruction) == op_decorate || opcode_of(instruction) == op_member_decorate;
        return decorates && instruction.back() == invariant;
    }));
}

} // namespace
} // namespace vitrine::render::shaders
