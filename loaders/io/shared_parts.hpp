#pragma once
// Files of an upload that are parts of another model. Decided by names only, so that the server and the
// loader agree.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::io {

// Returns a map from each part to the model that shows it:
//   - in an MD3 player (upper.md3 with lower.md3 or head.md3 in one folder), all parts except the first of
//     lower, upper and head; its weapon: weapon.md3, or the folder's only other model;
//   - levels of detail, x_1.md3 next to x.md3: the model that shows x;
//   - weapon.md2 next to tris.md2, or next to the folder's only other MD2.
// Ignores case. The model itself is never a part.
std::map<std::string, std::string> find_shared_parts(const std::vector<std::string>& names);
// Whether there are names with which this one is a part.
bool may_be_shared_part(std::string_view name);

} // namespace vitrine::io
