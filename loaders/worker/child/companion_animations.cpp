#include "loaders/worker/child/companion_animations.hpp"

#include <utility>

#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/motion/bind_animations.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/worker/child/scene_limits.hpp"
#include "loaders/worker/files/grouping.hpp"

namespace vitrine::worker {
namespace {

// The same files with another main file.
class MainFileSource final : public Source {
public:
    MainFileSource(Source& source, std::string main_name) : source_(source), main_name_(std::move(main_name))
    {
    }
    const std::string& main_name() const override { return main_name_; }
    const std::vector<std::string>& names() const override { return source_.names(); }
    std::optional<Bytes> open(std::string_view name) override { return source_.open(name); }
    const io::NameIndex& name_index() const override { return source_.name_index(); }

private:
    Source& source_;
    std::string main_name_;
};

// The file's name is the location of the warnings.
void bind_companion_file(MainFileSource& file, const Format& format, const Limits& limits,
                         const ExtrapolationOptions& extrapolation, scene::Scene& scene,
                         io::WarningLog& warnings)
{
    const std::string& name = file.main_name();
    auto animation = load_with(format, file, limits, extrapolation);
    if (animation) {
        trim_names(*animation); // as for the model
        if (const auto valid = scene::validate(*animation, scene::FlatMeshes::allowed); !valid)
            animation = std::unexpected(valid.error());
    }
    if (!animation) {
        const auto& error = animation.error();
        const auto place = error.where.empty() ? std::string() : " (" + error.where + ")";
        return warnings.add("animation_unreadable", "its clips are ignored: " + error.detail + place, name);
    }
    for (const auto& warning : animation->warnings)
        warnings.add(warning.code, warning.message, name + ": " + warning.where);
    const auto result = scene::bind_animations(scene, std::move(*animation), std::string(io::stem_of(name)));
    if (result.clips == 0 && !scene.skins.empty())
        warnings.add("animation_not_bound",
                     "no node of the model has the name of an animated node; its clips are ignored", name);
    if (result.clips > 0 && result.dropped > 0)
        warnings.add("channels_not_bound",
                     std::to_string(result.dropped) +
                         " channels animate nodes that the model does not have, '" +
                         result.first_missing_node + "' first",
                     name);
}

} // namespace

bool is_animation_only(std::span<const Format> formats, std::string_view name, Bytes bytes)
{
    const auto format = find_format(formats, name, bytes);
    return format && (*format)->is_animation_only != nullptr && (*format)->is_animation_only(bytes);
}

void find_animation_files(Source& source, const std::vector<std::string>& names,
                          std::span<const Format> formats, const std::function<void(std::uint32_t)>& found)
{
    for (std::uint32_t i = 0; i < names.size(); ++i)
        if (const auto bytes = source.open(names[i]); bytes && is_animation_only(formats, names[i], *bytes))
            found(i);
}

void bind_companion_animations(Source& source, std::span<const Format> formats, const Limits& limits,
                               const ExtrapolationOptions& extrapolation, scene::Scene& scene)
{
    io::WarningLog warnings;
    for (const auto& name : source.names()) {
        if (name == source.main_name() || !may_be_animation_only(name)) continue;
        const auto bytes = source.open(name);
        if (!bytes || !is_animation_only(formats, name, *bytes)) continue;
        if (scene.clips.size() >= limits.clips) {
            warnings.add("limit_reached", "its clips are ignored; the limit clips is reached", name);
            continue;
        }
        MainFileSource file(source, name);
        bind_companion_file(file, **find_format(formats, name, *bytes), limits, extrapolation, scene,
                            warnings);
    }
    for (auto& warning : warnings.take())
        scene.warnings.push_back(std::move(warning));
}

} // namespace vitrine::worker
