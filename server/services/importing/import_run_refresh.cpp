// A refresh: replaces what an older version of the code has stored about a model, all of it in one
// transaction. Files and images stay.

#include "server/services/importing/import_run.hpp"
#include "server/services/importing/scene_metadata.hpp"
#include "server/services/rendering/cover_still.hpp"

namespace vitrine::server {
namespace {

constexpr double refresh_bounds_progress = 0.4; // at the start of the stage

// Those of the import: it has not been able to render the thumbnail, or to show the cover.
std::vector<scene::Warning> thumbnail_warnings(const AssetRecord& asset, const scene::Scene& scene)
{
    auto warnings = cover_warnings(scene, asset);
    if (!asset.has_thumbnail && !renders_blank(scene))
        warnings.push_back(
            {"no_thumbnail", "no thumbnail could be rendered when the model was imported", ""});
    return warnings;
}

} // namespace

// Empty: the run must end.
std::optional<Metadata> ImportRun::describe_again(const scene::Scene& scene)
{
    auto found = describe(scene, parts_.options.gate, thumbnail_warnings(asset_, scene),
                          api::parse_user_clips(asset_.user_clips), stop_.get_token());
    if (!enter_stage(JobStage::bounds, refresh_bounds_progress)) return std::nullopt;
    auto bounds = describe_bounds(scene, [&](double part) {
        raise_progress(refresh_bounds_progress + part * (1.0 - refresh_bounds_progress));
        return may_continue();
    });
    if (bounds.empty() || !may_continue()) return std::nullopt;
    found.documents.emplace_back(AssetDocument::bounds, std::move(bounds));
    return found;
}

void ImportRun::run_refresh()
{
    if (!enter_stage(JobStage::load, 0.0)) return;
    if (!asset_.has_current_facts()) { // not made by an import meanwhile
        const auto scene = parts_.scenes.load_unkept(asset_, stop_.get_token());
        if (!scene) return fail_job(to_service_error(scene.error()));
        const auto found = describe_again(**scene);
        if (!found) return;
        // Writes nothing if the user clips have changed meanwhile: that has stored facts of this code.
        auto written = parts_.catalog.record_metadata(lease_, *found);
        if (!written) {
            state_ = LeaseState::lost;
            return;
        }
        asset_ = std::move(*written);
    }
    raise_progress(1.0);
    if (!may_continue()) return;
    finish(parts_.catalog.succeed(lease_), counters().succeeded);
}

} // namespace vitrine::server
