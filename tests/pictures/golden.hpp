#pragma once
// The golden images in tests/pictures/golden, by name.
//
// VITRINE_MAKE_GOLDENS=1 (script/pictures --goldens) writes them instead of comparing.

#include <string>
#include <string_view>

#include "tests/pictures/perceptual.hpp"

namespace vitrine::test {

// Permitted difference due to another driver or rounding; measured, see README.md.
inline constexpr Difference tolerance{
    .mean = 0.006, .percentile_99 = 0.035, .window = 0.03, .window_color = 0.03, .brightness = 0.015};
// For formats that store vertices and normals with few bits.
inline constexpr Difference tolerance_of_formats{
    .mean = 0.014, .percentile_99 = 0.055, .window = 0.042, .window_color = 0.04, .brightness = 0.02};
// For devices with the code paths of a graphics card, with 4 samples per pixel.
inline constexpr Difference tolerance_of_samples{
    .mean = 0.022, .percentile_99 = 0.065, .window = 0.045, .window_color = 0.043, .brightness = 0.022};

// By driver: the one whose name begins DeviceInfo::driver (VkPhysicalDeviceDriverProperties::driverName).
// The numbers are measured on lavapipe alone, with both kinds of code paths; gpu-check on a card tells what
// its row needs. The goldens -of-nvidia were drawn by an NVIDIA H200.
struct DriverTolerance {
    std::string_view driver;
    Difference pictures;
    Difference formats; // of images shared by several formats
};
inline constexpr DriverTolerance card_tolerances[] = {
    {"NVIDIA", tolerance_of_samples, tolerance_of_samples},
    {"radv", tolerance_of_samples, tolerance_of_samples}, // Mesa for AMD
    {"AMD", tolerance_of_samples, tolerance_of_samples},  // AMD's own drivers
    {"Intel", tolerance_of_samples, tolerance_of_samples},
    {"NVK", tolerance_of_samples, tolerance_of_samples},
    {"", tolerance_of_samples, tolerance_of_samples}, // any other; lavapipe with the code paths of a card
};
// The row of a device with the code paths of a graphics card.
const DriverTolerance& card_tolerance(std::string_view driver);

// Thin lines and repeating textures look different on a device with the code paths of a graphics card (4
// samples of a one-pixel line, anisotropic filtering) and have separate images NAME-of-samples for it.
//
// Expects `frame`, which a device of `driver` has drawn, to match. `model`: coverage of its pixels by the
// model. Fails if the golden image is missing, if the difference exceeds the device's tolerance, or if a
// defect planted into `frame` (injected_defects.hpp) passes with any device's tolerance. The golden image,
// the image and their difference are then written side by side to $VITRINE_TEST_PICTURES (default:
// failed_pictures in the working folder); the failure names the path.
void expect_golden(const render::Frame& frame, const Coverage& model, const std::string& name,
                   std::string_view driver);

// Fails if `frame`, which shows something else, passes with any device's tolerance.
void expect_other_than_golden(const render::Frame& frame, const Coverage& model, const std::string& name,
                              std::string_view driver);

// Whether `measured` passes with the tolerance of the software driver or of any graphics card.
bool passes_for(const std::string& name, const Difference& measured);

// Prints one line with `what`, the image name and the members of `measured` to standard output if
// $VITRINE_VERBOSE is set.
void print_difference(const std::string& what, const std::string& name, const Difference& measured);

} // namespace vitrine::test
