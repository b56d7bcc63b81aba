#include "server/blob_options.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <fmt/format.h>

#include "server/net/url.hpp"
#include "server/option_declarer.hpp"
#include "server/services/s3/s3_client.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {
namespace {

// Sets one member from a parameter of the location. Returns what is wrong.
std::string read_parameter(std::string_view name, std::string value, S3Settings& settings)
{
    std::string* member = nullptr;
    if (name == "endpoint") member = &settings.endpoint;
    if (name == "region") member = &settings.region;
    if (name == "path-style") {
        if (value != "1" && value != "0" && value != "true" && value != "false")
            return "path-style must be 1 or 0";
        value = value == "1" || value == "true" ? "path" : "host";
        member = &settings.addressing;
        if (settings.addressing == "auto") settings.addressing.clear();
    }
    if (!member) return fmt::format("unknown parameter {:?}; known: endpoint, region, path-style", name);
    if (!member->empty() && *member != value)
        return fmt::format("{} is {} here and {} in another option", name, value, *member);
    *member = std::move(value);
    return {};
}

} // namespace

std::expected<S3Settings, std::string> read_s3_parameters(S3Settings settings)
{
    const auto location = settings.location;
    const auto question = location.find('?');
    if (question == location.npos) return settings;
    settings.location.resize(question);
    for (const auto part : std::views::split(std::string_view(location).substr(question + 1), '&')) {
        const std::string_view text(part);
        if (text.empty()) continue;
        const auto equals = std::min(text.find('='), text.size());
        const auto value = percent_decode(text.substr(std::min(equals + 1, text.size())));
        const auto wrong = value ? read_parameter(text.substr(0, equals), *value, settings)
                                 : fmt::format("{} is not percent-encoded correctly", text);
        if (!wrong.empty()) return std::unexpected(fmt::format("{}: {}", location, wrong));
    }
    return settings;
}

void declare_store(CLI::App& app, S3Settings& s3)
{
    const auto option = option_declarer(app, "Blob store");
    option("--s3-endpoint", s3.endpoint, "VITRINE_S3_ENDPOINT",
           "http[s]://HOST[:PORT] of the object store; default: AWS in the region");
    option("--s3-region", s3.region, "VITRINE_S3_REGION",
           "Region of the bucket; default: AWS_REGION, then us-east-1");
    option("--s3-addressing", s3.addressing, "VITRINE_S3_ADDRESSING",
           "The bucket is in the path or in the host name; auto: in the host name for AWS only")
        ->capture_default_str()
        ->check(CLI::IsMember({"auto", "path", "host"}));
    option("--s3-credentials", s3.credentials, "VITRINE_S3_CREDENTIALS",
           "File with the keys, as ~/.aws/credentials (profile default); default: AWS_ACCESS_KEY_ID, "
           "AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN");
    option("--s3-ca", s3.ca, "VITRINE_S3_CA",
           "PEM file with the certificates to trust; default: those of the system");
}

void declare_blobs(CLI::App& app, BlobOptions& options)
{
    const auto option = option_declarer(app, "Blob store");
    option("--blobs", options.s3.location, "VITRINE_BLOBS",
           "Where files of uploads are kept: `files` (in the data folder), file:FOLDER, or "
           "s3://BUCKET[/PREFIX], "
           "also with ?endpoint=URL&region=NAME&path-style=1 instead of --s3-endpoint and the others")
        ->capture_default_str();
    declare_store(app, options.s3);
    option("--s3-deadline-seconds", options.deadline_seconds, "VITRINE_S3_DEADLINE_SECONDS",
           "Time without progress after which a call to the object store is given up (503), in seconds")
        ->capture_default_str()
        ->check(CLI::Range(1, 600));
    option("--blob-cache-mb", options.cache_mb, "VITRINE_BLOB_CACHE_MB",
           "Local copies of objects in MiB, not counting those in use")
        ->capture_default_str()
        ->check(CLI::Range(std::uint64_t{16}, std::uint64_t{1'000'000'000}));
    option("--blob-grace-hours", options.grace_hours, "VITRINE_BLOB_GRACE_HOURS",
           "Age in hours at which objects that no asset refers to are removed")
        ->capture_default_str()
        ->check(CLI::Range(std::uint64_t{6}, std::uint64_t{10'000}));
    option("--blob-redirect-seconds", options.redirect_seconds, "VITRINE_BLOB_REDIRECT_SECONDS",
           "Answer downloads of original files with a link to the object store that is valid for so many "
           "seconds; 0: send the files")
        ->capture_default_str()
        ->check(CLI::Range(0, 604'800));
    app.add_flag(
           "--take-over-blobs", options.take_over,
           "The objects of --blobs belong to this catalog from now on, whoever had them; it removes what "
           "it does not refer to")
        ->group("Blob store");
    option("--derived", options.derived, "VITRINE_DERIVED",
           "Where several servers share derived files (images, scenes): s3://BUCKET[/PREFIX] at the endpoint "
           "of --s3-endpoint, an existing folder, or none; auto: where --blobs is if that is an object store")
        ->capture_default_str();
    option("--shared-derived-mb", options.shared_derived_mb, "VITRINE_SHARED_DERIVED_MB",
           "Limit of the shared derived files in MiB, equal on all servers; the oldest are removed")
        ->capture_default_str()
        ->check(CLI::Range(std::uint64_t{64}, std::uint64_t{1'000'000'000}));
}

std::optional<std::filesystem::path> blob_folder(std::string_view location)
{
    for (const std::string_view scheme : {"file:", "files:"})
        if (location.starts_with(scheme)) return std::filesystem::path(location.substr(scheme.size()));
    return std::nullopt;
}

std::expected<std::optional<S3BlobsConfig>, std::string> make_blobs_config(const BlobOptions& options)
{
    if (options.s3.location == "files") return std::nullopt;
    if (const auto folder = blob_folder(options.s3.location); folder && !folder->empty()) return std::nullopt;
    if (!is_s3_location(options.s3.location))
        return std::unexpected("--blobs must be `files`, file:FOLDER or s3://BUCKET[/PREFIX]");
    const auto settings = read_s3_parameters(options.s3);
    if (!settings) return std::unexpected("--blobs: " + settings.error());
    auto store = make_s3_options(*settings);
    if (!store) return std::unexpected("--blobs: " + store.error());
    store->deadline = std::chrono::seconds(options.deadline_seconds);
    S3BlobsConfig config{.store = std::move(*store)};
    config.cache_bytes = options.cache_mb << 20;
    config.grace = std::chrono::hours(options.grace_hours);
    config.redirect_seconds = options.redirect_seconds;
    config.take_over = options.take_over;
    return config;
}

std::expected<std::optional<SharedDerivedConfig>, std::string>
make_shared_derived(const BlobOptions& options, const std::filesystem::path& data)
{
    const bool with_blobs = options.derived == "auto" && is_s3_location(options.s3.location);
    if (options.derived == "none" || (options.derived == "auto" && !with_blobs)) return std::nullopt;
    SharedDerivedConfig config;
    config.limits.limit_bytes = options.shared_derived_mb << 20;
    if (with_blobs || is_s3_location(options.derived)) {
        auto settings = read_s3_parameters(options.s3);
        if (!settings) return std::unexpected("--blobs: " + settings.error());
        if (!with_blobs) settings->location = options.derived;
        auto store = make_s3_options(*settings);
        if (!store) return std::unexpected("--derived: " + store.error());
        config.s3 = std::move(*store);
        return config;
    }
    config.folder = options.derived;
    std::error_code ignored;
    if (!config.folder.is_absolute() || !std::filesystem::is_directory(config.folder, ignored))
        return std::unexpected(
            "--derived must be s3://BUCKET[/PREFIX], the absolute path of an existing folder, none or auto");
    const auto inside = std::filesystem::weakly_canonical(config.folder, ignored)
                            .lexically_relative(std::filesystem::weakly_canonical(data, ignored));
    if (!inside.empty() && *inside.begin() != "..")
        return std::unexpected(
            "--derived must not be in the data folder, which belongs to this server alone");
    return config;
}

std::expected<std::string, std::string> check_blobs(const BlobOptions& options)
{
    const auto config = make_blobs_config(options);
    if (!config) return std::unexpected(config.error());
    if (const auto folder = blob_folder(options.s3.location))
        return fmt::format("files in {}", whole_path(*folder).native());
    if (!*config) return "files in the data directory";
    const auto& store = (*config)->store;
    if (auto wrong = check_s3_store(store); !wrong.empty()) return std::unexpected(wrong);
    return fmt::format("{} at {} takes, returns and removes objects", options.s3.location, store.host);
}

} // namespace vitrine::server
