#pragma once
// Checks of the JSON against the specification and its extensions: reports what is wrong, unsupported or
// approximated.

#include <string_view>

#include "loaders/gltf/document/document.hpp"
#include "loaders/io/json/json.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Whether extensionsUsed or extensionsRequired contains `name`.
bool names_extension(io::JsonValue root, std::string_view name);

// Rejects a required extension that is not in the table of supported ones (extensions.cpp), by name; warns
// once about each used extension that is approximated, not supported or unknown.
LoadResult<void> check_extensions(io::JsonValue root, io::WarningLog& warnings);

// The check_ functions below check the JSON where the loader itself does not depend on it. They report
// warnings only; faults that would show a wrong model are rejected where they are read. They read no binary
// data.
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
