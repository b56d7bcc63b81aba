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
    const auto path = store.local_path(hash);
    std::ifstream in(path ? *path : std::filesystem::path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace vitrine::server::testing
