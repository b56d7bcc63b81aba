#pragma once
// A skin of four vertices and its two joints, and documents that show it.

#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {

inline const std::string identity = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";

struct Skin {
    std::string bind_shape = identity;
    std::string joints = names("j", "A B");
    std::string binds = source("b", identity + " 1 0 0 0 0 1 0 0 0 0 1 -5 0 0 0 1", 2, 16,
                               "<param name='TRANSFORM' type='float4x4'/>");
    std::string weights = source("w", "1 0.5", 2, 1);
    std::string inputs =
        "<input semantic='JOINT' source='#j' offset='0'/><input semantic='WEIGHT' source='#w' offset='1'/>";
    std::string vcount = "1 2 1 0";
    std::string v = "0 0  0 1 1 1  1 0";

    std::string text() const
    {
        return "<controller id='c'><skin source='#g'><bind_shape_matrix>" + bind_shape +
               "</bind_shape_matrix>" + joints + binds + weights +
               "<joints><input semantic='JOINT' source='#j'/><input semantic='INV_BIND_MATRIX' "
               "source='#b'/></joints>"
               "<vertex_weights count='4'>" +
               inputs + "<vcount>" + vcount + "</vcount><v>" + v +
               "</v></vertex_weights></skin></controller>";
    }
};

inline const std::string skeleton =
    "<node id='root' sid='root'><node id='idA' name='a' sid='A' type='JOINT'/><node id='idB' "
    "name='b' sid='B' type='JOINT'><translate>0 0 5</translate></node></node>";

// Seven units to the left of the joints' bind pose.
inline const std::string moved_skeleton = "<node><translate>-7 0 0</translate>" + skeleton + "</node>";

// The square with this skin at node "m".
inline scene::Scene of_skin(const Skin& skin, const std::string& skeletons = "<skeleton>#root</skeleton>",
                            const std::string& joints = skeleton)
{
    return loaded(
        Document{.libraries = library("geometries", square("g")) + library("controllers", skin.text()),
                 .nodes = joints + "<node id='m'><instance_controller url='#c'>" + skeletons +
                          "</instance_controller></node>"}
            .text());
}

} // namespace vitrine::dae::test
