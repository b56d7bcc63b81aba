#include "tests/pictures/golden.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "loaders/images/image.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/paths.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::test {
namespace {

using std::filesystem::path;

path golden_path(const std::string& name)
{
    return source_dir() / "tests/pictures/golden" / (name + ".png");
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
    frame.pixels = std::move(image->pixels);
    return frame;
}

path keep_failure(const render::Frame& golden, const render::Frame& frame, const std::string& name)
{
    const char* chosen = std::getenv("VITRINE_TEST_PICTURES");
    const auto file = path(chosen != nullptr ? chosen : "failed_pictures") / (name + ".png");
    write(file, side_by_side(golden, frame));
    return std::filesystem::absolute(file);
}

// As tests/gpu/device.hpp says which device draws, and how.
bool is_driven_as_graphics_card()
{
    const char *tuning = std::getenv("VITRINE_TEST_TUNING"), *device = std::getenv("VITRINE_TEST_GPU");
    return (tuning != nullptr && std::string_view(tuning) == "graphics") ||
           (device != nullptr && std::string_view(device) != "software");
}

Difference tolerance_for(const std::string& name)
{
    if (!is_driven_as_graphics_card()) return tolerance;
    return name.ends_with("-wireframe") ? tolerance_of_thin_lines : tolerance_of_samples;
}

} // namespace

void expect_golden(const render::Frame& frame, const std::string& name, std::optional<Difference> stated)
{
    const Difference allowed = stated.value_or(tolerance_for(name));
    const auto file = golden_path(name);
    if (std::getenv("VITRINE_MAKE_GOLDENS") != nullptr && !std::filesystem::exists(file))
        return write(file, frame);
    const auto golden = read(file);
    ASSERT_TRUE(golden.width == frame.width && golden.height == frame.height)
        << "no such picture: " << file << "; script/pictures --goldens makes them";
    const auto apart = difference(golden, frame);
    if (std::getenv("VITRINE_VERBOSE") != nullptr)
        std::printf("%.4f %.4f %s\n", apart.mean, apart.percentile_99, name.c_str());
    if (apart.mean <= allowed.mean && apart.percentile_99 <= allowed.percentile_99) return;
    ADD_FAILURE() << name << ": differs by " << apart.mean << " in the mean and " << apart.percentile_99
                  << " at the 99th percentile; golden, picture, difference: "
                  << keep_failure(golden, frame, name);
}

} // namespace vitrine::test
