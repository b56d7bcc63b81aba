// Where the models of a lineup are, and which of them a pick has hit.

#include <algorithm>

#include <boost/json/array.hpp>

#include "api/bounds_json.hpp"
#include "api/hit_json.hpp"
#include "api/pose_json.hpp"
#include "loaders/scene/lineup/lineup.hpp"
#include "server/services/scene_queries/scene_queries.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

json::object asset_json(const LineupAsset& shown)
{
    return {{"id", shown.asset.id}, {"name", shown.asset.name}};
}

json::object model_json(const LineupAsset& shown, const scene::LineupModel& model,
                        const scene::LineupPlace& place)
{
    json::value clip; // null: the static pose
    if (model.clip != scene::none) {
        const auto& played = model.scene->clips[model.clip];
        clip = json::object{{"name", played.name}, {"duration", played.duration}};
    }
    return {{"asset", asset_json(shown)},
            {"clip", std::move(clip)},
            {"unit", place.unit},
            {"transform", api::trs_json(place.local)},
            {"bounds", api::bounds_json(place.box)}};
}

} // namespace

json::object query_lineup(const Lineup& lineup, const LineupModels& loaded)
{
    const auto& models = loaded.models;
    const auto places = scene::place_models(models, lineup.sizes);
    scene::Aabb all;
    json::array items;
    for (std::size_t i = 0; i < models.size(); ++i) {
        all.add(places[i].box);
        items.push_back(model_json(lineup.assets[i], models[i], places[i]));
    }
    const auto sizes = std::ranges::find(scene::lineup_size_words, lineup.sizes,
                                         &std::pair<std::string_view, scene::LineupSizes>::second);
    return {{"sizes", sizes->first}, {"bounds", api::bounds_json(all)}, {"items", std::move(items)}};
}

json::object query_lineup_hit(const Lineup& lineup, const LineupModels& loaded,
                              const std::optional<scene::Hit>& hit)
{
    if (!hit) return {{"item", nullptr}, {"asset", nullptr}, {"hit", nullptr}};
    const auto found = scene::hit_model(loaded.models, *hit);
    auto object = api::hit_json(*loaded.models[found.model].scene, found.hit);
    object["item"] = found.model;
    object["asset"] = asset_json(lineup.assets[found.model]);
    return object;
}

} // namespace vitrine::server
