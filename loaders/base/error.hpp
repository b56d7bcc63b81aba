#pragma once
// The reason why a file could not be loaded: code, place and one sentence.

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace vitrine {

enum class LoadErrc : std::uint8_t {
    unknown_format, // neither the name nor the bytes identify a known format
    truncated,      // the file ends before its declared size
    malformed,      // the bytes do not follow the format
    out_of_range,   // an index, offset or count exceeds the available data
    unsupported,    // valid, but not supported (a required extension, an old version)
    limit_exceeded, // larger than a configured limit; the sentence contains its name and number
    missing_file,   // a required companion file is missing
    empty,          // nothing to display: no mesh, no joint
    timed_out,      // the loader process exceeded its deadline
    out_of_memory,  // the loader process exceeded its memory limit
    crashed,        // the loader process terminated abnormally
    killed,         // the loader process was killed from outside, for example by the out-of-memory killer
    internal,       // a defect in Vitrine
};

// The stable name used in the API and in messages: "truncated", "out_of_range", ...
std::string_view to_string(LoadErrc code);

struct LoadError {
    LoadErrc code = LoadErrc::internal;
    std::string where;  // "line 12", "byte 1024", "/meshes/0/primitives/1"; may be empty
    std::string detail; // one sentence, no final full stop, no line break
};

template <class T>
using LoadResult = std::expected<T, LoadError>;

inline std::unexpected<LoadError> fail(LoadErrc code, std::string where, std::string detail)
{
    return std::unexpected(LoadError{code, std::move(where), std::move(detail)});
}

} // namespace vitrine
