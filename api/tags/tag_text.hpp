#pragma once
// Tags of an asset in the text that stores them: each after a character that no name has, and followed by a
// line break.

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::api {

inline constexpr char tag_mark = '\x1f';
std::string join_tags(const std::vector<std::string>& names);
std::vector<std::string> split_tags(std::string_view text); // in the order of their bytes in lower case

} // namespace vitrine::api
