#pragma once
// The two containers of glTF: plain JSON, and GLB (header, JSON chunk, binary chunk).

#include <optional>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::gltf {

struct Container {
    bool glb = false;
    Bytes json;
    std::optional<Bytes> body; // GLB's binary chunk: the data of buffer 0 when that has no uri
};

// Detects the container by its bytes, not by the file name. Unknown chunks are skipped.
LoadResult<Container> split_container(Bytes file, io::WarningLog& warnings);

} // namespace vitrine::gltf
