#pragma once
// What a loader is given: named files and limits. A loader reads nothing else.

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

// Every limit is compared before anything is allocated; passing one is LoadErrc::limit_exceeded naming it.
struct Limits {
    std::uint64_t file_bytes = 2ull << 30;
    std::uint64_t total_bytes = 4ull << 30; // all files that one load opens
    std::uint64_t vertices = 64'000'000;
    std::uint64_t indices = 256'000'000;
    std::uint64_t influences = 256'000'000;
    std::uint64_t key_values = 256'000'000; // floats in all channels
    std::uint64_t morph_deltas = 256'000'000;
    std::uint64_t drawn_vertices = 128'000'000;   // a mesh's as often as visible nodes show it
    std::uint64_t drawn_influences = 512'000'000; // likewise
    std::uint32_t nodes = 1'000'000;
    std::uint32_t joints = 65'535;         // a skin's; Influences::joints has 16 bits
    std::uint64_t skin_joints = 4'000'000; // of all skins
    std::uint32_t meshes = 250'000;
    std::uint32_t materials = 100'000;
    std::uint32_t images = 10'000;
    std::uint32_t clips = 10'000;
    std::uint32_t frames = 4'194'304;    // of one clip, where a file stores frames: their times stay apart
    std::uint32_t clip_seconds = 86'400; // a longer clip ends there, with a warning
    std::uint32_t depth = 512;           // nesting of nodes, JSON, XML, chunks
    std::uint64_t image_pixels = 67'108'864;  // one image: 8192 x 8192
    std::uint64_t total_pixels = 268'435'456; // all images of one load: sixteen of 4096 x 4096
    std::uint32_t zip_entries = 10'000;
    std::uint64_t zip_bytes = 4ull << 30; // unpacked, in all
    std::uint32_t zip_ratio = 1'000;      // unpacked / packed, in all
};

// The files of one upload or folder. Names are relative, normalised, separated by '/'. Bytes stay valid as
// long as the Source lives. Used from one thread.
class Source {
public:
    virtual ~Source() = default;
    // The file to load.
    virtual const std::string& main_name() const = 0;
    // Every name there is, the main one among them, sorted; always the same.
    virtual const std::vector<std::string>& names() const = 0;
    // Whether this is a whole upload or folder: the loader shows what belongs together in it (the parts of an
    // MD3 player, files of nothing but animation). Otherwise main_name() was asked for by itself, and other
    // files are opened only where it refers to them.
    virtual bool is_whole() const { return false; }
    // The bytes of a name out of names(); empty optional when it cannot be read.
    virtual std::optional<Bytes> open(std::string_view name) = 0;
    // Whether there is a file of exactly this name although it is none of names(): a picture of the unpacked
    // game package around these files, or, where the files are local, one that a name beginning with "../"
    // leads to from the folder of names(). If so, open() has its bytes.
    virtual bool reaches(std::string_view) { return false; }
    // The name ("../textures/a.png") of a picture of this file name in a folder beside local files; open()
    // has its bytes. Empty: there is none.
    virtual std::string find_beside(std::string_view) { return {}; }

    // What io::resolve() looks names up in: made when it first does, for a model may name many files that are
    // not there.
    virtual const io::NameIndex& name_index() const;

private:
    mutable std::shared_ptr<const io::NameIndex> name_index_;
};

} // namespace vitrine
