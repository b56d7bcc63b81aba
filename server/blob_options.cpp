#include "server/blob_options.hpp"

#include <CLI/Validators.hpp>
#include <fmt/format.h>

#include "server/option_declarer.hpp"
#include "server/services/s3/s3_client.hpp"

namespace vitrine::server {

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
           "Where files of uploads are kept: `files` (in the data folder) or s3://BUCKET[/PREFIX]")
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

std::expected<std::optional<S3BlobsConfig>, std::string> make_blobs_config(const BlobOptions& options)
{
    if (options.s3.location == "files") return std::nullopt;
    if (!is_s3_location(options.s3.location))
        return std::unexpected("--blobs must be `files` or s3://BUCKET[/PREFIX]");
    auto store = make_s3_options(options.s3);
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
        auto settings = options.s3;
        if (!with_blobs) settings.location = options.derived;
        auto store = make_s3_options(settings);
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
    if (!*config) return "files in the data directory";
    const auto& store = (*config)->store;
    if (auto wrong = check_s3_store(store); !wrong.empty()) return std::unexpected(wrong);
    return fmt::format("{} at {} takes, returns and removes objects", options.s3.location, store.host);
}

} // namespace vitrine::server
