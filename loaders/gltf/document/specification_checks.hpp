#pragma once
// Checks the JSON against the specification where the loader itself does not depend on it. Reports warnings
// only; faults that would show a wrong model are rejected where they are read. Reads no binary data.

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Checks accessors, buffer views and textures, used or not.
void check_objects(Document& document);

// Checks that the accessor of `member` has the required bounds: positions and times.
void check_bounds(Document& document, io::JsonValue member);

// Checks that indices are tightly packed.
void check_packed(Document& document, io::JsonValue member);

// Checks the names of a primitive's attributes or of a morph target's.
void check_names(Document& document, io::JsonValue attributes);

// Checks the roots of all scenes. `scene` has the nodes of the file with their parents.
void check_scenes(Document& document, const scene::Scene& scene);

} // namespace vitrine::gltf
