#pragma once
// What a file declares about itself: who made it, under which terms, from what.

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace vitrine::scene {

// UTF-8; empty: not declared.
struct Attribution {
    std::string title{};
    std::string subject{};
    std::string author{}; // several are separated by ", "
    std::string copyright{};
    std::string license{}; // a name, a URL or both
    std::string source{};  // a URL in most files
    std::string keywords{};
    std::string revision{};
    std::string comment{};

    bool operator==(const Attribution&) const = default;
};

inline constexpr std::array<std::pair<std::string_view, std::string Attribution::*>, 9> attribution_members{
    {{"title", &Attribution::title},
     {"subject", &Attribution::subject},
     {"author", &Attribution::author},
     {"copyright", &Attribution::copyright},
     {"license", &Attribution::license},
     {"source", &Attribution::source},
     {"keywords", &Attribution::keywords},
     {"revision", &Attribution::revision},
     {"comment", &Attribution::comment}}};

// Bytes that loaders keep of a text before it is converted to UTF-8: files may have texts of any length, and
// the loader process truncates what is longer than a name may be (validation/name_limits.hpp).
inline constexpr std::size_t max_declared_bytes = 4096;

} // namespace vitrine::scene
