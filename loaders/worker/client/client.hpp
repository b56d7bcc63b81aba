#pragma once
// The parent's side of the loader process: every outside byte is parsed over there. Blocking: call it from a
// thread that may wait. Each call spawns one `vitrine-loader`, hands it read-only descriptors, waits until
// the deadline, reaps it, seals and maps the memfd it wrote, and decodes AND validates the Scene again on
// this side. Whatever the child does (crash, hang, memory hunger, garbage) becomes a LoadError. What breaks
// on this side (no descriptors left, disk full) is a std::system_error.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/worker/protocol/bundle.hpp"
#include "loaders/worker/protocol/bundle_names.hpp"
#include "loaders/worker/protocol/grouping.hpp"
#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

struct ClientOptions {
    std::filesystem::path program; // vitrine-loader; empty: beside the running program
    std::chrono::milliseconds deadline{60'000};
    std::uint64_t memory_bytes = 4ull << 30;
    Filter filter = Filter::required;
    ExtrapolationPolicy extrapolation_policy = ExtrapolationPolicy::extrapolated;
    std::optional<double> moment{}; // ExtrapolationOptions::pose_time
    TimelineMode timeline_mode = TimelineMode::clips;
    // Root of the unpacked game package that the files lie in: pictures that they name from there are found
    // (package.hpp). Empty: nothing but the files is read.
    std::filesystem::path package{};
    // The folder, as a real path, of files of this machine whose surroundings may be read (surroundings.hpp).
    // Empty: nothing but the files is read.
    std::filesystem::path folder{};
    Limits limits;
    // Requested: the child is killed at once. The error that comes back says `timed_out`; whoever asked for
    // the stop knows better.
    std::stop_token stop;
    // Told of each file that the loader asks for, once, on the calling thread.
    std::function<void(const BundleFile&)> opened;
};

// One file of several, with what it refers to.
LoadResult<scene::Scene> load_scene(const std::vector<BundleFile>& files, const std::string& main_name,
                                    const ClientOptions& options);
// The same where the files are a whole upload or folder: what belongs together is shown together.
LoadResult<scene::Scene> load_bundle(const std::vector<BundleFile>& files, const std::string& main_name,
                                     const ClientOptions& options);

// Unpacks a zip in the loader process into `folder` (which exists and is empty); names are normalised,
// entries and ratio limited. Returns what was written.
LoadResult<std::vector<BundleFile>> unpack_zip(const std::filesystem::path& zip,
                                               const std::filesystem::path& folder,
                                               const ClientOptions& options);

// Which of these models only animate another (files of clips without a mesh), by their index. None where the
// loader process fails: each of them then tells its own fault when it is loaded.
std::vector<std::uint32_t> find_animations(const std::vector<BundleFile>& models,
                                           const ClientOptions& options);

// Whether this kernel filters system calls as the loader process wants it to (seccomp).
bool kernel_supports_seccomp();

// model_names() and find_animations() together: the assets that the files make.
std::vector<ModelGroup> find_models(const std::vector<BundleFile>& files, const ClientOptions& options);

// load_scene() of list_sibling_files(), and of what it names around its folder (surroundings.hpp). A model of id's formats
// finds the shader scripts and pictures of the unpacked game package that it lies in, too (package.hpp).
LoadResult<scene::Scene> load_with_siblings(const std::filesystem::path& file, ClientOptions options);
} // namespace vitrine::worker
