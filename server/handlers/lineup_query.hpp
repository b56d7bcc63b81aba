#pragma once
// The parameters of several assets side by side: asset=ID for each of them, sizes, and of each model its
// motion, materials, parts and size; a parameter of a model is for all of them, or with the number of one,
// from 0, for that one: 1.clip=run.

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loaders/scene/lineup/lineup.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/motion_params.hpp"
#include "server/handlers/scene_params.hpp"
#include "server/preview/preview.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {

struct ModelQuery {
    std::string id;
    MotionTexts motion{};
    SceneTexts scene{};
    scene::LineupScale scale{};
    std::optional<double> time{}; // stands still; empty: at the time of the image
};

struct LineupQuery {
    std::vector<ModelQuery> models;
    scene::LineupSizes sizes = scene::LineupSizes::actual;
};

LineupQuery read_lineup(QueryReader& reader, const Request& request);
// Of a request that has no other parameters.
std::expected<LineupQuery, api::Problem> require_lineup_query(const Request& request);

struct LineupImage {
    AssetRecord asset; // with SceneChanges::lineup
    scene::SharedLayers layers{};
};

// Finds an asset of a row. Problems: 404, 409, 422 (render_quarantined). Blocking, catalog pool.
AssetResult require_model(const std::string& id, Context& context);
// Finds the assets with their motions. Problems: those of require_model(), require_variant(), change_scene()
// and require_motion(). Blocking, scenes pool.
std::expected<LineupImage, api::Problem> require_lineup(const LineupQuery& query, Context& context);

// Loads the row of a request that has no other parameters, for a live preview. The work has a time limit, and
// ends when `peer` leaves (null: nobody waits). Problems: those of require_lineup() and SceneStore::load().
// Blocking, scenes pool.
std::expected<ShownScene, api::Problem> require_row(const Request& request,
                                                    std::shared_ptr<const PeerSocket> peer, Context& context);

} // namespace vitrine::server
