#include "server/services/importing/import_run.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "loaders/scene/layers/frame_range.hpp"
#include "server/services/catalog/append_user_clips.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

// The names of all clips of a version, by index.
std::vector<std::string> clip_names(const Catalog& catalog, const AssetRecord& version)
{
    std::vector<std::string> names;
    const auto text = catalog.find_document(version.id, version.version, AssetDocument::clips);
    boost::system::error_code error;
    const auto list = json::parse(text.value_or("{}"), error);
    if (error || !list.is_object() || !list.as_object().contains("items")) return names;
    for (const auto& clip : list.as_object().at("items").as_array())
        names.emplace_back(clip.at("name").as_string());
    return names;
}

// The clip of this name, the one at the same place if several have it.
std::optional<std::uint32_t> find_source(const scene::Scene& file, const std::string& name,
                                         std::uint32_t index)
{
    if (index < file.clips.size() && file.clips[index].name == name) return index;
    const auto found = std::ranges::find(file.clips, name, &scene::Clip::name);
    if (found == file.clips.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - file.clips.begin());
}

// Why the clip cannot be cut out of the file, or an empty text; `names`: of the clips it was cut out of.
std::string adapt_clip(api::UserClip& clip, const std::vector<std::string>& names, const scene::Scene& file)
{
    if (std::ranges::find(file.clips, clip.name, &scene::Clip::name) != file.clips.end())
        return "a clip of the file has its name";
    if (clip.clip == scene::none)
        return clip.last_frame < scene::count_file_frames(file) ? "" : "the file has fewer frames";
    const auto source =
        clip.clip < names.size() ? find_source(file, names[clip.clip], clip.clip) : std::nullopt;
    if (!source) return "the file does not have the clip that it was cut out of";
    clip.clip = *source;
    return clip.last_frame <= last_frame_of(file.clips[*source]) ? "" : "the file's clip is shorter";
}

class Carrier {
public:
    Carrier(const Catalog& catalog, const scene::Scene& file) : catalog_(catalog), file_(file) {}

    void add(const AssetRecord& version)
    {
        auto clips = api::parse_user_clips(version.user_clips);
        if (clips.empty()) return;
        const auto names = clip_names(catalog_, version);
        for (auto& clip : clips) {
            const auto same = std::ranges::find(carried_.clips, clip.name, &api::UserClip::name);
            if (same != carried_.clips.end()) continue;
            const auto why = adapt_clip(clip, names, file_);
            if (why.empty())
                carried_.clips.push_back(clip);
            else
                carried_.lost.push_back({"user_clip_lost",
                                         fmt::format("the clip '{}' of version {} is not in this one: {}",
                                                     clip.name, version.version, why),
                                         ""});
        }
        if (carried_.clips.size() > max_user_clips) carried_.clips.resize(max_user_clips);
    }
    CarriedClips take() { return std::move(carried_); }

private:
    const Catalog& catalog_;
    const scene::Scene& file_;
    CarriedClips carried_;
};

} // namespace

CarriedClips carry_user_clips(const Catalog& catalog, const AssetRecord& current, const AssetRecord& next,
                              const scene::Scene& file)
{
    Carrier carrier(catalog, file);
    carrier.add(current);
    const auto versions = catalog.versions(next.id);
    const auto row = std::ranges::find(versions, next.version, &api::Version::number);
    const auto restored = row != versions.end() ? row->restored_from : 0;
    if (restored == 0 || restored == current.version) return carrier.take();
    if (const auto origin = catalog.find_version(next.id, restored)) carrier.add(*origin);
    return carrier.take();
}

} // namespace vitrine::server
