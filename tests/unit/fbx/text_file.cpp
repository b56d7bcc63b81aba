#include "tests/unit/fbx/text_file.hpp"

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test::fbx {

scene::Scene load(const std::string& text, const ExtrapolationOptions& extrapolation)
{
    test::MemorySource source("model.fbx", {{"model.fbx", text}});
    return valid(load_fbx(source, Limits{}, extrapolation));
}

std::string version_7(const std::string& objects, const std::string& connections, const std::string& settings)
{
    return "; FBX 7.4.0 project file\nFBXHeaderExtension: { FBXVersion: 7400 }\n"
           "GlobalSettings: { Properties70: {\n P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n" +
           settings + " } }\nObjects: {\n" + objects + "}\nConnections: {\n" + connections + "}\n";
}

std::string model(int id, const std::string& name, const std::string& properties)
{
    return "Model: " + std::to_string(id) + ", \"Model::" + name + "\", \"Null\" { Properties70: {\n" +
           properties + "} }\n";
}

std::string vec3(const std::string& name, const std::string& xyz)
{
    return "P: \"" + name + "\", \"Vector3D\", \"Vector\", \"A\"," + xyz + "\n";
}

std::string inherit(int type)
{
    return "P: \"InheritType\", \"enum\", \"\", \"\"," + std::to_string(type) + "\n";
}

std::string curve(int id, const std::string& times, const std::string& values, const std::string& ends)
{
    const auto count = std::to_string(1 + std::ranges::count(times, ','));
    std::string in_ticks, at;
    for (const char c : times + ",") {
        if (c != ',') {
            at += c;
            continue;
        }
        in_ticks += std::to_string(std::stoll(at) * 46'186'158'000) + ",";
        at.clear();
    }
    in_ticks.pop_back();
    return "AnimationCurve: " + std::to_string(id) + ", \"AnimCurve::\", \"\" { KeyTime: *" + count +
           " { a: " + in_ticks + " } KeyValueFloat: *" + count + " { a: " + values +
           " } KeyAttrFlags: *1 { a: 4 } KeyAttrDataFloat: *4 { a: 0,0,0,0 } KeyAttrRefCount: *1 { a: " +
           count + " } " + ends + " }\n";
}

std::string node(int id)
{
    return "AnimationCurveNode: " + std::to_string(id) + ", \"AnimCurveNode::T\", \"\" { }\n";
}

std::string connect(int source, int destination)
{
    return "C: \"OO\"," + std::to_string(source) + "," + std::to_string(destination) + "\n";
}

const std::string stack = "AnimationStack: 90, \"AnimStack::walk\", \"\" { Properties70: {\n"
                          "P: \"LocalStart\", \"KTime\", \"Time\", \"\",46186158000\n"
                          "P: \"LocalStop\", \"KTime\", \"Time\", \"\",138558474000\n} }\n"
                          "AnimationLayer: 91, \"AnimLayer::base\", \"\" { }\n";
const std::string stack_connections = "C: \"OO\",91,90\n";

std::uint32_t find(const scene::Scene& scene, std::string_view name)
{
    for (std::uint32_t n = 0; n < scene.nodes.size(); ++n)
        if (scene.nodes[n].name == name) return n;
    ADD_FAILURE() << "no node " << name;
    return 0;
}

glm::mat4 model_matrix(const scene::Scene& scene, std::string_view name, double time)
{
    scene::Pose pose;
    scene::sample_curves(scene, time < 0.0 ? scene::none : 0, time, ExtrapolationPolicy::extrapolated, pose);
    return pose.model[find(scene, name)];
}

void expect_near(const glm::mat4& found, const glm::mat4& wanted)
{
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 4; ++r)
            EXPECT_NEAR(found[c][r], wanted[c][r], 2e-5f) << "column " << c << " row " << r;
}

glm::mat4 moved(float x, float y, float z)
{
    return glm::translate(glm::mat4(1.0f), {x, y, z});
}
glm::mat4 turned_z(float degrees)
{
    return glm::rotate(glm::mat4(1.0f), glm::radians(degrees), {0, 0, 1});
}
glm::mat4 scaled(float x, float y, float z)
{
    return glm::scale(glm::mat4(1.0f), {x, y, z});
}

std::vector<std::string> codes(const scene::Scene& scene)
{
    std::vector<std::string> out;
    for (const scene::Warning& warning : scene.warnings)
        out.push_back(warning.code);
    return out;
}

} // namespace vitrine::test::fbx
