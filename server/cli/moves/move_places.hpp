#pragma once
// Where `vitrine migrate` moves from and to, from its options.

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "server/services/moves/blob_places.hpp"

namespace vitrine::cli {

struct MigrateArguments {
    std::filesystem::path config;  // --config of the server that is moved
    std::string from, to;          // sqlite:FOLDER, a folder, or postgres://...
    std::string blobs_from, blobs; // s3://BUCKET[/PREFIX], files:FOLDER or a folder
    server::S3Settings s3;         // of both
    server::CatalogMoveOptions options;
};

// A catalog: a data folder, or a database.
struct CatalogEnd {
    std::string location;       // for Catalog
    std::filesystem::path data; // empty: a database of PostgreSQL
};

struct BlobLocation {
    std::filesystem::path folder;           // a data folder; or
    std::optional<server::S3Options> store; // an object store

    bool operator==(const BlobLocation& other) const;
};

struct MovePlaces {
    CatalogEnd from, to;
    // Empty: the blobs are somewhere else and stay there. Equal: they stay, and are looked for.
    std::optional<BlobLocation> blobs_from, blobs_to;
};

// Without --from: the catalog and the blobs of the server of --config become the source. Returns what is
// wrong; empty if nothing is.
std::string complete_source(MigrateArguments& arguments);
// The error is one sentence.
std::expected<MovePlaces, std::string> choose_places(const MigrateArguments& arguments);
// `temporary`: a folder for files on their way.
std::unique_ptr<server::BlobPlace> open_place(const BlobLocation& location,
                                              const std::filesystem::path& temporary);

} // namespace vitrine::cli
