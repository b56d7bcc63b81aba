#pragma once
// The programs that wrote a file, from its <authoring_tool>s, and their known deviations from the
// specification.

#include <string>
#include <string_view>

#include "loaders/io/xml/xml.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// Returns the tools of the document's <asset>, one per line: a file edited by hand or by another program
// names several contributors. UTF-8.
std::string programs_of(io::XmlNode root);

// Returns the first of them.
std::string generator_of(io::XmlNode root);

// Returns what <asset> declares: author, copyright, comments and source of the first contributors that have
// them. COLLADA has no license.
scene::Attribution attribution_of(io::XmlNode root);

// Returns the first number after `name`, such as 3.02 in "ColladaMaya v3.02 | FCollada"; 0 without one.
double version_after(std::string_view programs, std::string_view name);

// Blender since release 2.80 (2.80.75; earlier builds differ) writes a skin's <bind_shape_matrix> as the
// mesh's matrix relative to its parent, but inverse bind matrices relative to the world. Before, the bind
// shape was the mesh's world matrix.
bool writes_local_bind_shapes(std::string_view generator);

// ColladaMaya and ColladaMax before 3.00 wrote tangents of BEZIER curves as one number relative to the key's
// value: constant curves have tangents of 0, linear ones a third of the difference. Later versions write two
// numbers, and preserve single ones of older data. FCollada, the reader of all these programs, adds them the
// same way. The specification has control points there.
bool writes_relative_tangents(std::string_view programs);

} // namespace vitrine::dae
