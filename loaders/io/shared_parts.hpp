#pragma once
// Files that are no model of their own where a whole upload is shown, for another model shows them. Decided
// by names alone, so that the server and the loader agree.

#include <map>
#include <string>
#include <vector>

namespace vitrine::io {

// From each such file to the model that shows it:
//   - of an MD3 player (upper.md3 with lower.md3 or head.md3 in one folder) what is not the first of lower,
//     upper and head; likewise its weapon: weapon.md3, else the folder's only other model;
//   - levels of detail, x_1.md3 beside x.md3: the model that shows x;
//   - weapon.md2 beside tris.md2, else beside the folder's only other MD2.
// Case counts not. The model is never itself a part.
std::map<std::string, std::string> find_shared_parts(const std::vector<std::string>& names);

} // namespace vitrine::io
