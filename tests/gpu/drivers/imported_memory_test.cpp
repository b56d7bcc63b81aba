// Frames that the device writes to memory of the caller.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/gpu/device.hpp"
#include "tests/gpu/drivers/host_pages.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/frame/imported_memory.hpp"

namespace vitrine::test {
namespace {

using render::Frame;

class GpuImportedMemory : public Gpu {
protected:
    void SetUp() override
    {
        memory_ = renderer().import_memory(pages_->bytes(), pages_);
        if (!memory_) GTEST_SKIP() << "the device cannot import memory";
        scene_ = share(mixture());
        expected_ = draw();
    }
    std::vector<Frame> draw(render::View view = {.width = 200, .height = 200})
    {
        const render::ClipTime clip_time{0, 0.3};
        return renderer().RenderDevice::render(scene_, view, {&clip_time, 1});
    }
    std::vector<Frame> draw_there(const render::View& view = {.width = 200, .height = 200})
    {
        renderer().write_next_to(memory_);
        return draw(view);
    }
    bool is_there(const Frame& frame) const { return pages_->contains(frame.pixels.data()); }

    std::shared_ptr<HostPages> pages_ = std::make_shared<HostPages>(4);
    std::shared_ptr<render::ImportedMemory> memory_;
    render::SharedScene scene_;
    std::vector<Frame> expected_;
};

TEST_F(GpuImportedMemory, HoldsThePixelsOfTheNextCall)
{
    auto frames = draw_there();
    EXPECT_TRUE(is_there(frames[0]));
    EXPECT_EQ(frames[0].pixels, expected_[0].pixels);
    EXPECT_FALSE(memory_->is_unused());
    const auto others = draw_there();
    EXPECT_FALSE(is_there(others[0])) << "a frame uses it";
    EXPECT_EQ(others[0].pixels, expected_[0].pixels);
    EXPECT_EQ(frames[0].pixels, expected_[0].pixels);
    frames.clear();
    EXPECT_TRUE(memory_->is_unused());
    EXPECT_FALSE(is_there(draw()[0])) << "of the next call only";
    EXPECT_TRUE(is_there(draw_there()[0]));
}

TEST_F(GpuImportedMemory, IsNotUsedForWhatDoesNotFit)
{
    const render::View large{.width = 300, .height = 300};
    const auto frames = draw_there(large);
    EXPECT_FALSE(is_there(frames[0]));
    EXPECT_EQ(frames[0].pixels, draw(large)[0].pixels);
    EXPECT_TRUE(memory_->is_unused());
    EXPECT_EQ(renderer().import_memory(pages_->bytes().subspan(8), nullptr), nullptr) << "not at a page";
    EXPECT_EQ(renderer().import_memory({}, nullptr), nullptr);
}

TEST_F(GpuImportedMemory, HoldsTheFramesOfATicket)
{
    const std::vector<render::FrameRequest> requests(3, {scene_, {.width = 100, .height = 100}, {0, 0.3}});
    renderer().write_next_to(memory_);
    const auto ticket = renderer().submit(requests);
    EXPECT_FALSE(memory_->is_unused()) << "the device writes to it";
    const auto others = draw_there();
    EXPECT_FALSE(is_there(others[0]));
    const auto frames = ticket->collect();
    for (const auto& frame : frames)
        EXPECT_TRUE(is_there(frame));
    EXPECT_EQ(frames[2].pixels, draw({.width = 100, .height = 100})[0].pixels);
}

TEST_F(GpuImportedMemory, IsFreeAfterAFailure)
{
    const std::vector<render::FrameRequest> requests{{scene_, {.width = 100, .height = 100}, {0, 0.3}},
                                                     {scene_, {.width = 0, .height = 100}, {0, 0.3}}};
    renderer().write_next_to(memory_);
    EXPECT_THROW(renderer().submit(requests), render::RenderError);
    renderer().wait_for(*memory_);
    EXPECT_TRUE(memory_->is_unused());
    EXPECT_FALSE(is_there(draw()[0]));
}

// As of a device that is replaced while frames are encoded.
TEST_F(GpuImportedMemory, OutlivesItsDeviceWithItsFrames)
{
    const std::weak_ptr<HostPages> pages = pages_;
    std::vector<Frame> frames;
    std::vector<std::uint8_t> drawn;
    {
        render::Renderer other(tested({.validation = true}));
        const auto memory = other.import_memory(pages_->bytes(), pages_);
        other.write_next_to(memory);
        const render::ClipTime clip_time{0, 0.3};
        other.render(scene_, {.width = 200, .height = 200}, {&clip_time, 1}, frames);
        ASSERT_TRUE(is_there(frames[0]));
        drawn.assign(frames[0].pixels.begin(), frames[0].pixels.end());
    }
    memory_.reset();
    pages_.reset();
    ASSERT_FALSE(pages.expired());
    EXPECT_TRUE(std::ranges::equal(frames[0].pixels, drawn));
    frames.clear();
    EXPECT_TRUE(pages.expired());
}

} // namespace
} // namespace vitrine::test
