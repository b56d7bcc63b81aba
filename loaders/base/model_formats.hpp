#pragma once
// The model formats and the names of their files, for loaders, loader process and server alike. The table is
// loaders/formats.json, which the page reads too; loaders/formats.mjs documents its members.

#include <span>
#include <string_view>

namespace vitrine {

// How the scenes of a format differ from those of others, for code that is not in its loader.
struct SceneTraits {
    bool declares_sides = false;       // materials say whether back faces are visible
    bool exact_key_times = false;      // times of keys are not rounded to decimals
    bool lists_unbound_joints = false; // a skin without a mesh holds the joints that no cluster refers to
    bool every_node_is_joint = false;  // in files that contain only animations
    bool one_timeline = false;         // clips are sections of the file's timeline

    bool operator==(const SceneTraits&) const = default;
};

// All extensions are in lower case, with the dot.
struct ModelFormat {
    std::string_view id;
    std::span<const std::string_view> scene_formats; // values of Scene::format
    std::span<const std::string_view> extensions;    // of all its files that are loaded
    std::span<const std::string_view> animation_extensions;
    std::span<const std::string_view> companions; // of files that a model may name, besides images
    std::span<const std::string_view>
        namesakes; // those of `companions` that belong to the model of the same stem
    std::span<const std::string_view> zipped_extensions; // of `extensions`: their files are zip archives
    bool may_be_animation_only;                          // a file may contain clips without a mesh
    bool in_game_packages; // images are looked up in an unpacked game package around the model
    SceneTraits scene_traits;

    [[nodiscard]] bool is_animation_extension(std::string_view extension) const;
};

std::span<const ModelFormat> model_formats();

// Of zip files.
std::span<const std::string_view> archive_extensions();

// nullptr: no model has this extension.
const ModelFormat* find_model_format(std::string_view extension);

// Of scenes with this Scene::format; all false without a row.
SceneTraits scene_traits(std::string_view scene_format);

// Whether files with this extension are models in zip archives.
bool is_zipped_extension(std::string_view extension);

// Whether a model of any format may name such a file, besides images.
bool is_companion_extension(std::string_view extension);
bool is_namesake_extension(std::string_view extension);

// All of the format with this id; none when it has no row.
std::span<const std::string_view> extensions_of(std::string_view id);

} // namespace vitrine
