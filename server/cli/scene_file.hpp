#pragma once
// Loads model files for the commands.

#include <optional>
#include <string>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/worker/client/client.hpp"
#include "server/cli/pose_options.hpp"

namespace vitrine::cli {

// Declares FILE and the options of loading it.
void add_file_options(CLI::App& app, std::string& file, worker::ClientOptions& loading);

// Loads a file and the files it refers to, or the one model of a folder or zip (a Quake III player is
// preferred to other models in it), in a loader process.
LoadResult<scene::Scene> load_model(const std::string& file, const worker::ClientOptions& loading);
// As load_model(). On failure it reports the error (see `report_error`).
std::optional<scene::Scene> load_or_report(const std::string& file, const worker::ClientOptions& loading);

// As above, for the pose and material variant that the arguments select. Curve extrapolation outside the keys
// is left to the loader, which knows each curve. Arguments that select no pose of the file are reported by
// choose_pose().
std::optional<scene::Scene> load_or_report(const std::string& file, const worker::ClientOptions& loading,
                                           const PoseArguments& arguments);

// As above; of a rig without a mesh the Scene with its bones (scene::with_bone_geometry), of which it shows
// what the arguments select.
std::optional<scene::Scene> load_shown_or_report(const std::string& file,
                                                 const worker::ClientOptions& loading,
                                                 const PoseArguments& arguments);

// Loads a file that --clip or --layer names: LoadOtherFile for choose_pose().
LoadOtherFile other_file_loader(const worker::ClientOptions& loading);

struct PosedFile {
    scene::Scene scene;
    ChosenPose chosen;
};
// As load_or_report(), with the selected pose.
std::optional<PosedFile> open_or_report(const std::string& file, const worker::ClientOptions& loading,
                                        const PoseArguments& arguments);

// Prints "vitrine: FILE: code at where: sentence" to stderr.
void report_error(const std::string& file, const LoadError& error);

} // namespace vitrine::cli
