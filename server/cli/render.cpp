#include <algorithm>
#include <cstdio>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <CLI/Option.hpp>
#include <fmt/ranges.h>

#include "api/hit_json.hpp"
#include "api/json_text.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "server/cli/command.hpp"
#include "server/cli/output_file.hpp"
#include "server/cli/pose_options.hpp"
#include "server/cli/render_plan.hpp"
#include "server/cli/scene_file.hpp"
#include "server/cli/terminal/progress.hpp"
#include "server/cli/view_options.hpp"
#include "server/loader_options.hpp"
#include "server/util/work_pool.hpp"
#include "vk_renderer/camera/view_parser.hpp"
#include "vk_renderer/encode/animation.hpp"
#include "vk_renderer/encode/sheet.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::cli {
namespace {

constexpr std::uint32_t max_frames = 600;
constexpr std::size_t max_batch_bytes = 32u << 20;   // memory of the frames in one batch
constexpr std::uint64_t max_sheet_pixels = 1u << 27; // 512 MiB of pixels, twice in memory during encoding
constexpr std::uint32_t max_jpeg_side = 65'500;

using Failure = std::unexpected<std::string>;

std::vector<std::byte> draw_animation(render::Renderer& renderer, const server::FrameSequencePlan& plan,
                                      const render::EncodeOptions& options)
{
    server::WorkPool pool(std::max(std::thread::hardware_concurrency(), 1u), plan.frame_requests.size());
    render::AnimationEncoder encoder(options, [&](auto task) { return pool.post(std::move(task)); });
    const std::span frame_requests = plan.frame_requests;
    const auto& view = frame_requests.front().view;
    const auto frames_at_once =
        std::max<std::size_t>(max_batch_bytes / (std::size_t{view.width} * view.height * 4), 1);
    std::vector<render::Frame> frames;
    ProgressLine progress;
    for (std::size_t at = 0; at < frame_requests.size(); at += frames_at_once) {
        progress.show(at, frame_requests.size(), "frames");
        renderer.render(frame_requests.subspan(at, std::min(frames_at_once, frame_requests.size() - at)),
                        frames);
        for (auto& frame : frames)
            encoder.add(std::move(frame));
    }
    return encoder.finish();
}

// Ends the device while the images are encoded, which takes about as long.
std::vector<std::byte> draw(std::unique_ptr<render::Renderer> renderer, const server::FrameSequencePlan& plan,
                            render::ImageFormat format, int quality)
{
    const render::EncodeOptions options{.quality = quality, .frames_per_second = plan.frames_per_second()};
    if (plan.frame_requests.size() > 1 && format == render::ImageFormat::webp)
        return draw_animation(*renderer, plan, options);
    std::vector<render::Frame> frames;
    renderer->render(plan.frame_requests, frames);
    const std::jthread ending([&renderer] { renderer.reset(); });
    return render::encode(frames.size() > 1 ? render::compose_sheet(frames) : frames[0], format, options);
}

// Returns why the frames do not fit into one PNG or JPEG; empty if they do or no sheet is needed.
std::string sheet_error(std::size_t frames, const render::View& view, render::ImageFormat format)
{
    if (frames < 2 || format == render::ImageFormat::webp) return {};
    const auto grid = render::sheet_grid(frames);
    const std::uint64_t width = std::uint64_t{grid.columns} * view.width;
    const std::uint64_t height = std::uint64_t{grid.rows} * view.height;
    const bool too_long = format == render::ImageFormat::jpeg && std::max(width, height) > max_jpeg_side;
    if (!too_long && width * height <= max_sheet_pixels) return {};
    return fmt::format(
        "{} frames of {} x {} make a sheet of {} x {}, which is too large: at most {} pixels{}; "
        ".webp stores them as an animation",
        frames, view.width, view.height, width, height, max_sheet_pixels,
        too_long ? fmt::format(" and, for JPEG, {} per side", max_jpeg_side) : "");
}

// The parsed output arguments.
struct OutputOptions {
    render::View view;
    std::optional<render::ImageFormat> format; // of the image
    std::optional<render::Pixel> pixel{};      // prints the hit at this pixel
};

std::expected<OutputOptions, std::string> parse_output_options(const RenderArguments& arguments)
{
    const auto view = choose_view(arguments.view);
    if (!view) return Failure(view.error());
    OutputOptions output_options{.view = *view, .format = {}};
    if (!arguments.pick.empty()) {
        const auto pixel = parse_pixel(arguments.pick, *view);
        if (!pixel) return Failure(pixel.error());
        output_options.pixel = *pixel;
        if (arguments.output.empty()) return output_options;
    }
    const auto format = parse_image_format(arguments.output);
    if (!format) return Failure(format.error());
    output_options.format = *format;
    return output_options;
}

void print_pick(render::Renderer& renderer, const render::FrameRequest& frame_request, render::Pixel pixel)
{
    const auto hit =
        renderer.pick(frame_request.scene, frame_request.view, frame_request.clip_time, pixel.x, pixel.y);
    fmt::print("{}\n", api::to_pretty_text(api::hit_json(*frame_request.scene, hit)));
}

int report_error_for(const std::string& sentence, int exit_code = 1)
{
    fmt::print(stderr, "vitrine: {}\n", sentence);
    return exit_code;
}

// Prints the error. Codes are those of REST, for errors in the file and for device errors.
int report_render_error(const std::string& file, std::string_view code, std::string_view where,
                        const std::exception& error)
{
    return report_error_for(fmt::format("{}: {} at {}: {}", file, code, where, error.what()));
}

void print_unused_card(const std::string& gpu, const render::DeviceInfo& device)
{
    const auto notice = render::unused_card_notice(gpu, device);
    if (!notice.empty()) fmt::print(stderr, "vitrine: {}\n", notice);
}

int draw_files(const RenderArguments& arguments, const OutputOptions& output_options,
               const server::FrameSequencePlan& plan, std::future<std::unique_ptr<render::Renderer>> starting)
{
    const auto file = fmt::format("{}", fmt::join(arguments.files, ", "));
    try {
        const auto& scene = plan.frame_requests.front().scene;
        const auto prepared = render::prepare(*scene); // while the device starts
        auto renderer = starting.get();
        print_unused_card(arguments.gpu, renderer->info());
        renderer->upload(scene, prepared);
        if (output_options.pixel) print_pick(*renderer, plan.frame_requests.front(), *output_options.pixel);
        if (output_options.format)
            write_output(arguments.output,
                         draw(std::move(renderer), plan, *output_options.format, arguments.quality));
        return 0;
    } catch (const render::Undrawable& error) {
        return report_render_error(file, "not_drawable", "the file", error);
    } catch (const render::TooLargeForDevice& error) {
        return report_render_error(file, "too_large_for_device", "the file", error);
    } catch (const render::RenderError& error) {
        return report_render_error(file, "not_drawn", "the device", error);
    } catch (const render::DeviceLost& error) {
        return report_render_error(file, "not_drawn", "the device", error);
    }
}

std::unique_ptr<render::Renderer> start_renderer(const std::string& gpu)
{
    return std::make_unique<render::Renderer>(render::Options{.device = gpu, .single_use = true});
}

// The frames of one file. Empty after a message on stderr.
std::optional<server::FrameSequencePlan> plan_file(const RenderArguments& arguments, const render::View& view,
                                                   const worker::ClientOptions& loading)
{
    const auto& file = arguments.files.front();
    auto loaded = load_shown_or_report(file, loading, arguments.pose);
    if (!loaded) return std::nullopt;
    const auto scene = std::make_shared<const scene::Scene>(std::move(*loaded));
    if (!scene::draws_anything(*scene)) {
        report_error(file, {LoadErrc::empty, "", std::string(nothing_to_draw)});
        return std::nullopt;
    }
    for (const auto& warning : scene->warnings)
        if (warning.code == "nothing_to_show" || warning.code == "skeleton_shown")
            fmt::print(stderr, "vitrine: {}: {}: {}\n", file, warning.code, warning.message);
    auto plan = plan_frames(scene, view, arguments);
    if (plan) return std::move(*plan);
    report_error_for(fmt::format("{}: {}", file, plan.error()));
    return std::nullopt;
}

// Those of several files side by side, likewise.
std::optional<server::FrameSequencePlan>
plan_lineup(const RenderArguments& arguments, const render::View& view, const worker::ClientOptions& loading)
{
    const auto lineup = load_lineup_or_report(arguments, loading, view.light);
    if (!lineup) return std::nullopt;
    auto plan = plan_frames(*lineup, view, arguments);
    if (plan) return std::move(*plan);
    report_error_for(plan.error());
    return std::nullopt;
}

int render_files(const RenderArguments& arguments)
{
    const auto output_options = parse_output_options(arguments);
    if (!output_options) return report_error_for(output_options.error(), usage_error);
    // The device starts while the loader process works; both take about as long as rendering.
    render::disable_unused_drivers(arguments.gpu);
    std::future<std::unique_ptr<render::Renderer>> renderer;
    auto loading = arguments.loading;
    loading.started = [&] {
        if (!renderer.valid()) renderer = std::async(std::launch::async, start_renderer, arguments.gpu);
    };
    const auto& view = output_options->view;
    const auto plan = arguments.files.size() > 1 ? plan_lineup(arguments, view, loading)
                                                 : plan_file(arguments, view, loading);
    if (!plan) return 1;
    if (output_options->format) {
        const auto fault = sheet_error(plan->frame_requests.size(), view, *output_options->format);
        if (!fault.empty()) return report_error_for(fault);
    }
    return draw_files(arguments, *output_options, *plan, std::move(renderer));
}

void add_lineup_options(CLI::App& app, RenderArguments& arguments)
{
    app.add_option(
           "--model", arguments.models,
           "N.OPTION=VALUE: an option of the pose (clip, time, turn, variant, ...) for file N of several, "
           "from 0; may be repeated")
        ->allow_extra_args(false);
    add_word_option(app, "--sizes", arguments.sizes, scene::lineup_size_words,
                    "Of several files: actual, or equal (largest sides of one meter)");
    add_scale_options(app, arguments.scale);
}

} // namespace

Action declare_render(CLI::App& app)
{
    auto arguments = std::make_shared<RenderArguments>();
    app.add_option("FILE", arguments->files, "Model file, or a folder with one model; several: side by side")
        ->required();
    server::declare_loading(app, arguments->loading);
    auto* output = app.add_option("-o,--output", arguments->output, "Output image: .png, .jpg or .webp");
    auto* pick =
        app.add_option("--pick", arguments->pick, "Print the object at this pixel as JSON")->type_name("X,Y");
    add_pose_options(app, arguments->pose);
    add_look_options(app, arguments->pose.look);
    app.get_option("--clip")->description(
        "Clip: name, id (c0), index or part of the name; none: the static pose; frames:A-B or frames:all: "
        "frames of the file (MD2); FILE:NAME: a clip of another file. Default without --time: a "
        "representative pose");
    add_lineup_options(app, *arguments);
    add_view_options(app, arguments->view);
    auto* turntable = app.add_option("--turntable", arguments->turntable,
                                     "Frames of an orbit of 4 s: animated WebP, or a sprite sheet")
                          ->check(CLI::Range(1u, max_frames));
    auto* frames = app.add_option("--frames", arguments->frames,
                                  "Frames over the clip: animated WebP, or a sprite sheet")
                       ->check(CLI::Range(1u, max_frames))
                       ->excludes(turntable);
    pick->excludes(turntable)->excludes(frames);
    app.parse_complete_callback([=] {
        if (output->empty() && pick->empty()) throw CLI::RequiredError("--output or --pick");
    });
    for (const auto* clip_time : {"--time", "--file-time", "--frame"})
        frames->excludes(app.get_option(clip_time));
    app.add_option("--quality", arguments->quality, "Quality of JPEG and WebP")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option(
           "--gpu", arguments->gpu,
           "auto, gpu, software, an index, or part of a name that contains a letter (see `vitrine doctor`)")
        ->capture_default_str();
    return [arguments] { return render_files(*arguments); };
}

} // namespace vitrine::cli
