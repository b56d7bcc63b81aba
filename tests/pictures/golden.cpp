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

} // namespace

void expect_golden(const render::Frame& frame, const std::string& name, const Difference& allowed)
{
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
