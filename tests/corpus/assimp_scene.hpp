#pragma once
// A file as assimp reads it, for comparison with Vitrine's loaders.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <glm/glm.hpp>

namespace vitrine::test {

struct AssimpClip {
    std::string name;
    double duration = 0.0; // seconds
};

// Positions are relative to assimp's root node, whose transform converts axes and units: these are the axes
// and the unit of the file, except MD2.
class AssimpScene {
public:
    // Polygons are triangulated; the parts of an MD3 character are not combined, an MD5 mesh has no clip.
    explicit AssimpScene(const std::filesystem::path& file);

    // False if assimp rejected the file.
    bool loaded() const { return scene_ != nullptr; }
    // The corners of all triangles in the static pose; instances counted.
    std::vector<glm::dvec3> corners() const { return corners_with({}); }
    // The same at a key of the first clip of `animation`, whose channels are bound by node name.
    std::vector<glm::dvec3> corners_at(const AssimpScene& animation, std::size_t key) const;
    // Nodes at a key of the first clip, by name; the transform of the root node is included.
    std::map<std::string, glm::dvec3> nodes_at(std::size_t key) const;
    // Bones with a weight above zero.
    std::set<std::string> joints() const;
    // Nodes below a node.
    std::set<std::string> nodes_below(const std::string& name) const;
    // Clips with channels.
    std::vector<AssimpClip> clips() const;

private:
    using Locals = std::map<std::string, glm::dmat4, std::less<>>; // by node name
    using Globals = std::map<const aiNode*, glm::dmat4>;

    std::vector<glm::dvec3> corners_with(const Locals& locals) const;
    void add_globals(const aiNode& node, const glm::dmat4& parent, const Locals& locals,
                     Globals& globals) const;
    std::vector<glm::dvec3> positions(const aiMesh& mesh, const aiNode& node, const Globals& globals) const;

    Assimp::Importer importer_;
    const aiScene* scene_ = nullptr;
};

} // namespace vitrine::test
