// `vitrine backup` and `vitrine restore`.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "server/blob_options.hpp"
#include "server/cli/moves/move_commands.hpp"
#include "server/cli/moves/move_report.hpp"
#include "server/config.hpp"
#include "server/config_file.hpp"
#include "server/database_options.hpp"
#include "server/services/database/dialect.hpp"
#include "server/services/moves/backup.hpp"
#include "server/util/files.hpp"

namespace fs = std::filesystem;

namespace vitrine::cli {
namespace {

struct BackupArguments {
    fs::path folder;             // the backup; with `backup`, the data folder
    fs::path data;               // --data
    fs::path backup{};           // --to, --from
    fs::path config{};           // --config, which is read before the command runs
    std::string database{};      // --database of `backup`
    std::string blobs = "files"; // --blobs
    server::BackupOptions options{};
};

// `vitrine backup BACKUP [--data DATA]`, or `vitrine backup DATA --to BACKUP`. Returns what is wrong.
std::string choose_folders(BackupArguments& arguments, std::string_view option)
{
    if (arguments.backup.empty())
        arguments.backup = std::exchange(arguments.folder, {});
    else if (arguments.data.empty())
        arguments.data = std::exchange(arguments.folder, {});
    if (!arguments.folder.empty()) return fmt::format("DIR is not needed with --data and {}", option);
    if (arguments.backup.empty()) return fmt::format("name the folder of the backup: DIR or {}", option);
    if (arguments.data.empty()) arguments.data = server::default_data();
    return {};
}

int reject_folders(const std::string& wrong)
{
    fmt::print(stderr, "vitrine: {}\n", wrong);
    return 2;
}

// The catalog and the blobs of a server with these options. Returns what is wrong.
std::string choose_sources(BackupArguments& arguments)
{
    const auto location = server::database_location(arguments.database);
    if (!location) return location.error();
    if (server::is_postgres(*location)) return "a catalog in PostgreSQL is backed up with pg_dump";
    arguments.options.catalog = *location;
    if (arguments.blobs == "files") return {};
    const auto folder = server::blob_folder(arguments.blobs);
    if (!folder || folder->empty())
        return "--blobs must be `files` or file:FOLDER; an object store has its own backups";
    arguments.options.blobs = server::whole_path(*folder);
    return {};
}

int back_up(BackupArguments arguments)
{
    if (const auto wrong = choose_folders(arguments, "--to"); !wrong.empty()) return reject_folders(wrong);
    if (const auto wrong = choose_sources(arguments); !wrong.empty()) return reject_folders(wrong);
    MoveReport report;
    const auto totals =
        server::make_backup(arguments.data, arguments.backup, arguments.options, report.callback());
    report.clear();
    fmt::print("{}: {} assets, catalog SHA-256 {}\n{}; {} older ones removed\n", arguments.backup.native(),
               totals.assets, totals.catalog_sha256, blob_text(totals.blobs), totals.removed);
    const auto& named = arguments.options.catalog;
    server::MoveEnd catalog(named.empty() ? arguments.data / server::catalog_file : named);
    return report_bad_blobs(totals.blobs, arguments.data.native(), catalog);
}

int restore(BackupArguments arguments)
{
    if (const auto wrong = choose_folders(arguments, "--from"); !wrong.empty()) return reject_folders(wrong);
    MoveReport report;
    const auto totals = server::restore_backup(arguments.backup, arguments.data, report.callback());
    report.clear();
    fmt::print("{}: {} assets\n{}\n", arguments.data.native(), totals.assets, blob_text(totals.blobs));
    server::MoveEnd catalog(arguments.data / server::catalog_file);
    return report_bad_blobs(totals.blobs, arguments.backup.native(), catalog);
}

std::shared_ptr<BackupArguments> declare_folders(CLI::App& app, const char* help, const char* option,
                                                 const char* option_help)
{
    auto arguments = std::make_shared<BackupArguments>();
    app.add_option("DIR", arguments->folder, help);
    app.add_option("--data", arguments->data, "Data folder; default: ~/.local/share/vitrine")
        ->envname("VITRINE_DATA");
    app.add_option(option, arguments->backup, option_help);
    return arguments;
}

} // namespace

std::function<int()> declare_backup(CLI::App& app)
{
    const auto arguments = declare_folders(
        app, "Folder of the backup: empty, or of an earlier backup, which is brought up to date", "--to",
        "Folder of the backup; DIR is then the data folder");
    server::declare_config_file(app, arguments->config);
    server::declare_database(app, arguments->database);
    app.add_option("--blobs", arguments->blobs, "Where the server keeps blobs: `files` or file:FOLDER")
        ->envname("VITRINE_BLOBS");
    app.add_flag(
        "--copy", arguments->options.copies,
        "Copy the blobs; without it, a backup on the file system of the data folder shares its files");
    app.add_flag("--compare", arguments->options.compares,
                 "Read the blobs that an earlier backup has, and replace those whose checksum is wrong");
    return [arguments] { return back_up(*arguments); };
}

std::function<int()> declare_restore(CLI::App& app)
{
    const auto arguments = declare_folders(app, "Folder of the backup", "--from",
                                           "Folder of the backup; DIR is then the data folder");
    app.get_option("--data")->description("Data folder to make: empty or absent; default: "
                                          "~/.local/share/vitrine");
    return [arguments] { return restore(*arguments); };
}

} // namespace vitrine::cli
