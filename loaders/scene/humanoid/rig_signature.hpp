#pragma once
// What tells which clips fit which characters, small enough to compare a clip with all characters of a
// library.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

struct JointSet {
    std::vector<std::uint32_t> names; // hashes of names without namespace and case; ascending, each once
    std::uint64_t bones = 0;          // bit b: HumanBone b; 0: no humanoid

    bool operator==(const JointSet&) const = default;
};

// Names of all sets of a signature; later clips are left out of it.
inline constexpr std::size_t max_rig_names = 8192;

struct RigSignature {
    JointSet joints;                  // of skins, without skins of all nodes; empty: nothing is drawn
    std::vector<JointSet> moved;      // joints that clips move, each set once
    std::vector<std::uint32_t> clips; // by clip: index into `moved`

    bool operator==(const RigSignature&) const = default;
};

// FNV-1a of the name of a joint without its namespace, in lower case.
std::uint32_t joint_name_hash(std::string_view name);

// At most 1024 joints, 64 sets and 4096 clips. Requires a validated scene.
RigSignature rig_signature(const Scene& scene);

std::string to_text(const RigSignature& rig);
// nullopt: not the text of a signature.
std::optional<RigSignature> parse_rig_signature(std::string_view text);

struct ClipFit {
    double share = 0.0; // 0 .. 1, of the joints that the clip moves
    bool by_role = false;
};

// How much of a clip fits a character: by names as fit_clip() binds it if half of them are known, else by the
// bones of both.
ClipFit fit_of(const JointSet& character, const JointSet& moved);

} // namespace vitrine::scene
