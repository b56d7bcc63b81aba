#include "loaders/worker/child/child.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/model_formats.hpp"
#include "loaders/io/archive/unzip.hpp"
#include "loaders/io/archive/zip_library.hpp"
#include "loaders/io/huge_pages.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/scene/blob.hpp"
#include "loaders/scene/geometry/texture_coordinates.hpp"
#include "loaders/scene/parts/levels.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/preview/check_visibility.hpp"
#include "loaders/scene/preview/outliers.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/worker/child/channel_source.hpp"
#include "loaders/worker/child/companion_animations.hpp"
#include "loaders/worker/child/sandbox.hpp"
#include "loaders/worker/child/scene_limits.hpp"
#include "loaders/worker/protocol/sanitizers.hpp"

namespace vitrine::worker {
namespace {

struct ReceivedJob {
    LoaderJob job;
    FileDescriptor result;
};

ReceivedJob receive_job(MessageSocket& channel)
{
    if (!channel.send({MessageType::hello, protocol_version, {}})) throw std::runtime_error("no parent");
    auto incoming = channel.receive(Wait::yes);
    const bool is_complete = incoming.status == ReceiveStatus::message &&
                             incoming.message.type == MessageType::job && incoming.descriptors.size() == 2;
    struct stat job_stat{};
    if (!is_complete || ::fstat(incoming.descriptors[0].get(), &job_stat) != 0)
        throw std::runtime_error("no job");
    const auto mapping =
        MemoryMapping::map(incoming.descriptors[0].get(), static_cast<std::uint64_t>(job_stat.st_size));
    if (!mapping) throw std::bad_alloc();
    auto job = decode_job({reinterpret_cast<const char*>(mapping->bytes().data()), mapping->bytes().size()});
    if (!job) throw std::runtime_error("the job cannot be read");
    return {std::move(*job), std::move(incoming.descriptors[1])};
}

LoadResult<void> write_all(int fd, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const auto count = ::write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return fail(LoadErrc::out_of_memory, {}, "not enough memory for the loaded scene");
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

// Consumes the scene: the pages of its large arrays are returned to the system once written, so that it is in
// memory once, not twice.
LoadResult<void> write_result(int fd, scene::Scene& scene)
{
    constexpr std::size_t step_bytes = std::size_t{2} << 20; // a huge page
    LoadResult<void> written;
    scene::encode_blob_pieces(scene).each([&](std::span<const std::byte> piece) {
        const bool is_array = piece.size() > step_bytes;
        for (; written && !piece.empty(); piece = piece.subspan(std::min(step_bytes, piece.size()))) {
            const auto step = piece.first(std::min(step_bytes, piece.size()));
            written = write_all(fd, step);
            if (is_array) io::discard_pages(step);
        }
    });
    return written;
}

std::string_view describe_invisible_scene(scene::SceneVisibility visible)
{
    switch (visible) {
    case scene::SceneVisibility::no_elements: return "the file has no visible mesh; images are empty";
    case scene::SceneVisibility::no_area:
        return "all triangles have zero area and all lines zero length; images are empty";
    case scene::SceneVisibility::transparent: return "all surfaces are fully transparent; images are empty";
    case scene::SceneVisibility::something: break;
    }
    return {};
}

// A file without visible geometry is valid (for example a library of materials or clips), but its images are
// empty.
void warn_if_invisible(scene::Scene& scene)
{
    const auto visibility = scene::check_visibility(scene);
    if (visibility == scene::SceneVisibility::no_elements && scene::is_skeleton_only(scene))
        scene.warnings.push_back(
            {"skeleton_shown", "the file has no visible mesh; images show the bones of its skeleton", ""});
    else if (const auto message = describe_invisible_scene(visibility); !message.empty())
        scene.warnings.push_back({"nothing_to_show", std::string(message), ""});
}

void warn_about_missing_uvs(scene::Scene& scene)
{
    if (auto warning = scene::missing_texture_coordinates(scene))
        scene.warnings.push_back(std::move(*warning));
}

void warn_about_outliers(scene::Scene& scene)
{
    if (auto warning = scene::warn_about_outliers(scene)) scene.warnings.push_back(std::move(*warning));
}

// Of several levels of detail only the most detailed one is drawn. The FBX loader reports its groups itself.
void show_first_level(scene::Scene& scene)
{
    constexpr std::string_view fbx_code = "fbx_lod_hidden";
    scene::find_named_levels(scene);
    const auto levels = scene::level_count(scene);
    if (levels == 1 ||
        std::ranges::find(scene.warnings, fbx_code, &scene::Warning::code) != scene.warnings.end())
        return;
    scene.warnings.push_back(
        {"lod_hidden",
         fmt::format("the file has {} levels of detail; the most detailed one is shown", levels), ""});
}

LoadResult<void> load(const ReceivedJob& received, ChannelSource& source, Bytes main,
                      std::span<const Format> formats)
{
    const ExtrapolationOptions extrapolation{received.job.extrapolation_policy, received.job.pose_time,
                                             received.job.timeline_mode == TimelineMode::single_clip};
    const auto format = find_format(formats, source.main_name(), main);
    if (!format) return std::unexpected(format.error());
    auto scene = load_with(**format, source, received.job.limits, extrapolation);
    if (source.limit_error()) return std::unexpected(*source.limit_error());
    if (!scene) return std::unexpected(scene.error());
    trim_names(*scene); // before animations are bound by name
    if (source.is_whole_upload())
        bind_companion_animations(source, formats, received.job.limits, extrapolation, *scene);
    trim_clips(*scene, received.job.limits);
    if (auto valid = scene::validate(*scene, scene::FlatMeshes::allowed); !valid) return valid;
    if (auto within_limits = check_scene_limits(*scene, received.job.limits); !within_limits)
        return within_limits;
    if (auto within = scene::check_extent(*scene); !within) return within;
    show_first_level(*scene);
    warn_if_invisible(*scene);
    warn_about_missing_uvs(*scene);
    warn_about_outliers(*scene);
    trim_names(*scene); // names and warnings added since
    if (received.job.pixels == PixelResult::left_out)
        for (scene::Image& image : scene->images)
            image.pixels = {};
    return write_result(received.result.get(), *scene);
}

bool may_be_zipped_model(const std::string& name)
{
    const auto* const format = find_model_format(io::extension_of(name));
    return format != nullptr && !format->zipped_extensions.empty();
}

// Archives are uploads and models in a zip.
bool may_open_archive(const LoaderJob& job, const std::optional<Bytes>& main)
{
    if (job.command == LoaderCommand::unzip) return true;
    if (main && main->size() >= 2 && (*main)[0] == std::byte{'P'} && (*main)[1] == std::byte{'K'})
        return true;
    const bool opens_others =
        job.command == LoaderCommand::find_animation_files || job.scope == Scope::upload;
    return opens_others && std::ranges::any_of(job.names, may_be_zipped_model);
}

bool has_extension_of(const Format& format, const std::string& name)
{
    const std::string_view extension = std::string_view(name).substr(std::min(name.rfind('.'), name.size()));
    return std::ranges::any_of(format.extensions,
                               [&](auto one) { return ascii::equal_ignoring_case(extension, one); });
}

// Whether find_format() may choose this format: by the first bytes or the name.
bool may_read(const Format& format, const LoaderJob& job, const std::optional<Bytes>& main)
{
    if (job.command == LoaderCommand::unzip) return false;
    if (main && (has_extension_of(format, job.names[job.main]) || (format.sniff && format.sniff(*main))))
        return true;
    const bool opens_others =
        job.command == LoaderCommand::find_animation_files || job.scope == Scope::upload;
    return opens_others &&
           std::ranges::any_of(job.names, [&](const auto& name) { return has_extension_of(format, name); });
}

// Not possible after confine(). Returns the error of a library that is not installed.
LoadResult<void> load_libraries(const LoaderJob& job, const std::optional<Bytes>& main,
                                std::span<const Format> formats)
{
    if (may_open_archive(job, main)) io::load_zip_library();
    for (const Format& format : formats)
        if (format.load_libraries && may_read(format, job, main) && !format.load_libraries())
            return fail(LoadErrc::internal, {},
                        fmt::format("a library that {} files need is not installed", format.name));
    return {};
}

// A model of a few megabytes is loaded in the time in which the system clears the memory for it. Freed blocks
// are therefore used again instead of being returned; large models return them, because their steps need
// blocks of different sizes.
void reuse_freed_memory(std::size_t main_bytes)
{
    constexpr std::size_t max_main_bytes = std::size_t{8} << 20;
    constexpr int max_block_bytes = 32 << 20, max_unused_bytes = 64 << 20;
    if (main_bytes > max_main_bytes) return;
    ::mallopt(M_MMAP_THRESHOLD, max_block_bytes);  // NOLINT(concurrency-mt-unsafe): one thread
    ::mallopt(M_TRIM_THRESHOLD, max_unused_bytes); // NOLINT(concurrency-mt-unsafe)
}

LoadResult<void> do_job(const ReceivedJob& received, MessageSocket& channel, std::span<const Format> formats)
{
    ChannelSource source(channel, received.job);
    const bool has_main = received.job.command != LoaderCommand::find_animation_files;
    const auto main = has_main ? source.open(source.main_name()) : std::nullopt;
    if (auto loaded = load_libraries(received.job, main, formats); !loaded) return loaded;
    if (auto confined = confine(received.job, received.result.get()); !confined) return confined;
    const auto send_message = [&](MessageType type, std::uint64_t value, std::string_view payload) {
        if (!channel.send({type, value, std::string(payload)}))
            throw std::runtime_error("the parent has closed the channel");
    };
    if (received.job.command == LoaderCommand::find_animation_files) {
        find_animation_files(source, received.job.names, formats,
                             [&](std::uint32_t i) { send_message(MessageType::entry, i, {}); });
        return {};
    }
    if (source.limit_error()) return std::unexpected(*source.limit_error());
    if (!main) return fail(LoadErrc::missing_file, {}, "the file cannot be read");
    if (main->empty()) return fail(LoadErrc::empty, {}, "the file has no bytes");
    reuse_freed_memory(main->size());
    if (received.job.command == LoaderCommand::load) return load(received, source, *main, formats);
    static_assert(io::zip_piece_bytes <= payload_limit);
    return io::unzip(
        *main, received.job.limits,
        {.begin = [&](std::string_view name) { send_message(MessageType::entry, 0, name); },
         .append = [&](std::string_view bytes) { send_message(MessageType::data, 0, bytes); },
         .skip = [&](std::string_view name) { send_message(MessageType::entry, skipped, name); }});
}

// Exceptions of a loader or its libraries are converted to errors, too.
LoadResult<void> do_job_safely(MessageSocket& channel, std::span<const Format> formats)
{
    try {
        const ReceivedJob received = receive_job(channel);
        return do_job(received, channel, formats);
    } catch (const std::bad_alloc&) {
        return fail(LoadErrc::out_of_memory, {}, "the loader process exceeded its memory limit");
    } catch (const std::exception& error) {
        return fail(LoadErrc::internal, {}, error.what());
    } catch (...) {
        return fail(LoadErrc::internal, {}, "unknown exception");
    }
}

} // namespace

// An exception of the last message ends the process, which the parent reports.
// NOLINTNEXTLINE(bugprone-exception-escape)
int run_child(FileDescriptor socket, std::span<const Format> formats) noexcept
{
    disable_core_dumps();
    MessageSocket channel(std::move(socket));
    const auto done = do_job_safely(channel, formats);
    const bool sent = channel.send(done ? Message{} : to_message(done.error()));
    return sent ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace vitrine::worker
