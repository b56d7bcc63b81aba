#include "server/cli/moves/move_places.hpp"

#include <fmt/format.h>

#include "server/services/database/dialect.hpp"
#include "server/services/moves/backup.hpp"

namespace fs = std::filesystem;

namespace vitrine::cli {
namespace {

// A path that does not depend on the working folder.
fs::path whole_path(const fs::path& path)
{
    std::error_code error;
    auto whole = fs::weakly_canonical(fs::absolute(path), error);
    if (error) return path;
    return whole.has_filename() ? whole : whole.parent_path();
}

std::expected<CatalogEnd, std::string> parse_catalog(const std::string& option, const std::string& text)
{
    if (server::is_postgres(text)) return CatalogEnd{text, {}};
    constexpr std::string_view scheme = "sqlite:";
    auto path = text.starts_with(scheme) ? text.substr(scheme.size()) : text;
    if (path.empty() || path.contains("://"))
        return std::unexpected(fmt::format(
            "{} must be sqlite:FOLDER, a data folder, or postgres://USER@HOST/NAME, not {}", option, text));
    auto data = whole_path(path);
    if (data.filename() == server::catalog_file) data = data.parent_path();
    if (fs::exists(data) && !fs::is_directory(data))
        return std::unexpected(fmt::format("{}: {} is not a data folder", option, data.native()));
    return CatalogEnd{data / server::catalog_file, data};
}

std::expected<std::optional<BlobLocation>, std::string>
parse_blobs(const std::string& option, const std::string& text, const server::S3Settings& s3)
{
    if (text.empty()) return std::nullopt;
    if (server::is_s3_location(text)) {
        auto settings = s3;
        settings.location = text;
        auto store = server::make_s3_options(settings);
        if (!store) return std::unexpected(fmt::format("{}: {}", option, store.error()));
        return BlobLocation{.store = std::move(*store)};
    }
    auto path = text;
    for (const std::string_view scheme : {"files:", "file:"})
        if (path.starts_with(scheme)) path.erase(0, scheme.size());
    if (path.empty() || path.contains("://"))
        return std::unexpected(fmt::format(
            "{} must be s3://BUCKET[/PREFIX], files:FOLDER or a data folder, not {}", option, text));
    return BlobLocation{.folder = whole_path(path)};
}

} // namespace

bool BlobLocation::operator==(const BlobLocation& other) const
{
    if (store.has_value() != other.store.has_value()) return false;
    if (!store) return folder == other.folder;
    return store->host == other.store->host && store->bucket == other.store->bucket &&
           store->prefix == other.store->prefix;
}

std::expected<MovePlaces, std::string> choose_places(const MigrateArguments& arguments)
{
    const auto from = parse_catalog("--from", arguments.from);
    if (!from) return std::unexpected(from.error());
    const auto to = parse_catalog("--to", arguments.to);
    if (!to) return std::unexpected(to.error());
    if (from->location == to->location) return std::unexpected("--from and --to are the same");
    if (!from->data.empty() && !fs::is_regular_file(from->location))
        return std::unexpected(fmt::format("--from: there is no catalog in {}", from->data.native()));
    auto blobs_from = parse_blobs("--blobs-from", arguments.blobs_from, arguments.s3);
    if (!blobs_from) return std::unexpected(blobs_from.error());
    auto blobs_to = parse_blobs("--blobs", arguments.blobs, arguments.s3);
    if (!blobs_to) return std::unexpected(blobs_to.error());
    MovePlaces places{*from, *to, *blobs_from, *blobs_to};
    if (!places.blobs_from && !from->data.empty()) places.blobs_from = BlobLocation{.folder = from->data};
    if (!places.blobs_to && !to->data.empty()) places.blobs_to = BlobLocation{.folder = to->data};
    if (places.blobs_to && !places.blobs_from) {
        if (*blobs_to)
            return std::unexpected(
                "--blobs needs --blobs-from: a catalog in PostgreSQL has its blobs elsewhere");
        places.blobs_from = places.blobs_to; // the data folder of the server, which becomes the whole of it
    }
    if (!places.blobs_to) places.blobs_to = places.blobs_from;
    return places;
}

std::unique_ptr<server::BlobPlace> open_place(const BlobLocation& location, const fs::path& temporary)
{
    if (location.store) return server::make_s3_place(*location.store, temporary);
    return server::make_folder_place(location.folder, server::FileCopies::always, false);
}

} // namespace vitrine::cli
