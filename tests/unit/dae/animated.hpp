#pragma once
// An animated node for tests.

#include <string>

#include <glm/glm.hpp>

#include "loaders/scene/motion/pose.hpp"
#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {

// An <animation> with one sampler and one channel.
struct AnimationXml {
    std::string id;
    std::string target;
    std::string times;
    std::string values;
    int keys = 2;
    int stride = 1;
    std::string kinds = "LINEAR LINEAR";
    std::string more = ""; // sources and inputs of tangents
    std::string inputs = "";
    std::string attributes = ""; // of the sampler

    std::string text() const
    {
        return "<animation id='" + id + "'>" + source(id + "i", times, keys, 1) +
               source(id + "o", values, keys, stride) + names(id + "k", kinds) + more + "<sampler id='" + id +
               "s'" + attributes + "><input semantic='INPUT' source='#" + id +
               "i'/><input semantic='OUTPUT' source='#" + id +
               "o'/><input semantic='INTERPOLATION' source='#" + id + "k'/>" + inputs +
               "</sampler><channel source='#" + id + "s' target='" + target + "'/></animation>";
    }
};

inline std::string document(const std::string& nodes, const std::string& animations,
                            const std::string& more = "")
{
    return Document{.libraries =
                        library("geometries", square("g")) + library("animations", animations) + more,
                    .nodes = nodes}
        .text();
}

inline glm::mat4 model_at(const scene::Scene& scene, double time, std::size_t node, std::uint32_t clip = 0)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    return pose.model.at(node);
}

inline glm::vec3 place_at(const scene::Scene& scene, double time, const glm::vec3& point = glm::vec3(0.0f))
{
    return glm::vec3(model_at(scene, time, scene.nodes.size() - 1) * glm::vec4(point, 1.0f));
}

inline void expect_near(const glm::vec3& a, const glm::vec3& b, float slack = 1e-4f)
{
    EXPECT_LE(glm::length(a - b), slack)
        << a.x << " " << a.y << " " << a.z << " and " << b.x << " " << b.y << " " << b.z;
}

inline const std::string node =
    "<node id='n'><translate sid='t'>1 2 3</translate><rotate sid='r'>0 0 1 0</rotate><scale sid='s'>1 "
    "1 1</scale></node>";

} // namespace vitrine::dae::test
