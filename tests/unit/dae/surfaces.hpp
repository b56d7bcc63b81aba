#pragma once
// A triangle with two sets of texture coordinates and one material, with parts supplied by the test.

#include <string>

#include <gtest/gtest.h>

#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {

// 1 x 1, BMP with 24 bits: blue, green, red.
inline std::string picture(char red, char green, char blue)
{
    std::string bmp(58, '\0');
    bmp.replace(0, 2, "BM");
    bmp[2] = 58;
    bmp[10] = 54;
    bmp[14] = 40;
    bmp[18] = 1;
    bmp[22] = 1;
    bmp[26] = 1;
    bmp[28] = 24;
    bmp[54] = blue;
    bmp[55] = green;
    bmp[56] = red;
    return bmp;
}

struct Surface {
    std::string shader = "<lambert><diffuse><color>1 0 0 1</color></diffuse></lambert>";
    std::string parameters = "";
    std::string images = "";
    std::string instance = ""; // inside instance_effect
    std::string extra = "";
    std::string bind =
        "<bind_material><technique_common><instance_material symbol='m' target='#mat'><bind_vertex_input "
        "semantic='UV0' input_semantic='TEXCOORD' input_set='1'/></instance_material></technique_common>"
        "</bind_material>";
    std::string asset = "";

    std::string text() const
    {
        const std::string more = source("t0", "0 0 0 0 0 0", 3, 2) + source("t1", "1 0 1 0 1 0", 3, 2);
        const std::string inputs =
            "<input semantic='TEXCOORD' source='#t0' offset='0' set='0'/><input semantic='TEXCOORD' "
            "source='#t1' offset='0' set='1'/>";
        return Document{
            .asset = asset,
            .libraries =
                library("images", images) +
                library("materials", "<material id='mat' name='Red'><instance_effect url='#fx'>" + instance +
                                         "</instance_effect></material>") +
                library("effects", "<effect id='fx'><profile_COMMON>" + parameters +
                                       "<technique sid='common'>" + shader + "</technique>" + extra +
                                       "</profile_COMMON></effect>") +
                library("geometries", geometry("g", triangles("g", "0 1 2", inputs, "material='m'"), more)),
            .nodes = "<node><instance_geometry url='#g'>" + bind + "</instance_geometry></node>"}
            .text();
    }
};

inline scene::Material material(const Surface& surface)
{
    const scene::Scene scene = loaded(surface.text());
    EXPECT_EQ(scene.materials.size(), 1u);
    return scene.materials.empty() ? scene::Material{} : scene.materials[0];
}

inline std::string lambert(const std::string& more)
{
    return "<lambert><diffuse><color>1 1 1 1</color></diffuse>" + more + "</lambert>";
}

} // namespace vitrine::dae::test
