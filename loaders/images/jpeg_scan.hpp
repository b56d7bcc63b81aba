#pragma once
// Checks the coded data of JPEGs without computing coefficients. Internal to loaders/images.

#include "loaders/io/input.hpp"

namespace vitrine::images {

// Returns whether the file is a sequential JPEG of one or three components with Huffman coding, whose only
// scan is complete and valid: libjpeg decodes it without a warning. False in doubt, so that libjpeg decides.
bool has_valid_jpeg_scan(Bytes jpeg);

} // namespace vitrine::images
