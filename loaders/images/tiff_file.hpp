#pragma once
// A TIFF file in memory, open for reading with libtiff. Internal to loaders/images.

#include <cstdint>
#include <memory>
#include <string>

#include <tiffio.h>

#include "loaders/io/input.hpp"

namespace vitrine::images {

class TiffFile {
public:
    // `max_allocation`: bytes of a single allocation of the library. The bytes must outlive this object.
    TiffFile(Bytes bytes, std::uint64_t max_allocation);
    TiffFile(const TiffFile&) = delete;
    TiffFile& operator=(const TiffFile&) = delete;

    TIFF* get() const { return tiff_.get(); } // null if the file could not be opened
    // The first error of the library; empty if there was none.
    const std::string& error() const { return state_.error; }

    struct State {
        Bytes bytes;
        std::uint64_t at = 0;
        std::string error{};
    };

private:
    State state_;
    std::unique_ptr<TIFF, decltype(&TIFFClose)> tiff_{nullptr, TIFFClose};
};

} // namespace vitrine::images
