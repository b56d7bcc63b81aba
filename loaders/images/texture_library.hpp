#pragma once
// The pictures that a model names, each found, decoded and kept once in Scene::images. For formats that name
// textures by path and file; every failure is a warning.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::images {

class TextureLibrary {
public:
    // All four outlive it.
    TextureLibrary(Source& source, const Limits& limits, scene::Scene& scene, io::WarningLog& warnings);

    // The image that `wanted` names: as it says, else by base name and ignoring case and accents' form (a
    // warning), else with another of the usual extensions, else by a name that DOS cut, else as a URL
    // ("my%20map.png"), else in folders beside local files (a warning). One that is missing or cannot be
    // decoded becomes an image without pixels, once, with a warning. `where` is the place in the model. none,
    // with a warning, past Limits::images or total_pixels.
    std::uint32_t get(std::string_view wanted, std::string_view where);

    // From here on names stand in a file of this folder ("textures/"): they are looked for there first. At
    // the beginning that is the main file's.
    void set_search_folder(std::string_view folder) { folder_ = folder; }

    // From here on names may be cut to eight characters, as DOS did.
    void allow_dos_names() { dos_names_ = true; }

    // The name of the file that get() would take; empty when there is none.
    std::string find(std::string_view wanted) const;
    // A file by its name in the Source; none, with the reason and without a warning, when it cannot be used.
    std::uint32_t try_file(const std::string& name, std::string& reason);
    // An encoded image that lies in the model itself, likewise; its name tells formats apart that do not.
    std::uint32_t try_bytes(Bytes bytes, const std::string& name, std::string& reason);
    // What an index that came from here names.
    const scene::Image& image(std::uint32_t index) const { return scene_.images[index]; }
    // An image with pixels, or null; of any number.
    const scene::Image* usable(std::uint32_t index) const;
    // Keeps an image that the caller made (of others, say); none past the same limits.
    std::uint32_t add(scene::Image image);
    // Whether add() would keep one of this size; a warning where not.
    bool has_room_for(const scene::Image& image) const;

private:
    std::string find_exact_or_relaxed(std::string_view wanted) const;
    std::string find_dos_name(std::string_view stem) const;
    std::string find_beside(std::string_view wanted) const;
    struct Decoded {
        std::uint32_t image = scene::none;
        std::string reason; // why there is none
    };
    Decoded decode(const std::string& name);
    Decoded decode(Bytes bytes, const std::string& name);
    std::string refusal_of(std::uint64_t pixels) const;

    Source& source_;
    const Limits& limits_;
    scene::Scene& scene_;
    io::WarningLog& warnings_;
    std::string folder_; // in which names stand
    bool dos_names_ = false;
    std::uint64_t pixels_ = 0;
    std::uint64_t bytes_ = 0;
    std::map<std::pair<std::string, std::string>, std::uint32_t> by_requested_name_; // by folder and name
    std::unordered_map<std::string, Decoded, io::StringHash> by_file_;
    // By base name without extension, as io::case_folded_name has it.
    std::map<std::string, std::vector<std::string>, std::less<>> by_stem_;
};

} // namespace vitrine::images
