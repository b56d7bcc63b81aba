#pragma once
// One MD3 file as a part of the scene, in the file's axes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/md3/file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md3 {

// The frames that a part shows at given times; as many frames as times.
struct FrameSchedule {
    std::vector<std::uint32_t> frames;
    std::vector<float> times; // seconds from the clip's start
};

class Part {
public:
    // Adds the nodes (the part, its surfaces, its tags) and the meshes, whose primitives have no material
    // yet. `parent`: the node to attach to, or none.
    Part(scene::Scene& scene, File file, std::string name, std::uint32_t parent, io::WarningLog& warnings);

    const std::string& name() const { return name_; }
    const File& file() const { return file_; }
    std::uint32_t node() const { return node_; }
    // Returns the node of the tag, ignoring case; none when not found.
    std::uint32_t find_tag(std::string_view name) const;
    // By surface of the file: its node; none for a surface without vertices.
    const std::vector<std::uint32_t>& surface_nodes() const { return surface_nodes_; }

    // Returns the number of floats that add_channels() creates.
    std::uint64_t key_values(std::size_t frames) const;
    void add_channels(scene::Clip& clip, const FrameSchedule& schedule) const;

private:
    void add_surface(scene::Scene& scene, const Surface& surface, io::WarningLog& warnings);
    void add_tag(scene::Scene& scene, std::uint32_t tag, io::WarningLog& warnings);

    File file_;
    std::string name_;
    std::uint32_t node_ = scene::none;
    std::vector<std::uint32_t> surface_nodes_;
    std::vector<std::uint32_t> tag_nodes_;
};

} // namespace vitrine::md3
