#pragma once
// Parent side of the loader process, in which all untrusted bytes are parsed. Blocking; call it from a thread
// that may wait. Each call starts one `vitrine-loader`, passes read-only descriptors, waits until the
// deadline, reaps it, seals and maps the memfd it wrote, and decodes and validates the Scene again in this
// process. Any failure of the child (crash, hang, memory exhaustion, invalid data) becomes a LoadError.
// Failures of this process (no descriptors left, disk full) throw std::system_error. Only those, and
// `out_of_memory` or `timed_out` on a loaded machine, can succeed when the call is repeated. Parent and child
// are of one build: a different protocol_version ends the session.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/worker/files/bundle.hpp"
#include "loaders/worker/files/bundle_names.hpp"
#include "loaders/worker/files/grouping.hpp"
#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

struct ClientOptions {
    std::filesystem::path program; // vitrine-loader; empty: next to the running program
    std::chrono::milliseconds deadline{60'000};
    std::uint64_t memory_bytes = 4ull << 30;
    FilterRequirement filter = FilterRequirement::required;
    ExtrapolationPolicy extrapolation_policy = ExtrapolationPolicy::extrapolated;
    std::optional<double> pose_time{}; // ExtrapolationOptions::pose_time
    TimelineMode timeline_mode = TimelineMode::clips;
    // Root of the unpacked game package around the files: images that they name relative to it are found
    // (game_package.hpp). Empty: only the files are read.
    std::filesystem::path package{};
    // The folder (canonical path) of local files around which further files may be read (surroundings.hpp).
    // Empty: only the files are read.
    std::filesystem::path folder{};
    Limits limits;
    // For callers that need no pixels: images are checked, but have none in the result.
    PixelResult pixels = PixelResult::returned;
    // When a stop is requested, the child is killed immediately. The returned error is `timed_out`; the
    // caller that requested the stop must interpret it.
    std::stop_token stop;
    // Called when a loader process was started, on the calling thread: work that would delay the start
    // begins then. Several times for folders and zips.
    std::function<void()> started;
    // Called once for each file that the loader requests, on the calling thread.
    std::function<void(const BundleFile&)> opened;
};

// Loads one of several files and the files it refers to.
LoadResult<scene::Scene> load_scene(const std::vector<BundleFile>& files, const std::string& main_name,
                                    const ClientOptions& options);
// As above for a whole upload or folder: related files are combined.
LoadResult<scene::Scene> load_bundle(const std::vector<BundleFile>& files, const std::string& main_name,
                                     const ClientOptions& options);

// Unpacks a zip in the loader process into `folder` (which exists and is empty). Names are normalized; the
// number of entries and the ratio are limited. Returns the files written, and without a path the links and
// macOS companion entries, which are not.
LoadResult<std::vector<BundleFile>> unpack_zip(const std::filesystem::path& zip,
                                               const std::filesystem::path& folder,
                                               const ClientOptions& options);
// As above, without a folder: each file is passed on in pieces, after its name. What the functions throw is
// passed on.
struct UnpackSink {
    std::function<void(const std::string& name)> begin;
    std::function<void(std::string_view bytes)> append;
};
LoadResult<void> unpack_zip(const BundleFile& zip, const UnpackSink& sink, const ClientOptions& options);

// Indices of the models that only animate another (files with clips but without a mesh). Empty if the loader
// process fails; each model then reports its own error when it is loaded.
std::vector<std::uint32_t> find_animations(const std::vector<BundleFile>& models,
                                           const ClientOptions& options);

// Whether the kernel supports the system call filter of the loader process (seccomp).
bool kernel_supports_seccomp();

// Combines model_names() and find_animations() to the assets that the files form.
std::vector<ModelGroup> find_models(const std::vector<BundleFile>& files, const ClientOptions& options);

// load_scene() with list_sibling_files() and the files that the model names around its folder
// (surroundings.hpp). For a model of an id Software format, shader scripts and images of the surrounding
// unpacked game package are found as well (game_package.hpp). The killed loader process of the last call is
// reaped by the next one, or when the program ends.
LoadResult<scene::Scene> load_with_siblings(const std::filesystem::path& file, ClientOptions options);
} // namespace vitrine::worker
