#include "server/cli/moves/move_places.hpp"

#include <fstream>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "server/blob_options.hpp"
#include "server/config.hpp"
#include "server/config_file.hpp"
#include "server/database_options.hpp"
#include "server/services/database/dialect.hpp"
#include "server/services/moves/backup.hpp"
#include "server/util/files.hpp"

namespace fs = std::filesystem;

namespace vitrine::cli {
namespace {

// By the first bytes of the file (https://www.sqlite.org/fileformat2.html, 1.3); an empty file is one too.
bool is_sqlite(const fs::path& file)
{
    constexpr std::string_view magic = "SQLite format 3";
    std::string begin(magic.size(), '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    return in.gcount() == 0 || begin == magic;
}

std::expected<CatalogEnd, std::string> parse_catalog(const std::string& option, const std::string& text)
{
    if (server::is_postgres(text)) return CatalogEnd{text, {}};
    constexpr std::string_view scheme = "sqlite:";
    auto path = text.starts_with(scheme) ? text.substr(scheme.size()) : text;
    if (path.empty() || path.contains("://"))
        return std::unexpected(fmt::format(
            "{} must be sqlite:PATH, a data folder, or postgresql://USER@HOST/NAME, not {}", option, text));
    const auto file = server::sqlite_file(path);
    if (fs::is_regular_file(file) && !is_sqlite(file))
        return std::unexpected(
            fmt::format("{}: {} is neither a data folder nor a database of SQLite", option, file.native()));
    return CatalogEnd{file, file.parent_path()};
}

std::expected<std::optional<BlobLocation>, std::string>
parse_blobs(const std::string& option, const std::string& text, const server::S3Settings& s3)
{
    if (text.empty()) return std::nullopt;
    if (server::is_s3_location(text)) {
        auto settings = s3;
        settings.location = text;
        const auto known = server::read_s3_parameters(settings);
        if (!known) return std::unexpected(fmt::format("{}: {}", option, known.error()));
        auto store = server::make_s3_options(*known);
        if (!store) return std::unexpected(fmt::format("{}: {}", option, store.error()));
        return BlobLocation{.store = std::move(*store)};
    }
    const auto folder = server::blob_folder(text);
    const fs::path path = folder ? *folder : fs::path(text);
    if (path.empty() || text.contains("://"))
        return std::unexpected(fmt::format(
            "{} must be s3://BUCKET[/PREFIX], file:FOLDER or a data folder, not {}", option, text));
    return BlobLocation{.folder = server::whole_path(path)};
}

} // namespace

bool BlobLocation::operator==(const BlobLocation& other) const
{
    if (store.has_value() != other.store.has_value()) return false;
    if (!store) return folder == other.folder;
    return store->host == other.store->host && store->bucket == other.store->bucket &&
           store->prefix == other.store->prefix;
}

std::string complete_source(MigrateArguments& arguments)
{
    if (!arguments.from.empty()) return {};
    if (arguments.config.empty()) return "--from is required, or --config";
    server::Config config;
    CLI::App options;
    server::declare_config(options, config);
    options.parse(std::vector<std::string>()); // variables take precedence over the file
    if (auto applied = server::apply_config_file(options, arguments.config); !applied) return applied.error();
    const auto database = server::database_location(config.database);
    if (!database) return database.error();
    const auto data = config.data.empty() ? server::default_data() : config.data;
    arguments.from = database->empty() ? data.native() : *database;
    if (!arguments.blobs_from.empty()) return {};
    const auto& blobs = config.blobs.s3.location;
    arguments.blobs_from = blobs == "files" ? "file:" + data.native() : blobs;
    return {};
}

std::expected<MovePlaces, std::string> choose_places(const MigrateArguments& arguments)
{
    const auto from = parse_catalog("--from", arguments.from);
    if (!from) return std::unexpected(from.error());
    const auto to = parse_catalog("--to", arguments.to);
    if (!to) return std::unexpected(to.error());
    if (from->location == to->location) return std::unexpected("--from and --to are the same");
    if (!from->data.empty() && !fs::is_regular_file(from->location))
        return std::unexpected(fmt::format("--from: there is no catalog {}", from->location));
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
