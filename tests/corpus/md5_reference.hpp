#pragma once
// An MD5 evaluator written for the tests from the text of the format alone, in doubles and without any of the
// loader's code: whoever changes the loader has something to be held against.

#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace vitrine::test::md5 {

struct Joint {
    std::string name;
    int parent = -1;
    glm::dvec3 position{0.0};
    glm::dquat orientation{1.0, 0.0, 0.0, 0.0};
    int flags = 0;
    int start = 0;
};

struct Weight {
    int joint = 0;
    double bias = 0.0;
    glm::dvec3 position{0.0};
};

struct Mesh {
    std::vector<std::pair<int, int>> vertices; // first weight, count
    std::vector<Weight> weights;
    int triangles = 0;
};

struct Model {
    std::vector<Joint> joints; // model space
    std::vector<Mesh> meshes;
};

struct ReferenceAnimation {
    double rate = 24.0;
    std::vector<Joint> joints; // base frame, parent space
    std::vector<std::vector<double>> frames;
};

// Words in order; quotes and comments are gone, brackets are words.
std::vector<std::string> words_of(const std::string& text);
Model read_model(const std::string& text);
ReferenceAnimation read_animation(const std::string& text);

// Parent-space joints of a frame, in the animation's order.
std::vector<Joint> joints_at(const ReferenceAnimation& animation, std::size_t frame);
// Halfway positions: translations mixed, orientations by slerp.
std::vector<Joint> mixed(const std::vector<Joint>& a, const std::vector<Joint>& b, double t);
// The model's joints in model space, moved by parent-space joints of the same names.
std::vector<Joint> posed(const Model& model, const std::vector<Joint>& locals);
std::vector<glm::dvec3> positions_of(const Mesh& mesh, const std::vector<Joint>& joints);

} // namespace vitrine::test::md5
