// Models far from the scene's origin: at 1e7 m a float resolves about one meter, and these models are one
// meter high.

#include <algorithm>
#include <cmath>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/camera/best_view.hpp"

namespace vitrine::test {
namespace {

const render::ClipTime one_second_in{0, 1.0};

class GpuLargeCoordinates : public Gpu {
protected:
    static render::SharedScene tube_at(glm::vec3 place)
    {
        auto scene = tube(20, 12, 6, 3);
        scene.nodes[0].local.translation = place;
        return share(std::move(scene));
    }
    static render::Frame drawn(const render::SharedScene& scene, const render::View& view)
    {
        return picture(scene, render::with_best_view(*scene, view, one_second_in), one_second_in);
    }
    static std::size_t different_values(const render::Frame& a, const render::Frame& b)
    {
        std::size_t count = 0;
        for (std::size_t i = 0; i < a.pixels.size(); ++i)
            count += std::abs(int{a.pixels[i]} - int{b.pixels[i]}) > 8 ? 1 : 0;
        return count;
    }
};

TEST_F(GpuLargeCoordinates, KeepsShapesExact)
{
    render::View fixed{.width = 96, .height = 96};
    fixed.overlays = {.skeleton = true, .names = true, .bounds = true};
    auto automatic = fixed;
    automatic.camera.automatic = true;
    const auto near = tube_at({});
    for (const float away : {1e6f, 1e7f}) {
        const auto far = tube_at({away, 0.0f, -away});
        EXPECT_LT(different_values(drawn(far, fixed), drawn(near, fixed)), 60u) << away;
        EXPECT_LT(different_values(drawn(far, automatic), drawn(near, automatic)), 60u) << away;
    }
}

TEST_F(GpuLargeCoordinates, ReportsBoundsInSceneSpace)
{
    const auto far = tube_at({1e6f, 0.0f, -1e6f});
    const render::View view{.width = 96, .height = 96};
    const auto frame = picture(far, view, one_second_in);
    EXPECT_NEAR(frame.bounds.min.x, 1e6f, 1.0f);
    EXPECT_NEAR(renderer().bounds(far, {&one_second_in, 1}).at(0).max.z, -1e6f, 1.0f);
    EXPECT_NEAR(renderer().skin(far, one_second_in).at(0).positions.at(0).x, 1e6f, 1.0f);
    const auto hit = renderer().pick(far, view, one_second_in, 48, 48);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->position.z, -1e6f, 1.0f);
    auto aimed = view;
    aimed.camera.target = hit->position;
    aimed.camera.distance = 1.0f;
    EXPECT_TRUE(renderer().pick(far, aimed, one_second_in, 48, 48));
}

// Named views also frame the model without outliers; bounds include them.
TEST_F(GpuLargeCoordinates, DoesNotFrameOutliers)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {0.8f, 0.1f, 0.1f, 1.0f});
    add_quad(scene, 0.0f, 0.01f, {0.1f, 0.8f, 0.1f, 1.0f});
    const auto alone = [&] {
        auto one = scene;
        one.nodes.pop_back();
        return picture(share(std::move(one)), reference_view());
    }();
    scene.nodes[1].local.translation.x = 1e5f;
    const auto shared = share(std::move(scene));
    const auto frame = picture(shared, reference_view());
    EXPECT_EQ(frame.framing.model.max, alone.framing.model.max);
    EXPECT_EQ(different_pixels(frame, alone), 0);
    EXPECT_NEAR(frame.bounds.max.x, 1e5f, 0.1f) << "exact";
    const render::ClipTime rest{};
    EXPECT_NEAR(renderer().bounds(shared, {&rest, 1}).at(0).max.x, 1e5f, 0.1f);
}

} // namespace
} // namespace vitrine::test
