#pragma once
// A temporary folder, and shortcuts to blobs and assets.

#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "server/services/catalog/catalog.hpp"
#include "server/services/storage/blob_store.hpp"
#include "server/util/files.hpp"

namespace vitrine::server::testing {

class ServicesTest : public ::testing::Test {
protected:
    const std::filesystem::path& folder() const { return scratch_.path(); }

private:
    TemporaryFolder scratch_{std::filesystem::temp_directory_path()};
};

inline std::span<const std::byte> bytes_of(std::string_view text)
{
    return std::as_bytes(std::span(text));
}

inline BlobRef put_blob(BlobStore& store, std::span<const std::byte> bytes)
{
    const auto writer = store.create();
    writer->write(bytes);
    return writer->commit();
}

inline std::string text_of(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::size_t files_under(const std::filesystem::path& folder)
{
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        files += entry.is_regular_file() ? 1 : 0;
    return files;
}

// Returns an asset of one file whose content is its name.
inline NewAsset asset_named(const std::string& name)
{
    return {name, name + ".obj", {{name + ".obj", std::string(64, 'a') + name, 10}}};
}

} // namespace vitrine::server::testing
