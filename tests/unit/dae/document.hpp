#pragma once
// COLLADA documents assembled from the parts under test.

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "loaders/dae/dae.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::dae::test {

struct Document {
    std::string asset = "<up_axis>Y_UP</up_axis>";
    std::string libraries = "";
    std::string nodes = ""; // inside the visual scene
    std::string scene = "<scene><instance_visual_scene url='#scene'/></scene>";

    std::string text() const
    {
        return "<?xml version='1.0'?>\n<COLLADA version='1.4.1'><asset>" + asset + "</asset>" + libraries +
               "<library_visual_scenes><visual_scene id='scene'>" + nodes +
               "</visual_scene></library_visual_scenes>" + scene + "</COLLADA>";
    }
};

inline LoadResult<scene::Scene> load(const std::string& text, const Limits& limits = {},
                                     std::map<std::string, std::string> files = {})
{
    files["model.dae"] = text;
    vitrine::test::MemorySource source("model.dae", std::move(files));
    return load_dae(source, limits);
}

// Returns a valid scene, or fails the test and returns an empty one.
inline scene::Scene loaded(const std::string& text, std::map<std::string, std::string> files = {})
{
    return vitrine::test::valid(load(text, {}, std::move(files)));
}

inline std::string source(const std::string& id, const std::string& numbers, int count, int stride,
                          const std::string& params = "")
{
    return "<source id='" + id + "'><float_array id='" + id + "-array' count='" +
           std::to_string(count * stride) + "'>" + numbers +
           "</float_array><technique_common><accessor source='#" + id + "-array' count='" +
           std::to_string(count) + "' stride='" + std::to_string(stride) + "'>" + params +
           "</accessor></technique_common></source>";
}

inline std::string names(const std::string& id, const std::string& words,
                         const std::string& kind = "Name_array")
{
    return "<source id='" + id + "'><" + kind + " id='" + id + "-array' count='9'>" + words + "</" + kind +
           "></source>";
}

// A controller that morphs a geometry. Its sources have the ids `prefix`t and `prefix`w.
struct MorphXml {
    std::string targets, weights; // ids of geometries or controllers; numbers
    int weight_count = 1;
    std::string method{}; // empty: no attribute
    std::string id = "c";
    std::string of = "g";
    std::string prefix = "m";

    std::string text() const
    {
        return "<controller id='" + id + "'><morph source='#" + of + "'" +
               (method.empty() ? "" : " method='" + method + "'") + ">" +
               names(prefix + "t", targets, "IDREF_array") + source(prefix + "w", weights, weight_count, 1) +
               "<targets><input semantic='MORPH_TARGET' source='#" + prefix +
               "t'/><input semantic='MORPH_WEIGHT' source='#" + prefix +
               "w'/></targets></morph></controller>";
    }
};

// A geometry of a unit square in z = 0, or of other positions, with the given primitives.
inline std::string geometry(const std::string& id, const std::string& primitives,
                            const std::string& more = "",
                            const std::string& points = "0 0 0 1 0 0 1 1 0 0 1 0", int count = 4)
{
    return "<geometry id='" + id + "'><mesh>" + source(id + "-p", points, count, 3) + more +
           "<vertices id='" + id + "-v'><input semantic='POSITION' source='#" + id + "-p'/></vertices>" +
           primitives + "</mesh></geometry>";
}

inline std::string triangles(const std::string& id, const std::string& p, const std::string& inputs = "",
                             const std::string& attributes = "")
{
    return "<triangles count='1' " + attributes + "><input semantic='VERTEX' source='#" + id +
           "-v' offset='0'/>" + inputs + "<p>" + p + "</p></triangles>";
}

inline std::string square(const std::string& id)
{
    return geometry(id, triangles(id, "0 1 2 0 2 3"));
}

inline std::string library(const std::string& name, const std::string& content)
{
    return "<library_" + name + ">" + content + "</library_" + name + ">";
}

inline bool warns(const scene::Scene& scene, std::string_view code)
{
    return std::ranges::any_of(scene.warnings,
                               [&](const auto& w) { return w.code == code && !w.where.empty(); });
}

} // namespace vitrine::dae::test
