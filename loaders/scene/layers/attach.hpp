#pragma once
// Puts the origin of another scene at a node: a weapon into a hand, a head on a tag. Pure functions.
//
//   attach   ASSET@JOINT[:x,y,z[,rx,ry,rz]]   meters along the node's axes, degrees as in `turn`
//
// ASSET is what the caller can load: the id of an asset, or a file. The text is split at its last @.

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline constexpr std::size_t max_attachments = 16; // of a request

struct AttachText {
    std::string asset;
    std::string joint; // as find_joint() takes it
    glm::dvec3 offset{0.0};
    glm::dvec3 degrees{0.0};
};
// Errors are sentences that quote the text.
std::expected<AttachText, std::string> parse_attach(std::string_view text);

// Everything but the asset, the same for equal places: part of cache keys.
std::string place_key(const AttachText& text);

// Appends the nodes, meshes, skins, materials and images of `other` to `scene`, so that all that was there
// keeps its index, below a new node that is called `name`. That node undoes the scale that the joint has in
// the static pose: the attached model keeps its size in meters, whatever units the skeleton is in. Material
// variants and clips of `other` are left out; layers play its clips like those of any other scene, by the
// names of its nodes. Both scenes are valid; the result has to be validated, because limits hold for all that
// is drawn together. The error is a sentence: there is no such joint.
std::expected<void, std::string> attach(Scene& scene, const Scene& other, const AttachText& place,
                                        std::string name);

} // namespace vitrine::scene
