#pragma once
// Model files as the commands take them.

#include <optional>
#include <string>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"
#include "loaders/worker/client/client.hpp"
#include "server/cli/pose_options.hpp"

namespace vitrine::cli {

// Loads a file and what it refers to beside it, or the one model of a folder or zip as a whole (a player of
// Quake III whatever else lies there), in a loader process. On failure says so on stderr (see
// `report_error`).
std::optional<scene::Scene> load_or_report(const std::string& file, const worker::ClientOptions& loading);

// The same to see the pose and the materials that the arguments mean: whether curves go on outside their
// keys, and at which moment, is a matter of the loader, which knows each curve by itself. Arguments that mean
// no pose of the file are for choose_pose() to report_error of.
std::optional<scene::Scene> load_or_report(const std::string& file, const worker::ClientOptions& loading,
                                           const PoseArguments& arguments);

// Gives the scene the materials of the variant, if one is named. False: there is none of that name or index,
// and stderr has the sentence.
bool apply_variant_or_complain(const std::string& file, scene::Scene& scene,
                               const std::optional<std::string>& variant);

struct PosedFile {
    scene::Scene scene;
    ChosenPose chosen;
};
// With that pose.
std::optional<PosedFile> open_or_report(const std::string& file, const worker::ClientOptions& loading,
                                        const PoseArguments& arguments);

// "vitrine: FILE: code at where: sentence" on stderr.
void report_error(const std::string& file, const LoadError& error);

} // namespace vitrine::cli
