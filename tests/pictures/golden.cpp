#include "tests/pictures/golden.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/images/image.hpp"
#include "tests/pictures/injected_defects.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/paths.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::test {
namespace {

using std::filesystem::path;

// See tests/gpu/device.hpp for the device and its profile.
bool is_driven_as_graphics_card()
{
    const char *profile = std::getenv("VITRINE_TEST_DEVICE_PROFILE"),
               *device = std::getenv("VITRINE_TEST_GPU");
    return (profile != nullptr && std::string_view(profile) == "gpu") ||
           (device != nullptr && std::string_view(device) != "software");
}

bool has_thin_lines(const std::string& name)
{
    return name.ends_with("-wireframe") || name.starts_with("features/lines-and-points-");
}

// Thin lines, a thin sheet from its edge, and repeating textures.
bool is_drawn_otherwise(const std::string& name)
{
    return has_thin_lines(name) || name.starts_with("views/flag-left-") ||
           name.starts_with("views/flag-side-") || name.starts_with("features/texture-transforms-");
}

// Of lavapipe with the code paths of a card, or of an NVIDIA card, whose lines are at least one pixel wide.
path golden_path(const std::string& name, std::string_view driver)
{
    const char* suffix = "";
    if (is_driven_as_graphics_card() && is_drawn_otherwise(name))
        suffix = has_thin_lines(name) && driver.starts_with("NVIDIA") ? "-of-nvidia" : "-of-samples";
    return source_dir() / "tests/pictures/golden" / (name + suffix + ".png");
}

void write(const path& file, const render::Frame& frame)
{
    std::filesystem::create_directories(file.parent_path());
    const auto png = render::encode(frame, render::ImageFormat::png);
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
}

render::Frame read(const path& file)
{
    const auto text = read_file(file);
    auto image = images::decode_image(std::as_bytes(std::span(text)), file.string(), {});
    if (!image) return {};
    render::Frame frame;
    frame.width = image->width;
    frame.height = image->height;
    frame.pixels.assign(image->pixels);
    return frame;
}

path keep_failure(const render::Frame& golden, const render::Frame& frame, const std::string& name)
{
    const char* chosen = std::getenv("VITRINE_TEST_PICTURES");
    const auto file = path(chosen != nullptr ? chosen : "failed_pictures") / (name + ".png");
    write(file, side_by_side(golden, frame));
    return std::filesystem::absolute(file);
}

// Images shared by several formats.
bool is_shared(const std::string& name)
{
    return name.ends_with("-at-rest") || name.ends_with("-first-frame");
}

Difference tolerance_of_software(const std::string& name)
{
    return is_shared(name) ? tolerance_of_formats : tolerance;
}

const Difference& tolerance_in(const DriverTolerance& row, const std::string& name)
{
    return is_shared(name) ? row.formats : row.pictures;
}

std::string text(const Difference& d)
{
    return fmt::format("mean {:.4f}, 99th percentile {:.4f}, window {:.4f}, window color {:.4f}, "
                       "brightness {:.4f}",
                       d.mean, d.percentile_99, d.window, d.window_color, d.brightness);
}

// An image with its appearance, which takes longer than rendering it.
struct Picture {
    const render::Frame& frame;
    Appearance appearance = appearance_of(frame);
};

void expect_defects_seen(const Picture& golden, const Picture& picture, const Coverage& model,
                         const std::string& name)
{
    const auto defects = plant_defects(picture.frame, picture.appearance, model);
    const auto is_hole = [](const PlantedDefect& defect) { return std::string_view(defect.name) == "hole"; };
    EXPECT_TRUE(std::ranges::any_of(defects, is_hole)) << name << ": no place for a hole";
    for (const auto& defect : defects) {
        const auto apart = difference(golden.appearance, defect.appearance, model);
        print_difference(defect.name, name, apart);
        EXPECT_FALSE(passes_for(name, apart))
            << name << ": the planted defect \"" << defect.name << "\" passes: " << text(apart)
            << "; golden, picture, difference: "
            << keep_failure(golden.frame, defect.frame, name + "-" + defect.name);
    }
}

} // namespace

void print_difference(const std::string& what, const std::string& name, const Difference& d)
{
    if (std::getenv("VITRINE_VERBOSE") != nullptr)
        fmt::print("{:.4f} {:.4f} {:.4f} {:.4f} {:.4f} {} {}\n", d.mean, d.percentile_99, d.window,
                   d.window_color, d.brightness, what, name);
}

const DriverTolerance& card_tolerance(std::string_view driver)
{
    return *std::ranges::find_if(card_tolerances,
                                 [&](const auto& row) { return driver.starts_with(row.driver); });
}

bool passes_for(const std::string& name, const Difference& measured)
{
    return within(measured, tolerance_of_software(name)) ||
           std::ranges::any_of(card_tolerances,
                               [&](const auto& row) { return within(measured, tolerance_in(row, name)); });
}

void expect_golden(const render::Frame& frame, const Coverage& model, const std::string& name,
                   std::string_view driver)
{
    const auto file = golden_path(name, driver);
    if (std::getenv("VITRINE_MAKE_GOLDENS") != nullptr && !std::filesystem::exists(file))
        return write(file, frame);
    const auto golden = read(file);
    ASSERT_TRUE(golden.width == frame.width && golden.height == frame.height)
        << "no such image: " << file << "; script/pictures --goldens makes them";
    const Picture expected{golden}, shown{frame};
    const auto apart = difference(expected.appearance, shown.appearance, model);
    print_difference("-", name, apart);
    const auto permitted = is_driven_as_graphics_card() ? tolerance_in(card_tolerance(driver), name)
                                                        : tolerance_of_software(name);
    EXPECT_TRUE(within(apart, permitted))
        << name << " differs: " << text(apart) << "; permitted with " << driver << ": " << text(permitted)
        << "; golden, picture, difference: " << keep_failure(golden, frame, name);
    expect_defects_seen(expected, shown, model, name);
}

void expect_other_than_golden(const render::Frame& frame, const Coverage& model, const std::string& name,
                              std::string_view driver)
{
    if (std::getenv("VITRINE_MAKE_GOLDENS") != nullptr) return;
    const auto file = golden_path(name, driver);
    const auto golden = read(file);
    ASSERT_TRUE(golden.width == frame.width && golden.height == frame.height) << file;
    const auto apart = difference(golden, frame, model);
    print_difference("other", name, apart);
    EXPECT_FALSE(passes_for(name, apart))
        << name << ": another image passes: " << text(apart)
        << "; golden, picture, difference: " << keep_failure(golden, frame, name + "-other");
}

} // namespace vitrine::test
