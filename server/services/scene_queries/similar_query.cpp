// Lists of assets that are like another one.
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <ranges>
#include <tuple>

#include <fmt/format.h>

#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_same_files = 500;

// The most similar first, new assets before old ones.
bool comes_before(const SimilarAsset& a, const SimilarAsset& b)
{
    const auto key = [](const SimilarAsset& s) {
        return std::tuple(-s.score, -std::int64_t(s.clips.size()), s.order);
    };
    return key(a) < key(b);
}

SimilarAsset entry_of(const SimilarRow& row)
{
    // Descending numbers ascend here.
    return {
        .asset = row.asset, .name = row.name, .order = std::numeric_limits<std::int64_t>::max() - row.seq};
}

void keep_page(SimilarPage& page, const SimilarQuery& query)
{
    std::erase_if(page.items, [&](const SimilarAsset& item) { return item.score < query.min_score; });
    std::ranges::sort(page.items, comes_before);
    const auto first = std::min(query.offset, page.items.size());
    const auto end = std::min(first + std::clamp<std::size_t>(query.limit, 1, 500), page.items.size());
    if (end < page.items.size()) page.next = end;
    page.items.erase(page.items.begin() + static_cast<std::ptrdiff_t>(end), page.items.end());
    page.items.erase(page.items.begin(), page.items.begin() + static_cast<std::ptrdiff_t>(first));
}

std::string reason_of(const scene::SurfaceMatch& match)
{
    std::string text = match.score >= 0.95 ? "the same surface" : "nearly the same surface";
    if (match.is_mirrored) text += ", mirrored";
    const double times = match.scale < 1.0 ? 1.0 / match.scale : match.scale;
    constexpr double min_scale = 1.002;
    if (times > min_scale)
        text += fmt::format(", {:.4g} times as {}", times, match.scale < 1.0 ? "small" : "large");
    return text;
}

std::string reason_of(const scene::RigMatch& match, std::size_t joints)
{
    constexpr double min_difference = 0.01;
    std::string text =
        !match.has_same_names ? "joints of the same hierarchy, with other names"
        : match.shared == joints
            ? "joints of the same names and parents"
            : fmt::format("{} of {} joints have the same names and parents", match.shared, joints);
    if (match.proportions > min_difference)
        text += fmt::format(", lengths differ by {:.0f} %", 100.0 * match.proportions);
    return text;
}

SimilarRows find_candidates(const Catalog& catalog, SimilarityKind kind, std::vector<std::int64_t> buckets,
                            const std::string& except, SimilarPage& page)
{
    auto found = catalog.find_similar(kind, std::move(buckets), except, max_compared);
    page.compared = found.rows.size();
    page.is_complete = found.is_complete;
    return found;
}

// `fill(item, match, signature)`: of a candidate whose signature `parse()` reads and that matches.
template <class Signature, class Parse, class Fill>
void compare_signatures(const SimilarRows& candidates, const Signature& own, Parse parse, SimilarPage& page,
                        const Fill& fill)
{
    for (const auto& row : candidates.rows) {
        const auto other = parse(row.signature);
        const auto match = other ? scene::compare(own, *other) : std::nullopt;
        if (!match) continue;
        auto item = entry_of(row);
        item.score = match->score;
        fill(item, *match, *other);
        page.items.push_back(std::move(item));
    }
}

void compare_surfaces(const Catalog& catalog, const AssetRecord& asset, const std::string& text,
                      SimilarPage& page)
{
    const auto own = scene::parse_surface_signature(text);
    if (!own) return;
    const auto fill = [](SimilarAsset& item, const auto& match, const auto& other) {
        item.reason = reason_of(match);
        item.surface = match;
        item.triangles = other.triangles;
    };
    compare_signatures(
        find_candidates(catalog, SimilarityKind::mesh, scene::buckets_near(*own), asset.id, page), *own,
        [](const auto& signature) { return scene::parse_surface_signature(signature); }, page, fill);
}

void compare_rigs(const Catalog& catalog, const AssetRecord& asset, const std::string& text,
                  SimilarPage& page)
{
    const auto own = scene::parse_rig_likeness(text);
    if (!own) return;
    const auto fill = [&](SimilarAsset& item, const auto& match, const auto& other) {
        item.reason = reason_of(match, std::max(own->joints.size(), other.joints.size()));
        item.rig = match;
    };
    compare_signatures(
        find_candidates(catalog, SimilarityKind::rig, scene::buckets_of(*own), asset.id, page), *own,
        [](const auto& signature) { return scene::parse_rig_likeness(signature); }, page, fill);
}

struct OwnMotion {
    std::uint32_t clip = scene::none;
    scene::MotionSignature signature;
};

// Of all own clips the most similar one.
std::optional<SimilarClips> match_motion(const std::vector<OwnMotion>& own,
                                         const scene::MotionSignature& other, std::uint32_t clip)
{
    std::optional<SimilarClips> best;
    for (const auto& [own_clip, signature] : own)
        if (const auto score = scene::compare(signature, other); score && (!best || *score > best->score))
            best = SimilarClips{.clip = clip, .of = own_clip, .score = *score};
    return best;
}

void finish_clips(SimilarAsset& item)
{
    std::ranges::sort(item.clips, [](const SimilarClips& a, const SimilarClips& b) {
        return std::tuple(-a.score, a.of, a.clip) < std::tuple(-b.score, b.of, b.clip);
    });
    item.score = item.clips.front().score;
    const auto count = item.clips.size();
    item.reason = count == 1 ? "a clip moves alike" : fmt::format("{} clips move alike", count);
    if (count > max_listed_clips) item.clips.resize(max_listed_clips);
}

void compare_motions(const Catalog& catalog, const AssetRecord& asset, const std::vector<SimilarityKey>& keys,
                     const SimilarQuery& query, SimilarPage& page)
{
    std::vector<OwnMotion> own;
    std::vector<std::int64_t> buckets;
    for (const auto& key : keys) {
        const auto signature = scene::parse_motion_signature(key.signature);
        if (!signature || (query.clip != scene::none && key.part != query.clip)) continue;
        own.push_back({key.part, *signature});
        std::ranges::copy(scene::buckets_near(*signature), std::back_inserter(buckets));
    }
    std::map<std::string, SimilarAsset> by_asset;
    for (const auto& row :
         find_candidates(catalog, SimilarityKind::motion, std::move(buckets), asset.id, page).rows) {
        const auto other = scene::parse_motion_signature(row.signature);
        const auto match = other ? match_motion(own, *other, row.part) : std::nullopt;
        if (match && match->score >= query.min_score)
            by_asset.try_emplace(row.asset, entry_of(row)).first->second.clips.push_back(*match);
    }
    for (auto& item : by_asset | std::views::values) {
        finish_clips(item);
        page.items.push_back(std::move(item));
    }
}

// Contents that both have, by the bytes of all contents.
void compare_files(const std::vector<FileRecord>& own, const std::vector<FileRecord>& other,
                   SimilarAsset& item)
{
    std::map<std::string, std::pair<std::uint64_t, int>> contents; // by blob: bytes, and who has it
    for (const auto& file : own)
        contents[file.blob] = {file.size_bytes, 1};
    for (const auto& file : other) {
        auto& content = contents[file.blob];
        content = {file.size_bytes, content.second | 2};
    }
    for (const auto& [bytes, who] : contents | std::views::values) {
        item.all_bytes += bytes;
        if (who == 3) item.shared_bytes += bytes;
    }
    const bool are_same = item.shared_bytes == item.all_bytes;
    item.score =
        are_same ? 1.0 : static_cast<double>(item.shared_bytes) / static_cast<double>(item.all_bytes);
    item.reason = are_same ? "the same files" : "the same model file beside others";
}

void compare_bytes(const Catalog& catalog, const AssetRecord& asset, SimilarPage& page)
{
    const auto own = catalog.files(asset.id, asset.version);
    const auto main = std::ranges::find(own, asset.main_file, &FileRecord::name);
    if (main == own.end()) return;
    const auto found = catalog.find_same_file(main->blob, asset.id, max_same_files);
    page.compared = found.rows.size();
    page.is_complete = found.is_complete;
    for (const auto& row : found.rows) {
        auto item = entry_of(row);
        compare_files(own, catalog.files(row.asset, row.part), item);
        page.items.push_back(std::move(item));
    }
}

} // namespace

std::optional<SimilarPage> find_similar(const Catalog& catalog, const AssetRecord& asset,
                                        const SimilarQuery& query)
{
    SimilarPage page;
    if (query.by == SimilarBy::bytes) {
        compare_bytes(catalog, asset, page);
        keep_page(page, query);
        return page;
    }
    const auto kind = query.by == SimilarBy::mesh  ? SimilarityKind::mesh
                      : query.by == SimilarBy::rig ? SimilarityKind::rig
                                                   : SimilarityKind::motion;
    const auto keys = catalog.signatures(asset.id, asset.version, kind);
    if (keys.empty()) {
        if (asset.has_current_facts()) return page; // it has nothing of this kind
        return std::nullopt;
    }
    switch (kind) {
    case SimilarityKind::mesh: compare_surfaces(catalog, asset, keys.front().signature, page); break;
    case SimilarityKind::rig: compare_rigs(catalog, asset, keys.front().signature, page); break;
    case SimilarityKind::motion: compare_motions(catalog, asset, keys, query, page); break;
    }
    keep_page(page, query);
    return page;
}

} // namespace vitrine::server
