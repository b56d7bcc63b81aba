#pragma once
// FBX files of version 7 from short texts, loaded completely, and queries of the scene.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/fbx/fbx.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::test::fbx {

// Returns a valid scene, or fails the test.
scene::Scene load(const std::string& text, const ExtrapolationOptions& extrapolation = {});

// A file in meters: its objects, its connections, further settings.
std::string version_7(const std::string& objects, const std::string& connections,
                      const std::string& settings = {});

// A "Null" with properties.
std::string model(int id, const std::string& name, const std::string& properties = {});
std::string vec3(const std::string& name, const std::string& xyz);
std::string inherit(int type);

// A linear curve; times in whole seconds.
std::string curve(int id, const std::string& times, const std::string& values, const std::string& ends = {});
// A curve node.
std::string node(int id);
// "OO"; and the concatenated results of a function for 0, 1, ...
std::string connect(int source, int destination);
template <class Function>
std::string repeated(int count, Function text_of)
{
    std::string all;
    for (int i = 0; i < count; ++i)
        all += text_of(i);
    return all;
}
// Stack 90 from second 1 to 3 with layer 91.
extern const std::string stack;
extern const std::string stack_connections;

std::uint32_t find(const scene::Scene& scene, std::string_view name);
// Of the static pose when the time is negative, else of the first clip.
glm::mat4 model_matrix(const scene::Scene& scene, std::string_view name, double time = -1.0);
void expect_near(const glm::mat4& found, const glm::mat4& wanted);
glm::mat4 moved(float x, float y, float z);
glm::mat4 turned_z(float degrees);
glm::mat4 scaled(float x, float y, float z);

// Codes of the warnings.
std::vector<std::string> codes(const scene::Scene& scene);

} // namespace vitrine::test::fbx
