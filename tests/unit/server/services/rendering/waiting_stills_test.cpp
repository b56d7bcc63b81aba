// Stills that wait for the same device are drawn together.
#include <array>
#include <future>
#include <string>

#include "tests/unit/server/services/rendering/render_threads_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using enum RenderPriority;

// Four stills of four models that wait while the device is busy, distinguished by their widths.
class WaitingStills : public RenderThreads {
protected:
    void draw(std::array<std::uint32_t, 4> widths)
    {
        auto held = pin(thread);
        gpu.renders = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const render::FrameRequest frame_request{
                nullptr, {.width = widths[i], .height = 4}, {0, 0.1 * static_cast<double>(i)}};
            frames[i] = thread.request_frame({image, "model " + std::to_string(i)}, frame_request).value();
        }
        held.unlock();
    }
    void expect_drawn(std::size_t i)
    {
        const auto frame = frames[i].get();
        EXPECT_EQ(frame.pixels[0], 40 + 10 * i) << "its own picture";
    }

    RenderPool thread{one(), {}, metrics};
    std::array<std::future<render::Frame>, 4> frames;
};

TEST_F(WaitingStills, AreDrawnTogether)
{
    draw({33, 64, 40, 50});
    for (std::size_t i = 0; i < 4; ++i)
        expect_drawn(i);
    EXPECT_EQ(gpu.renders, 1 + 2) << "as many as are thought to be quick";
    EXPECT_EQ(metrics.renders_image.Value(), 4.0);
}

TEST_F(WaitingStills, OfOtherSizesAreSeparate)
{
    draw({33, 65, 40, 128});
    for (std::size_t i = 0; i < 4; ++i)
        expect_drawn(i);
    EXPECT_EQ(gpu.renders, 1 + 2);
}

TEST_F(WaitingStills, FailIndividually)
{
    gpu.rejected = 40;
    draw({40, 41, 42, 43});
    EXPECT_THROW(frames[0].get(), render::RenderError);
    for (std::size_t i = 1; i < 4; ++i)
        expect_drawn(i);
}

TEST_F(WaitingStills, AreQuarantinedIndividually)
{
    gpu.poison = 41;
    draw({40, 41, 42, 43});
    EXPECT_THROW(frames[1].get(), ModelQuarantined);
    for (const std::size_t i : {0u, 2u, 3u})
        expect_drawn(i);
    EXPECT_TRUE(thread.quarantined("model 1"));
    EXPECT_FALSE(thread.quarantined("model 0"));
    EXPECT_EQ(thread.health().losses, 2u) << "once among others, once alone";
}

} // namespace
} // namespace vitrine::server::testing
