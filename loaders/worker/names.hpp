#pragma once
// Names as the parent believes them.

#include <string_view>

namespace vitrine::worker {

// Whether `name` is in the normalised form of io::normalise_name: relative, '/' separated, no empty, "." or
// ".." part, nothing a path could trip over. Checks again what the loader process says.
bool is_plain_name(std::string_view name);

} // namespace vitrine::worker
