#include <array>
#include <bitset>
#include <string>

#include <fmt/format.h>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/scene/human_bone.hpp"
#include "loaders/vrm/extensions.hpp"

namespace vitrine::vrm {
namespace {

using scene::HumanBone;

// Those that both specifications require.
constexpr std::array required_bones{HumanBone::hips,
                                    HumanBone::spine,
                                    HumanBone::head,
                                    HumanBone::left_upper_leg,
                                    HumanBone::left_lower_leg,
                                    HumanBone::left_foot,
                                    HumanBone::right_upper_leg,
                                    HumanBone::right_lower_leg,
                                    HumanBone::right_foot,
                                    HumanBone::left_upper_arm,
                                    HumanBone::left_lower_arm,
                                    HumanBone::left_hand,
                                    HumanBone::right_upper_arm,
                                    HumanBone::right_lower_arm,
                                    HumanBone::right_hand};

std::optional<HumanBone> find_bone(VrmKind kind, std::string_view name)
{
    if (kind == VrmKind::version_0)
        for (const auto& [old_name, bone] : scene::vrm_0_bone_names)
            if (old_name == name) return bone;
    return scene::find_human_bone(name);
}

class HumanoidReader {
public:
    HumanoidReader(const VrmExtension& extension, scene::Scene& scene) : extension_(extension), scene_(scene)
    {
    }

    void run()
    {
        const io::JsonValue bones = extension_.object["humanoid"]["humanBones"];
        const bool is_version_0 = extension_.kind == VrmKind::version_0;
        if (bones.exists() && !(is_version_0 ? bones.is_array() : bones.is_object()))
            warn("invalid_human_bone", "the human bones are ignored: they are not a list", bones);
        else
            for (const io::JsonValue entry : bones)
                assign(is_version_0 ? entry["bone"].string().value_or("") : entry.key(), entry);
        if (extension_.kind != VrmKind::animation) check_required();
    }

private:
    void assign(std::string_view name, io::JsonValue entry)
    {
        const std::optional<HumanBone> bone = find_bone(extension_.kind, name);
        if (!bone)
            return warn("unknown_human_bone", fmt::format("the bone \"{}\" is unknown; it is ignored", name),
                        entry);
        const auto node = gltf::to_index(entry["node"], extension_.node_count());
        if (!node)
            return warn("invalid_human_bone",
                        fmt::format("the node of the bone \"{}\" does not exist; it is ignored", name),
                        entry);
        HumanBone& role = scene_.nodes[*node].human_bone;
        if (role != HumanBone::none || found_[static_cast<std::size_t>(*bone)])
            return warn("duplicate_human_bone",
                        fmt::format("the bone \"{}\" or its node occurs twice; the first one counts", name),
                        entry);
        role = *bone;
        found_.set(static_cast<std::size_t>(*bone));
    }

    void check_required()
    {
        std::string missing;
        for (const HumanBone bone : required_bones)
            if (!found_[static_cast<std::size_t>(bone)])
                missing += fmt::format("{}{}", missing.empty() ? "" : ", ", scene::name_of(bone));
        if (!missing.empty())
            warn("missing_human_bone", "required bones are missing: " + missing, extension_.object);
    }

    void warn(std::string_view code, std::string message, io::JsonValue where)
    {
        extension_.warnings().add(code, std::move(message), where.pointer());
    }

    const VrmExtension& extension_;
    scene::Scene& scene_;
    std::bitset<scene::human_bone_count> found_;
};

} // namespace

void read_humanoid(const VrmExtension& extension, scene::Scene& scene)
{
    HumanoidReader(extension, scene).run();
}

} // namespace vitrine::vrm
