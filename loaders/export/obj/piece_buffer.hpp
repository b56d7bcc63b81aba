#pragma once
// Text or bytes that a writer appends and passes on in pieces of about a mebibyte.

#include <cstddef>
#include <string>

#include "loaders/export/obj/baked_mesh.hpp"

namespace vitrine {

class PieceBuffer {
public:
    explicit PieceBuffer(const MeshSink& sink) : sink_(sink) {}

    std::string bytes; // appended by the writer
    void flush_if_full()
    {
        if (bytes.size() >= piece_bytes) flush();
    }
    void flush()
    {
        sink_(bytes);
        bytes.clear();
    }

private:
    static constexpr std::size_t piece_bytes = 1 << 20;
    const MeshSink& sink_;
};

} // namespace vitrine
