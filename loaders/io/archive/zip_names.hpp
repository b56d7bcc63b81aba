#pragma once
// Decodes the names of zip entries.

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::io {

// Returns the entry names as UTF-8. `raw` holds their bytes; `as_dos` holds the names decoded as the format
// specifies for entries not marked as UTF-8 (code page 437), which is rarely correct: Windows writes its own
// code page. Valid UTF-8 is kept; otherwise the names are decoded as Shift-JIS or GBK if all names together
// are plausible in that encoding. Control characters and colons, which names must not contain, become '_'.
std::vector<std::string> zip_names(const std::vector<std::string_view>& raw,
                                   const std::vector<std::string_view>& as_dos);

} // namespace vitrine::io
