#pragma once
// The input of a loader: named files and limits. A loader reads nothing else.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/base/error.hpp"

namespace vitrine {

namespace io {
class NameIndex;
}

using Bytes = std::span<const std::byte>;

// Every limit is checked before memory is allocated. Exceeding one is LoadErrc::limit_exceeded with its name.
struct Limits {
    std::uint64_t file_bytes = 2ull << 30;
    std::uint64_t total_bytes = 4ull << 30; // all files opened by one load
    std::uint64_t vertices = 64'000'000;
    std::uint64_t indices = 256'000'000;
    std::uint64_t influences = 256'000'000;
    std::uint64_t key_values = 256'000'000; // floats in all channels
    std::uint64_t morph_deltas = 256'000'000;
    // vertices of each mesh times the visible nodes that draw it
    std::uint64_t drawn_vertices = 128'000'000;
    // influences of each mesh times the visible nodes that draw it
    std::uint64_t drawn_influences = 512'000'000;
    std::uint32_t nodes = 1'000'000;
    std::uint32_t joints = 65'535;         // per skin; Influences::joints has 16 bits
    std::uint64_t skin_joints = 4'000'000; // sum over all skins
    std::uint32_t meshes = 250'000;
    std::uint32_t materials = 100'000;
    std::uint32_t images = 10'000;
    std::uint32_t clips = 10'000;
    // per clip, in formats that store frames; keeps the frames' times distinct
    std::uint32_t frames = 4'194'304;
    std::uint32_t clip_seconds = 86'400;      // a longer clip is cut there, with a warning
    std::uint32_t depth = 512;                // nesting of nodes, JSON, XML, chunks
    std::uint64_t image_pixels = 67'108'864;  // one image: 8192 x 8192
    std::uint64_t total_pixels = 268'435'456; // all images of one load: sixteen of 4096 x 4096
    std::uint32_t zip_entries = 10'000;
    std::uint64_t zip_bytes = 4ull << 30; // total unpacked size
    std::uint32_t zip_ratio = 1'000;      // total unpacked size / packed size
};

// The files of one upload or folder. Names are relative, normalized, separated by '/'. Bytes stay valid for
// the lifetime of the Source. Not thread-safe.
class Source {
public:
    virtual ~Source() = default;
    // The file to load.
    virtual const std::string& main_name() const = 0;
    // All names including the main one, sorted; constant.
    virtual const std::vector<std::string>& names() const = 0;
    // Whether the source is a whole upload or folder. Then the loader combines related files (the parts of an
    // MD3 player, animation-only files). Otherwise only main_name() was requested, and other files are opened
    // only if it refers to them.
    virtual bool is_whole_upload() const { return false; }
    // Whether the caller needs the pixels of images. If not, files of opaque images are checked only, and
    // decoded when the scene depends on their pixels (scene::Image::is_checked).
    virtual bool needs_pixels() const { return true; }
    // Returns the bytes of one of names(); an empty optional if the file cannot be read.
    virtual std::optional<Bytes> open(std::string_view name) = 0;
    // Whether a file with exactly this name exists although it is not one of names(): an image in the
    // unpacked game package around these files or, if the files are local, a file at a name that begins with
    // "../", relative to the folder of names(). If so, open() returns its bytes.
    virtual bool can_open_outside(std::string_view) { return false; }
    // Returns the name ("../textures/a.png") of an image with this file name in a folder next to that of
    // local files; open() returns its bytes. Empty if there is none.
    virtual std::string find_in_sibling_folders(std::string_view) { return {}; }

    // The index that io::resolve() searches. Created on first use, because a model may name many missing
    // files.
    virtual const io::NameIndex& name_index() const;

private:
    mutable std::shared_ptr<const io::NameIndex> name_index_;
};

} // namespace vitrine
