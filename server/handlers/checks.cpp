// What a profile of rules finds in an asset, and in the models of a request.
#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "api/check_profile.hpp"
#include "api/check_report.hpp"
#include "api/json_text.hpp"
#include "loaders/scene/checks/checks.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/net/accept.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

// Of one request: their loader processes run one after the other.
constexpr std::size_t max_checked_models = 256;
// Of the time of the request; no model is loaded later, and the report says so.
constexpr double max_checking_time_ratio = 0.75;

// The profile of the gate by default or by its name, or one that comes with the program.
std::optional<scene::CheckProfile> read_profile(QueryReader& reader, const CheckGate& gate)
{
    const auto name = reader.text("profile");
    if (gate.profile && (!name || *name == gate.profile->name)) return *gate.profile;
    auto profile = scene::find_shipped_profile(name.value_or("default"));
    if (!profile) reader.reject("profile", api::no_profile_message(*name));
    return profile;
}

enum class ReportFormat : std::uint8_t { json, sarif, junit, text };

// Of the parameter, or the one that Accept prefers.
ReportFormat read_report_format(QueryReader& reader, const Request& request)
{
    const auto named = reader.choice<ReportFormat>("format", {{"json", ReportFormat::json},
                                                              {"sarif", ReportFormat::sarif},
                                                              {"junit", ReportFormat::junit},
                                                              {"text", ReportFormat::text}});
    if (named) return *named;
    constexpr std::array<std::pair<std::string_view, ReportFormat>, 4> types{
        {{"application/json", ReportFormat::json},
         {"application/sarif+json", ReportFormat::sarif},
         {"application/xml", ReportFormat::junit},
         {"text/plain", ReportFormat::text}}};
    const auto accept = request.headers.find("Accept").value_or("*/*");
    return std::ranges::max_element(types, {},
                                    [&](const auto& type) { return accept_quality(accept, type.first); })
        ->second;
}

api::CheckedModel check_one(const NewAsset& model, const scene::CheckProfile& profile, Context& context)
{
    api::CheckedModel checked{.name = model.main_file};
    const auto scene = context.services.scenes.load_files(model.files, model.main_file);
    if (scene) {
        checked.findings =
            scene::check_scene(**scene, profile, std::max(std::thread::hardware_concurrency(), 1u));
        return checked;
    }
    const auto& error = scene.error();
    checked.failure_code = to_string(error.code);
    checked.failure = error.where.empty() ? error.detail : error.where + ": " + error.detail;
    return checked;
}

Response report_response(ReportFormat format, std::string_view profile, scene::Severity least,
                         const std::vector<api::CheckedModel>& models)
{
    switch (format) {
    case ReportFormat::sarif:
        return text_response(200, "application/sarif+json",
                             api::to_text(api::sarif_json(VITRINE_VERSION, models)));
    case ReportFormat::junit: return text_response(200, "application/xml", api::junit_text(models, least));
    case ReportFormat::text:
        return text_response(200, "text/plain; charset=utf-8", api::check_text(models, least));
    case ReportFormat::json: break;
    }
    return json_response(200, api::check_json(profile, models));
}

} // namespace

HandlerResult get_checks(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto profile = read_profile(reader, context.services.gate);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    const auto etag = checks_etag(*asset, *profile);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    auto scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto response = json_text_response(query_checks(context.services.derived, *asset, **scene, *profile));
    add_caching(response, etag);
    return response;
}

HandlerResult check_models(const Request& request, const std::vector<NewAsset>& models, Context& context)
{
    QueryReader reader(request);
    const auto profile = read_profile(reader, context.services.gate);
    const auto format = read_report_format(reader, request);
    using enum scene::Severity;
    const auto least =
        reader.choice<scene::Severity>("failOn", {{"note", note}, {"warning", warning}, {"error", error}})
            .value_or(warning);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    if (models.size() > max_checked_models)
        return problem(413, "limit_exceeded",
                       fmt::format("The body has more than {} models.", max_checked_models));
    if (context.checks_only) return Response{};
    std::vector<api::CheckedModel> checked;
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               max_checking_time_ratio * context.limits.answer_time);
    for (const auto& model : models) {
        if (std::chrono::steady_clock::now() < end)
            checked.push_back(check_one(model, *profile, context));
        else
            checked.push_back({.name = model.main_file,
                               .failure_code = std::string(to_string(LoadErrc::timed_out)),
                               .failure = "the models before it took all the time of the request"});
    }
    auto response = report_response(format, profile->name, least, checked);
    response.headers.add("Vary", "Accept");
    return response;
}

} // namespace vitrine::server
