#pragma once
// Patterns of paths, as those of .gitignore: '*' and '?' are any characters but '/', "**" any at all. A
// pattern without a '/' (except at its end) is compared with the names at every depth, any other with the
// path from the library's folder on. ASCII letters without case. What is below a matching folder matches too.

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

class PathPatterns {
public:
    explicit PathPatterns(const std::vector<std::string>& patterns);
    bool empty() const { return patterns_.empty(); }
    // `path`: relative, of a file or a folder. Does not look at the folders above it.
    bool matches(std::string_view path) const;
    // Also if one of the folders above matches.
    bool matches_below(std::string_view path) const;

private:
    struct Pattern {
        std::string text;
        bool is_name = false; // compared with the last part
    };
    std::vector<Pattern> patterns_;
};

// Why a pattern is wrong, as the end of a sentence, or empty.
std::string pattern_fault(std::string_view pattern);

// Time in proportion to the product of both lengths.
bool matches_glob(std::string_view pattern, std::string_view text);

} // namespace vitrine::server
