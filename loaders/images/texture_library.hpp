#pragma once
// The images that a model refers to, each found, decoded and stored once in Scene::images. For formats that
// name textures by path and file; every failure is a warning.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loaders/images/image_budget.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::images {

class TextureLibrary {
public:
    // All four arguments must outlive this object.
    TextureLibrary(Source& source, const Limits& limits, scene::Scene& scene, io::WarningLog& warnings);

    // Returns the index of the image named `requested_name`. Tries the exact name, then the base name
    // ignoring case and Unicode normalization (a warning), other common extensions, names shortened by DOS,
    // the name decoded as a URL ("my%20map.png"), and folders next to that of local files (a warning). A
    // missing or undecodable file becomes an image without pixels, once, with a warning. `where` is the
    // location in the model. Images that are too large are reduced (ImageBudget). Returns none, with a
    // warning, beyond Limits::images or total_pixels.
    std::uint32_t get(std::string_view requested_name, std::string_view where);

    // Sets the folder ("textures/") of the file that contains the following names; it is searched first.
    // Initially the main file's folder.
    void set_search_folder(std::string_view folder) { folder_ = folder; }

    // Allows names shortened to eight characters, as by DOS, in the following calls.
    void allow_dos_names() { dos_names_ = true; }

    // The name of the file that get() would use; empty if there is none.
    std::string find(std::string_view requested_name) const;
    // Loads a file by its name in the Source. Returns none and sets the reason, without a warning, if it
    // cannot be used.
    std::uint32_t try_file(const std::string& name, std::string& reason);
    // Likewise for an encoded image embedded in the model; its name identifies formats without a signature.
    std::uint32_t try_bytes(Bytes bytes, const std::string& name, std::string& reason);
    // Whether there is an image, which may be only checked; accepts any number.
    bool has_image(std::uint32_t index) const;
    // Whether the image was only checked and is opaque. Precondition: it is an index returned by this object.
    bool is_checked(std::uint32_t index) const { return scene_.images[index].is_checked; }
    // The image of an index returned by this object, with its pixels. Throws std::bad_alloc.
    const scene::Image& image(std::uint32_t index);
    // The image with its pixels, or null if there is none; accepts any number.
    const scene::Image* usable(std::uint32_t index);
    // Stores an image created by the caller (for example from others); returns none beyond the same limits.
    std::uint32_t add(scene::Image image);
    // Whether add() would store an image of this size; adds a warning if not. May reduce the library's
    // images: the sizes of others, of which `image` is made, may be smaller afterwards.
    bool has_room_for(const scene::Image& image);
    // The size of an image in its file, in which older formats measure texture coordinates.
    ImageSize file_size(std::uint32_t index) const { return budget_.file_size(index); }
    // Adds the warnings about reduced images. Call it once, after the last image.
    void report_reduced() const { budget_.report_reduced(warnings_); }

private:
    std::string find_exact_or_relaxed(std::string_view requested_name) const;
    std::string find_dos_name(std::string_view stem) const;
    std::string find_in_sibling_folders(std::string_view requested_name) const;
    struct Decoded {
        std::uint32_t image = scene::none;
        std::string reason; // why there is no image
    };
    Decoded decode(const std::string& name);
    Decoded decode(Bytes bytes, const std::string& name, PixelUse use);

    Source& source_;
    const Limits& limits_;
    scene::Scene& scene_;
    io::WarningLog& warnings_;
    std::string folder_; // folder of the file that contains the names
    bool dos_names_ = false;
    ImageBudget budget_;
    std::uint64_t bytes_ = 0;
    std::map<std::pair<std::string, std::string>, std::uint32_t> by_requested_name_; // by folder and name
    std::unordered_map<std::string, Decoded, io::StringHash> by_file_;
    std::unordered_map<std::uint32_t, std::string> checked_; // the files of images that were only checked
    // By base name without extension, in the form of io::case_folded_name.
    std::map<std::string, std::vector<std::string>, std::less<>> by_stem_;
};

} // namespace vitrine::images
