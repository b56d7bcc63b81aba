// `vitrine migrate`: moves a catalog and its blobs to another database and another store.
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "server/blob_options.hpp"
#include "server/cli/moves/move_commands.hpp"
#include "server/cli/moves/move_places.hpp"
#include "server/cli/moves/move_report.hpp"
#include "server/config_file.hpp"
#include "server/services/database/dialect.hpp"
#include "server/util/data_lock.hpp"
#include "server/util/files.hpp"

namespace fs = std::filesystem;

namespace vitrine::cli {
namespace {

constexpr int wrong_arguments = 2;

// No server may use them meanwhile.
std::vector<std::unique_ptr<server::DataLock>> lock_folders(const MovePlaces& places)
{
    std::set<fs::path> folders{places.from.data, places.to.data};
    for (const auto& blobs : {places.blobs_from, places.blobs_to})
        if (blobs) folders.insert(blobs->folder);
    folders.erase(fs::path());
    std::vector<std::unique_ptr<server::DataLock>> locks;
    for (const auto& folder : folders)
        locks.push_back(std::make_unique<server::DataLock>(folder));
    return locks;
}

// Blobs that the place already keeps for somebody else would be removed by the server that is started on the
// target, and ours by theirs.
void reject_other_blobs(server::BlobPlace& target, std::span<const server::NamedBlob> blobs)
{
    const auto others = server::list_other_blobs(target, blobs);
    if (others.empty()) return;
    throw server::MoveError(
        server::StorageError::Kind::failed,
        fmt::format("{} has {} blobs that the catalog does not name; use an empty place, or "
                    "--force if the server may remove them",
                    target.name(), others.size()));
}

// The blobs of a move and where they are.
struct BlobMove {
    BlobMove(const MovePlaces& places, server::MoveEnd& catalog)
        : blobs(server::list_named_blobs(catalog)), temporary(fs::temp_directory_path()),
          source(open_place(*places.blobs_from, temporary.path())),
          target(open_place(*places.blobs_to, temporary.path())), stay(*places.blobs_from == *places.blobs_to)
    {
    }

    const std::vector<server::NamedBlob> blobs;
    const server::TemporaryFolder temporary;
    const std::unique_ptr<server::BlobPlace> source, target;
    const bool stay;
};

// How the server is started on the target.
std::string serve_hint(const MigrateArguments& arguments, const MovePlaces& places)
{
    std::string hint = "vitrine serve";
    const auto& data = places.to.data;
    if (!data.empty()) hint += fmt::format(" --data {}", data.native());
    if (!data.empty() && fs::path(places.to.location).filename() != server::catalog_file)
        hint += fmt::format(" --database sqlite:{}", places.to.location);
    if (data.empty()) {
        if (places.blobs_to && !places.blobs_to->store)
            hint += fmt::format(" --data {}", places.blobs_to->folder.native());
        hint += fmt::format(" --database {}", server::printable_location(arguments.to));
    }
    if (places.blobs_to && !data.empty() && !places.blobs_to->store && places.blobs_to->folder != data)
        hint += fmt::format(" --blobs file:{}", places.blobs_to->folder.native());
    if (places.blobs_to && places.blobs_to->store)
        hint += fmt::format(" --blobs {} --s3-...",
                            arguments.blobs.empty() ? arguments.blobs_from : arguments.blobs);
    return hint;
}

void print_tables(const std::vector<server::MovedRows>& tables)
{
    for (const auto& table : tables)
        fmt::print("{:14} {:>10} rows, identical: {}\n", table.table, table.rows, table.digest);
}

int migrate_all(MigrateArguments& arguments)
{
    if (const auto wrong = complete_source(arguments); !wrong.empty()) {
        fmt::print(stderr, "vitrine: {}\n", wrong);
        return wrong_arguments;
    }
    const auto places = choose_places(arguments);
    if (!places) {
        fmt::print(stderr, "vitrine: {}\n", places.error());
        return wrong_arguments;
    }
    const auto locks = lock_folders(*places);
    MoveReport report;
    server::CatalogMove move(places->from.location, places->to.location);
    std::optional<BlobMove> blobs;
    if (places->blobs_from) blobs.emplace(*places, move.source());
    const bool is_new = !move.target().has_table(server::progress_table);
    if (blobs && !blobs->stay && is_new && !arguments.options.force)
        reject_other_blobs(*blobs->target, blobs->blobs);
    if (move.begin(arguments.options))
        fmt::print(stderr, "continuing the move to {}\n", move.target().name());
    move.copy(report.callback());
    server::BlobTotals totals;
    if (blobs)
        totals =
            server::copy_blobs(*blobs->source, blobs->stay ? *blobs->source : *blobs->target, blobs->blobs,
                               blobs->stay ? "verifying blobs" : "copying blobs", report.callback());
    const auto tables = move.verify(report.callback());
    move.finish(!blobs || blobs->stay);
    report.clear();
    print_tables(tables);
    if (blobs) fmt::print("{:14} {}\n", "blobs", blob_text(totals));
    fmt::print("moved to {}; start the server with: {}\n", move.target().name(),
               serve_hint(arguments, *places));
    return blobs ? report_bad_blobs(totals, blobs->source->name(), move.target()) : 0;
}

} // namespace

std::function<int()> declare_migrate(CLI::App& app)
{
    auto arguments = std::make_shared<MigrateArguments>();
    server::declare_config_file(app, arguments->config);
    app.add_option(
        "--from", arguments->from,
        "Catalog to move: sqlite:PATH (or a data folder), or postgresql://USER:PASSWORD@HOST/NAME; "
        "default: that of the server of --config, with its blobs");
    app.add_option("--to", arguments->to, "Where to: the same forms. A database must exist and be empty")
        ->required();
    app.add_option(
        "--blobs-from", arguments->blobs_from,
        "Where its blobs are: s3://BUCKET[/PREFIX] or file:FOLDER; default: the data folder of --from");
    app.add_option(
        "--blobs", arguments->blobs,
        "Where they are copied to: the same forms; default: the data folder of --to, otherwise they "
        "stay");
    app.add_flag("--restart", arguments->options.restart,
                 "Forget what an interrupted move to this target has copied; without it, the move goes on");
    app.add_flag("--force", arguments->options.force,
                 "Although other processes are connected to a database, or the target has other blobs");
    server::declare_store(app, arguments->s3);
    return [arguments] { return migrate_all(*arguments); };
}

} // namespace vitrine::cli
