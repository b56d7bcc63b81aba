#pragma once
// The programs that wrote a file, as its <authoring_tool>s name them, and what some of them mean otherwise
// than the specification.

#include <string>
#include <string_view>

#include "loaders/io/xml/xml.hpp"

namespace vitrine::dae {

// Of the document's <asset>, a line each: a file that was edited by hand, or went on to another program,
// names several contributors. UTF-8.
std::string programs_of(io::XmlNode root);

// The first of them.
std::string generator_of(io::XmlNode root);

// The first number behind `name`, such as 3.02 in "ColladaMaya v3.02 | FCollada"; 0: none.
double version_after(std::string_view programs, std::string_view name);

// Blender since its release 2.80 (2.80.75; builds before it were others) writes a skin's <bind_shape_matrix>
// as the mesh's matrix below its parent, but the inverse bind matrices from the world: it was the mesh's in
// the world before.
bool writes_local_bind_shapes(std::string_view generator);

// ColladaMaya and ColladaMax before 3.00 wrote tangents of BEZIER curves as one number, which counts from
// the key's value: their curves of one value have tangents of 0, and those of a straight line a third of the
// way. Later ones write two numbers, and keep one where it is older. FCollada, which reads for all of them,
// adds it so. The specification has control points there.
bool writes_relative_tangents(std::string_view programs);

} // namespace vitrine::dae
