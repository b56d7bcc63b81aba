// What a profile of rules finds in an asset.
#include <algorithm>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "api/check_report.hpp"
#include "api/json_text.hpp"
#include "loaders/scene/checks/checks.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr int checks_revision = 2; // increment when the findings of equal models change

} // namespace

std::string checks_etag(const AssetRecord& asset, const scene::CheckProfile& profile)
{
    return data_etag(asset, fmt::format("checks-{}-{}", checks_revision,
                                        profile.revision.empty() ? profile.name : profile.revision));
}

std::string query_checks(DerivedCache& derived, const AssetRecord& asset, const scene::Scene& scene,
                         const scene::CheckProfile& profile)
{
    const DerivedKey key{.content_hash = asset.content_hash,
                         .kind = "checks",
                         .parameters =
                             fmt::format("{} {} {}", profile.name, profile.revision, api::loader_revision),
                         .revision = checks_revision};
    if (auto found = derived.find(key))
        return std::string(reinterpret_cast<const char*>(found->data()), found->size());
    const auto findings =
        scene::check_scene(scene, profile, std::max(std::thread::hardware_concurrency(), 1u));
    auto text = api::to_text(api::findings_json(profile.name, findings));
    derived.store(key, std::as_bytes(std::span(text)));
    return text;
}

} // namespace vitrine::server
