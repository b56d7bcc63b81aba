#pragma once
// Reads blobs.

#include <fstream>
#include <iterator>
#include <string>

#include "server/services/storage/blob_store.hpp"

namespace vitrine::server::testing {

// Returns the bytes of a blob; empty if it is missing.
inline std::string stored_text(const BlobStore& store, const std::string& hash)
{
    const auto blob = store.find_local(hash);
    std::ifstream in(blob ? blob->path : std::filesystem::path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace vitrine::server::testing
