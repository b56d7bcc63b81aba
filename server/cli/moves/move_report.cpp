#include "server/cli/moves/move_report.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace vitrine::cli {
namespace {

constexpr auto line_interval = std::chrono::seconds(10);
constexpr std::size_t max_named = 100; // blobs
constexpr unsigned max_assets = 5;     // of a blob

void name_blobs(std::span<const std::string> hashes, std::string_view fault, const std::string& place,
                server::MoveEnd& catalog)
{
    for (const auto& hash : hashes.first(std::min(hashes.size(), max_named)))
        fmt::print(stderr, "vitrine: blob {} is {} in {}: assets {}\n", hash, fault, place,
                   fmt::join(server::list_assets_of_blob(catalog, hash, max_assets), ", "));
    if (hashes.size() > max_named)
        fmt::print(stderr, "vitrine: and {} more blobs that are {}\n", hashes.size() - max_named, fault);
}

} // namespace

void MoveReport::show(const server::MoveProgress& progress)
{
    if (::isatty(STDERR_FILENO) == 0) return show_line(progress);
    const auto total = std::max<std::uint64_t>(progress.total, 1);
    const double fraction = static_cast<double>(progress.done) / static_cast<double>(total);
    bar_.show_bar(progress.what, fraction, fmt::format("{} of {}", progress.done, progress.total));
}

void MoveReport::show_line(const server::MoveProgress& progress)
{
    const auto now = std::chrono::steady_clock::now();
    if (what_ != progress.what) {
        what_ = progress.what;
        ended_ = false;
        last_ = now;
    }
    const bool ends = progress.done >= progress.total;
    if (ended_ || (!ends && now - last_ < line_interval)) return;
    ended_ = ends;
    last_ = now;
    fmt::print(stderr, "{}: {} of {}\n", progress.what, progress.done, progress.total);
}

std::string blob_text(const server::BlobTotals& blobs)
{
    return fmt::format("{} blobs, {:.1f} MB, {} of them copied now, SHA-256 of their hashes {}", blobs.blobs,
                       static_cast<double>(blobs.bytes) / 1e6, blobs.copied, blobs.digest);
}

int report_bad_blobs(const server::BlobTotals& blobs, const std::string& place, server::MoveEnd& catalog)
{
    name_blobs(blobs.missing, "missing", place, catalog);
    name_blobs(blobs.damaged, "damaged", place, catalog);
    const auto bad = blobs.missing.size() + blobs.damaged.size();
    if (bad == 0) return 0;
    fmt::print(
        stderr,
        "vitrine: {} blobs are missing or damaged and were left out; all others were copied. Uploading "
        "their files again repairs the assets\n",
        bad);
    return 1;
}

} // namespace vitrine::cli
