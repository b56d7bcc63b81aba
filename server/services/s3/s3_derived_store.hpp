#pragma once
// Derived files as objects of an S3 store that several processes share: PREFIX/derived/DIGEST.

#include <filesystem>
#include <memory>
#include <optional>

#include "server/services/s3/s3_options.hpp"
#include "server/services/storage/derived_store.hpp"

namespace vitrine::server {

// Throws std::runtime_error if libcurl is not installed; the store need not answer yet.
std::unique_ptr<DerivedStore> make_s3_derived_store(S3Options options);

// Where derived files are shared: in `s3`, or in a folder.
struct SharedDerivedConfig {
    std::optional<S3Options> s3{};
    std::filesystem::path folder{};
    SharedDerivedOptions limits{};
};
std::unique_ptr<DerivedStore> make_derived_store(const SharedDerivedConfig& config);

} // namespace vitrine::server
