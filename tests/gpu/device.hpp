#pragma once
// One device with validation for all tests of a program.

#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::test {

class Gpu : public testing::Test {
protected:
    static void SetUpTestSuite();
    static void TearDownTestSuite();

    static render::Renderer& renderer() { return *renderer_; }
    // Asserts that the scene is valid.
    static render::SharedScene share(scene::Scene scene);
    static render::Frame picture(const render::SharedScene& scene, const render::View& view,
                                 render::ClipTime clip_time = {});
    // Images of several scenes; the sizes and angles of each number differ.
    static std::vector<render::FrameRequest> requests(std::uint32_t number);

private:
    static std::unique_ptr<render::Renderer> renderer_;
};

// Suites of several files.
class GpuMaterialExtensions : public Gpu {};
class GpuLight : public Gpu {};
class GpuOverlay : public Gpu {};
class GpuRendering : public Gpu {};

// A pixel's channels, 0..255.
struct Rgba {
    int r, g, b, a;
};
Rgba pixel(const render::Frame& frame, std::uint32_t x, std::uint32_t y);

bool is(const Rgba& p, int r, int g, int b, int tolerance = 2);
testing::AssertionResult shows(const render::Frame& frame, std::uint32_t x, std::uint32_t y, int r, int g,
                               int b);

// Counts pixels with a channel that differs by more than rounding.
int different_pixels(const render::Frame& a, const render::Frame& b);

// $VITRINE_TEST_GPU (set by script/gpu-check), else the software driver, for equal images on every machine.
std::string tested_device();
// Whether $VITRINE_TEST_HEAVY is set (by script/gpu-check): tests that take minutes on the software driver.
bool runs_heavy_tests();
// `options` for that device, with the device profile $VITRINE_TEST_DEVICE_PROFILE: "gpu" selects the code
// paths of a graphics card. A message of the validation layers fails the running test. Without validation if
// $VITRINE_TEST_WITHOUT_VALIDATION is set (by script/gpu-check, where the layer is missing).
render::Options tested(render::Options options = {});

// Writes the image beside the test's binary for inspection if VITRINE_TEST_PICTURES is set.
void keep(const render::Frame& frame, const std::string& name);

} // namespace vitrine::test
