#include "server/services/catalog/cover.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "loaders/scene/lookup.hpp"
#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"

using soci::use;

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::array cover_words{std::pair{"view", &Cover::view}, std::pair{"clip", &Cover::clip},
                                 std::pair{"background", &Cover::background},
                                 std::pair{"variant", &Cover::variant}};

std::optional<glm::dvec3> read_target(const json::value& value)
{
    const auto* array = value.if_array();
    if (!array || array->size() != 3) return std::nullopt;
    const auto number = [&](std::size_t i) { return array->at(i).to_number<double>(); };
    return glm::dvec3(number(0), number(1), number(2));
}

Cover read_object(const json::object& object)
{
    Cover cover;
    for (const auto& [name, member] : cover_words)
        if (const auto* value = object.if_contains(name)) cover.*member = value->as_string();
    if (const auto* value = object.if_contains("target")) cover.target = read_target(*value);
    if (const auto* value = object.if_contains("fov")) cover.fov = value->to_number<double>();
    if (const auto* value = object.if_contains("ortho")) cover.ortho = value->as_bool();
    if (const auto* value = object.if_contains("time")) cover.time = value->to_number<double>();
    return cover;
}

// The names in a stored list, of objects with a name or of texts.
std::vector<std::string> names_of(const std::optional<std::string>& document)
{
    boost::system::error_code error;
    const auto list = json::parse(document.value_or("[]"), error);
    std::vector<std::string> names;
    const auto* items = error ? nullptr : list.is_object() ? list.as_object().if_contains("items") : &list;
    if (items == nullptr || !items->is_array()) return names;
    for (const auto& item : items->get_array())
        names.emplace_back(item.is_object() ? item.at("name").as_string() : item.as_string());
    return names;
}

Result<void> resolve_clip(std::string& clip, const std::vector<std::string>& names)
{
    if (clip.empty() || clip == scene::static_pose_word) return {};
    const std::vector<std::string_view> views(names.begin(), names.end());
    const auto found = scene::find_clip(views, clip, scene::ClipLookup::exact);
    if (!found) return reject_parameter("clip", fmt::format("names no clip of the asset: '{}'", clip));
    const auto by_name = scene::find_clip(views, views[*found], scene::ClipLookup::exact);
    const bool is_unique = by_name && *by_name == *found && views[*found] != scene::static_pose_word;
    clip = is_unique ? names[*found] : scene::clip_id(*found);
    return {};
}

// Of the version that requests read; the warning is about a cover that the asset does not have any more.
void remove_cover_warning(DatabaseConnection& sql, const AssetRecord& asset)
{
    Binds binds;
    auto where = " WHERE asset = " + binds.add(asset.id);
    where += " AND version = " + binds.add(static_cast<long long>(asset.version));
    const auto stored =
        fetch_text(sql, "SELECT json FROM documents" + where + " AND kind = 'warnings'", binds);
    boost::system::error_code error, summary_error;
    auto warnings = json::parse(stored.value_or("[]"), error);
    auto summary = json::parse(asset.summary, summary_error);
    if (error || summary_error || !warnings.is_array() || !summary.is_object()) return;
    auto& list = warnings.get_array();
    const auto known = std::ranges::find_if(list, [](const json::value& warning) {
        return warning.at("code").as_string() == cover_warning_code;
    });
    if (known == list.end()) return;
    list.erase(known);
    put_document(sql, asset.id, asset.version, AssetDocument::warnings, json::serialize(warnings));
    summary.get_object()["warnings"] = list.size();
    const auto text = json::serialize(summary);
    const auto count = static_cast<long long>(list.size());
    const long long version = asset.version;
    sql << "UPDATE versions SET summary = :summary, warnings = :count WHERE asset = :id AND number = "
           ":version",
        use(text), use(count), use(asset.id), use(version);
    std::vector<std::string> codes;
    for (const auto& warning : list)
        codes.emplace_back(warning.at("code").as_string());
    put_warnings(sql, asset.id, asset.version, codes);
    put_list_columns(sql, asset.id);
}

} // namespace

bool set_cover(DatabaseConnection& sql, const AssetRecord& asset, const std::string& cover)
{
    if (cover == asset.cover) return false;
    sql << "UPDATE assets SET cover = :cover WHERE id = :id", use(cover), use(asset.id);
    remove_cover_warning(sql, asset);
    return true;
}

std::string cover_text(const Cover& cover)
{
    json::object object;
    for (const auto& [name, member] : cover_words)
        if (!(cover.*member).empty()) object[name] = cover.*member;
    if (cover.target) object["target"] = {cover.target->x, cover.target->y, cover.target->z};
    if (cover.fov) object["fov"] = *cover.fov;
    if (cover.ortho) object["ortho"] = true;
    if (cover.time) object["time"] = *cover.time;
    return object.empty() ? std::string() : json::serialize(object);
}

Cover parse_cover(std::string_view text)
{
    boost::system::error_code error;
    const auto object = json::parse(text, error);
    if (error || !object.is_object()) return {};
    try {
        return read_object(object.get_object());
    } catch (const std::exception&) { // a member of another type
        return {};
    }
}

Result<void> resolve_cover(Cover& cover, const AssetRecord& asset, const Catalog& catalog)
{
    if (cover.clip.empty() && cover.variant.empty()) return {};
    const auto find = [&](AssetDocument document) {
        return catalog.find_document(asset.id, asset.version, document);
    };
    const auto clips = find(AssetDocument::clips);
    if (!clips) return not_imported_error();
    if (auto resolved = resolve_clip(cover.clip, names_of(clips)); !resolved) return resolved;
    if (cover.variant.empty()) return {};
    const auto variants = names_of(find(AssetDocument::variants));
    const auto variant = scene::find_variant(variants, cover.variant);
    if (!variant)
        return reject_parameter("variant",
                                fmt::format("names no material variant of the asset: '{}'", cover.variant));
    cover.variant = variants[*variant];
    return {};
}

} // namespace vitrine::server
