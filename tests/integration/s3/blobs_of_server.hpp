#pragma once
// The blobs of one server in the object store.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/services/s3/s3_blob_store.hpp"
#include "tests/unit/server/services/support/fixture.hpp"

namespace vitrine::test {

// `data`: a folder of this server alone, which is created.
inline std::unique_ptr<server::BlobStore> open_blobs(const std::filesystem::path& data,
                                                     const server::S3BlobsConfig& config,
                                                     prometheus::Registry& registry)
{
    std::filesystem::create_directories(data);
    return server::make_s3_blob_store(data, config, registry);
}

// Returns the hash.
inline std::string store_text(server::BlobStore& blobs, std::string_view text)
{
    const auto blob = server::testing::put_blob(blobs, server::testing::bytes_of(text));
    blobs.make_durable(std::vector{blob.hash});
    return blob.hash;
}

} // namespace vitrine::test
