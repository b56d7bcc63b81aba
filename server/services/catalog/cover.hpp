#pragma once
// The cover of an asset: what its thumbnail shows in place of what the server would choose, and the text that
// the catalog stores it as. Pure functions, but for resolve_cover().

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <glm/glm.hpp>

#include "server/services/catalog/records.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class Catalog;

// The code of the warning that a version does not have what the cover shows.
inline constexpr std::string_view cover_warning_code = "cover_not_in_model";

// Each member replaces a part of the choice. Words and units as those of the parameters of images.
struct Cover {
    std::string view{};               // of render::parse_camera(); empty: chosen for the model
    std::optional<glm::dvec3> target; // meters; only with a view
    std::optional<double> fov;        // degrees
    bool ortho = false;
    std::string clip{}; // of scene::find_clip(), or scene::static_pose_word; empty: the representative clip
    std::optional<double> time; // seconds, only with a clip; empty: its representative time
    std::string background{};   // of render::parse_background(); empty: studio
    std::string variant{};      // material variant; empty: the primitives' own materials
};

// Returns a JSON object, or "" for a cover that replaces nothing. Invalid text is read as such a cover.
std::string cover_text(const Cover& cover);
Cover parse_cover(std::string_view text);

// Names clip and variant as lists of the version that requests read do, so that another version may have them
// too: by their names, if these are unique. Errors: invalid ("where" is clip or variant), not_ready.
Result<void> resolve_cover(Cover& cover, const AssetRecord& asset, const Catalog& catalog);

} // namespace vitrine::server
