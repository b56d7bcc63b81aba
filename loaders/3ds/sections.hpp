#pragma once
// The parts of parse(), one per file.

#include "loaders/3ds/chunk.hpp"
#include "loaders/3ds/document.hpp"

namespace vitrine::threeds {

LoadResult<NamedObject> parse_object(const Chunk& chunk, io::WarningLog& warnings);
MaterialEntry parse_material(const Chunk& chunk, io::WarningLog& warnings);
KeyframerNode parse_node(const Chunk& chunk, io::WarningLog& warnings);

} // namespace vitrine::threeds
