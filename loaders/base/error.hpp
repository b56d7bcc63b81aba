#pragma once
// Why a file could not be loaded: one clear sentence with the place and the reason.

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace vitrine {

enum class LoadErrc : std::uint8_t {
    unknown_format, // neither the name nor the bytes say what it is
    truncated,      // the file ends before what it announces
    malformed,      // the bytes do not follow the format
    out_of_range,   // an index, offset or count points outside what is there
    unsupported,    // valid, but nothing here can show it (a required extension, an old version)
    limit_exceeded, // larger than a configured limit; the sentence names it and the number
    missing_file,   // a companion without which nothing can be shown
    empty,          // nothing to show: no mesh, no joint
    timed_out,      // the loader process passed its deadline
    out_of_memory,  // the loader process asked for more memory than it may have
    crashed,        // the loader process died
    internal,       // our own fault
};

// The stable name on the wire and in messages: "truncated", "out_of_range", ...
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
