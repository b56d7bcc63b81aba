#pragma once
// What the JSON says against the specification and the loader would not stumble over: it reads no further
// than it needs. Warnings alone; what would show a wrong model is refused where it is read. Reads no binary
// data.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Accessors, buffer views and textures, whether something uses them or not.
void check_objects(Document& document);

// Where glTF wants the bounds of the accessor that `member` names: positions and times.
void check_bounds(Document& document, io::JsonValue member);

// Indices lie side by side.
void check_packed(Document& document, io::JsonValue member);

// The names of a primitive's attributes or of those of a morph target.
void check_names(Document& document, io::JsonValue attributes);

// Roots of all scenes. `scene` has the nodes of the file with their parents.
void check_scenes(Document& document, const scene::Scene& scene);

} // namespace vitrine::gltf
