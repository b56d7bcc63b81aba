// Devices that lack a feature, have small limits or drop out.

#include <array>
#include <stdexcept>

#include "tests/gpu/drivers/faults_fixture.hpp"

namespace vitrine::test {
namespace {

using render::Renderer;

TEST_F(GpuFaults, RejectsDevicesWithoutSubgroupArithmetic)
{
    faults.no_subgroups = true;
    try {
        make();
        FAIL() << "the device is used";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string_view(error.what()).find("no subgroup arithmetic"), std::string_view::npos)
            << error.what();
    }
}

TEST_F(GpuFaults, RejectsUnsupportedOverlays)
{
    faults.no_wires = true;
    const auto renderer = make();
    const auto scene = std::make_shared<const scene::Scene>(skinned_bar());
    render::View view{.width = 32, .height = 32};
    EXPECT_EQ(renderer->render(scene, view, {&bent, 1}).size(), 1u);
    view.overlays.wireframe = true;
    EXPECT_THROW(renderer->render(scene, view, {&bent, 1}), render::RenderError);
}

TEST_F(GpuFaults, DrawsOnTheSameCardWhenAnotherIsGone)
{
    faults.cards = 0b1011;
    const auto chosen = render::choose_devices("0,1,2");
    EXPECT_EQ(chosen, (std::vector{pci_address(0), pci_address(1), pci_address(3)}));
    EXPECT_EQ(render::list_devices().at(2).uuid, "04040404-0404-0404-0404-040404040404");
    faults.cards = 0b1010;
    EXPECT_THROW(Renderer({.device = chosen[0]}), std::runtime_error);
    Renderer last({.device = chosen[2], .submit_timeout = std::chrono::minutes(10)});
    EXPECT_EQ(last.info().pci_address, pci_address(3));
    const auto scene = std::make_shared<const scene::Scene>(skinned_bar());
    EXPECT_EQ(last.render(scene, {.width = 32, .height = 32}, {&bent, 1}).size(), 1u);
}

// Skinning reads validated arrays; all other compute passes keep the checks of the device.
TEST_F(GpuFaults, SkinsWithoutTheChecksOfADriverThatCanLeaveThemOut)
{
    const auto before = draw(*make());
    faults.unchecked_pipelines = 0;
    EXPECT_TRUE(equal(draw(*make()), before));
    EXPECT_EQ(faults.unchecked_pipelines, 0) << "the device does not have the extension";
    faults.pipeline_robustness = true;
    EXPECT_TRUE(equal(draw(*make()), before));
    EXPECT_GT(faults.unchecked_pipelines, 0);
}

TEST_F(GpuFaults, SkinsMoreVerticesThanADispatchHasRoomFor)
{
    const auto scene = std::make_shared<const scene::Scene>(dense_tube());
    render::View view{.width = 64, .height = 64};
    view.light = render::LightingPreset::reference; // no shadow is cast
    const std::array<render::ClipTime, 2> times{bent, {0, 0.25}};
    const auto whole = make()->render(scene, view, times);
    constexpr std::uint32_t workgroups = 40; // more than the boxes need
    ASSERT_GT(scene->meshes[0].positions.size(), 64 * 3 * workgroups);
    faults.workgroups = workgroups;
    faults.largest_dispatch = 0;
    const auto split = make()->render(scene, view, times);
    EXPECT_LE(faults.largest_dispatch, workgroups);
    EXPECT_TRUE(equal(split, whole));
}

TEST_F(GpuFaults, RejectsTangentsBeyondTheBindingLimit)
{
    faults.storage_range = 1 << 16;
    const auto renderer = make();
    auto bar = skinned_bar();
    auto& mesh = bar.meshes[0];
    const auto triangles = mesh.indices;
    while (mesh.indices.size() * sizeof(std::uint32_t) <= faults.storage_range)
        mesh.indices.insert(mesh.indices.end(), triangles.begin(), triangles.end());
    mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
    const auto small = std::make_shared<const scene::Scene>(skinned_bar());
    const auto large = std::make_shared<const scene::Scene>(std::move(bar));
    render::View view{.width = 32, .height = 32};
    view.light = render::LightingPreset::reference;
    EXPECT_EQ(renderer->render(large, view, {&bent, 1}).size(), 1u);
    view.overlays.tangents = true;
    EXPECT_EQ(renderer->render(small, view, {&bent, 1}).size(), 1u);
    EXPECT_THROW(renderer->render(large, view, {&bent, 1}), render::TooLargeForDevice);
}

} // namespace
} // namespace vitrine::test
