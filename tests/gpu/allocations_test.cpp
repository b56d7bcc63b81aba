// A live view makes no heap allocation after its first frames. Counted on the render thread by operator new,
// which this program replaces; malloc calls by drivers are not counted.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include <execinfo.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace {

thread_local bool counting = false;
thread_local std::size_t counted = 0;

void count()
{
    if (!counting) return;
    counting = false;
    if (counted++ == 0) { // prints the first allocation's backtrace
        void* frames[24];
        ::backtrace_symbols_fd(frames, ::backtrace(frames, 24), 2);
    }
    counting = true;
}

void* take(std::size_t size, std::size_t alignment)
{
    count();
    const auto rounded = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
    if (void* memory = std::aligned_alloc(alignment, rounded)) return memory;
    throw std::bad_alloc();
}

} // namespace

// The library's other forms call these.
void* operator new(std::size_t size)
{
    return take(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment)
{
    return take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    std::free(memory);
}

namespace vitrine::test {
namespace {

// Renders frames of a playing clip with a turning camera, like the live view.
std::size_t allocations_of_frames(const scene::Scene& model, render::View view)
{
    render::Renderer renderer(tested());
    const auto scene = std::make_shared<const scene::Scene>(model);
    std::vector<render::Frame> frames;
    const auto draw = [&](int i) {
        view.camera.yaw = static_cast<float>(i);
        const render::ClipTime clip_time{0, 0.01 * i};
        renderer.render(scene, view, {&clip_time, 1}, frames);
    };
    for (int i = 0; i < 6; ++i) // each of the three slots twice
        draw(i);
    counted = 0;
    counting = true;
    for (int i = 6; i < 36; ++i)
        draw(i);
    counting = false;
    return counted;
}

TEST(GpuAllocations, AreZeroForLiveViewFrames)
{
    EXPECT_EQ(allocations_of_frames(mixture(), {.width = 64, .height = 64}), 0u);
    EXPECT_EQ(allocations_of_frames(tube(12, 12, 6, 7), {.width = 64, .height = 64}), 0u);
}

TEST(GpuAllocations, AreZeroForFramesThatShareTheirMemory)
{
    EXPECT_EQ(allocations_of_frames(mixture(), {.width = 160, .height = 160}), 0u);
}

TEST(GpuAllocations, AreZeroWithOverlays)
{
    render::View view{.width = 64, .height = 64};
    view.overlays.skeleton = view.overlays.wireframe = view.overlays.normals = view.overlays.bounds = true;
    EXPECT_EQ(allocations_of_frames(mixture(), view), 0u);
}

TEST(GpuAllocations, AreZeroWithJointNames)
{
    auto model = tube(12, 12, 6, 7);
    for (std::size_t i = 0; i < model.nodes.size(); i += 2)
        model.nodes[i].name = fmt::format("{} {}", i % 4 == 0 ? "Плечо" : "右腕", i);
    render::View view{.width = 512, .height = 512};
    view.overlays.names = true;
    EXPECT_EQ(allocations_of_frames(model, view), 0u);
}

TEST(GpuAllocations, AreCounted)
{
    counted = 1; // a nonzero count suppresses the backtrace
    counting = true;
    const auto one = std::make_unique<int>(1);
    counting = false;
    EXPECT_EQ(counted, 2u) << *one;
}

} // namespace
} // namespace vitrine::test
