#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "loaders/io/resource_name.hpp"
#include "loaders/scene/pose.hpp"
#include "server/cli/command.hpp"
#include "server/cli/output_file.hpp"
#include "server/cli/pose_choice.hpp"
#include "server/cli/scene_file.hpp"
#include "server/cli/view_choice.hpp"
#include "server/loading.hpp"
#include "vk_renderer/encode/encode.hpp"
#include "vk_renderer/renderer.hpp"
#include "vk_renderer/view_words.hpp"

namespace vitrine::cli {
namespace {

constexpr std::uint32_t most_frames = 600;

struct Arguments {
    std::string file;
    worker::ClientOptions loading;
    std::string output;
    PoseArguments pose;
    ViewArguments view;
    std::string gpu = "auto";
    std::uint32_t turntable = 0;
    std::uint32_t frames = 0;
    int quality = 85;
};

using Failure = std::unexpected<std::string>;

std::expected<render::ImageFormat, std::string> format_of(const std::string& output)
{
    const auto extension = io::extension_of(output);
    if (extension == ".png") return render::ImageFormat::png;
    if (extension == ".jpg" || extension == ".jpeg") return render::ImageFormat::jpeg;
    if (extension == ".webp") return render::ImageFormat::webp;
    return Failure(fmt::format("{}: the name must end in .png, .jpg or .webp", output));
}

std::vector<render::Frame> orbit(render::Renderer& renderer, const render::SharedScene& scene,
                                 render::View view, render::Moment moment, std::uint32_t steps)
{
    std::vector<render::Frame> frames;
    const float first = view.camera.yaw;
    for (std::uint32_t i = 0; i < steps; ++i) {
        view.camera.yaw = first + 360.0f * static_cast<float>(i) / static_cast<float>(steps);
        frames.push_back(std::move(renderer.render(scene, view, {&moment, 1}).at(0)));
    }
    return frames;
}

// Evenly over the clip, its end left out: a loop shows no frame twice.
std::vector<render::Moment> moments_over(const scene::Scene& scene, std::uint32_t clip, std::uint32_t count)
{
    std::vector<render::Moment> moments;
    for (std::uint32_t i = 0; i < count; ++i)
        moments.push_back({clip, scene.clips[clip].duration * i / count});
    return moments;
}

// One picture of all frames, row by row: the sprite sheet that PNG and JPEG hold.
render::Frame sheet_of(const std::vector<render::Frame>& frames)
{
    std::uint32_t columns = 1;
    while (std::uint64_t{columns} * columns < frames.size())
        ++columns;
    const auto rows = (static_cast<std::uint32_t>(frames.size()) + columns - 1) / columns;
    const auto width = frames[0].width, height = frames[0].height;
    render::Frame sheet{
        .width = width * columns, .height = height * rows, .pixels = {}, .bounds = {}, .render_us = 0};
    sheet.pixels.resize(std::size_t{sheet.width} * sheet.height * 4);
    for (std::size_t i = 0; i < frames.size(); ++i)
        for (std::uint32_t y = 0; y < height; ++y) {
            const auto* row = frames[i].pixels.data() + std::size_t{y} * width * 4;
            const auto at = (i / columns * height + y) * sheet.width + i % columns * width;
            std::copy_n(row, std::size_t{width} * 4, sheet.pixels.data() + at * 4);
        }
    return sheet;
}

std::vector<std::byte> encode(const std::vector<render::Frame>& frames, render::ImageFormat format,
                              int quality, double frames_per_second)
{
    const render::EncodeOptions options{.quality = quality, .frames_per_second = frames_per_second};
    if (frames.size() == 1) return render::encode(frames[0], format, options);
    if (format == render::ImageFormat::webp) return render::encode_animation(frames, options);
    return render::encode(sheet_of(frames), format, options);
}

void draw(const Arguments& arguments, const render::SharedScene& scene, const render::View& view,
          const ChosenPose& chosen, render::ImageFormat format)
{
    render::Renderer renderer({.device = arguments.gpu});
    const render::Moment moment{chosen.clip, chosen.time};
    const bool moving = arguments.frames > 1 && chosen.clip != scene::none;
    std::vector<render::Frame> frames;
    double rate = 15.0;
    if (arguments.turntable > 1) {
        frames = orbit(renderer, scene, view, moment, arguments.turntable);
    } else if (moving) {
        const double duration = scene->clips[chosen.clip].duration;
        if (duration > 0.0) rate = arguments.frames / duration;
        frames = renderer.render(scene, view, moments_over(*scene, chosen.clip, arguments.frames));
    } else {
        frames = renderer.render(scene, view, {&moment, 1});
    }
    write_output(arguments.output, encode(frames, format, arguments.quality, rate));
}

int complain_about(const std::string& sentence)
{
    fmt::print(stderr, "vitrine: {}\n", sentence);
    return 1;
}

int render_file(const Arguments& arguments)
{
    const auto format = format_of(arguments.output);
    if (!format) return complain_about(format.error());
    auto opened = open_or_complain(arguments.file, arguments.loading, arguments.pose);
    if (!opened) return 1;
    const auto scene = std::make_shared<const scene::Scene>(std::move(opened->scene));
    if (!scene::draws_anything(*scene)) {
        complain(arguments.file,
                 {LoadErrc::empty, "", "there is no visible mesh, so there is nothing to draw"});
        return 1;
    }
    const auto view = choose_view(arguments.view);
    if (!view) return complain_about(view.error());
    draw(arguments, scene, *view, opened->chosen, *format);
    return 0;
}

} // namespace

Action declare_render(CLI::App& app)
{
    auto arguments = std::make_shared<Arguments>();
    auto& view = arguments->view;
    app.add_option("FILE", arguments->file, "Model file")->required();
    app.add_option("-o,--output", arguments->output, "Picture: .png, .jpg or .webp")->required();
    server::declare_loading(app, arguments->loading);
    add_pose_options(app, arguments->pose);
    app.add_option("--size", view.size, "Pixels")->type_name("WxH")->capture_default_str();
    app.add_option("--view", view.view, render::camera_words())->capture_default_str();
    app.add_option("--background", view.background, std::string(render::background_words))
        ->capture_default_str();
    app.add_option("--overlay", view.overlays, std::string(render::overlay_words));
    app.add_option("--light", view.light, "studio, or reference for comparing renderers")
        ->capture_default_str();
    app.add_flag("--orthographic", view.orthographic, "Without perspective");
    app.add_option("--turntable", arguments->turntable, "Frames of an orbit: animated WebP, or a sheet")
        ->check(CLI::Range(1u, most_frames));
    app.add_option("--frames", arguments->frames, "Frames over the clip: animated WebP, or a sheet")
        ->check(CLI::Range(1u, most_frames));
    app.add_option("--quality", arguments->quality, "Of JPEG and WebP")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option("--gpu", arguments->gpu, "auto, software or an index (see `vitrine doctor`)")
        ->capture_default_str();
    return [arguments] { return render_file(*arguments); };
}

} // namespace vitrine::cli
