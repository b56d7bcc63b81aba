#pragma once
// What the entries of a zip are called.

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::io {

// Names of entries as UTF-8, from their bytes; `as_dos` are the same read as the format says where nothing
// marks them as UTF-8 (code page 437), which is seldom what wrote them: Windows takes its own code page.
// Valid UTF-8 stays; else Shift-JIS or GBK where all names together look like it, as of models' texts. What
// no name may hold and no path needs, control characters and colons, becomes '_'.
std::vector<std::string> zip_names(const std::vector<std::string_view>& raw,
                                   const std::vector<std::string_view>& as_dos);

} // namespace vitrine::io
