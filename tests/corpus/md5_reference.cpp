#include "tests/corpus/md5_reference.hpp"

#include <algorithm>

namespace vitrine::test::md5 {
namespace {

glm::dquat with_w(double x, double y, double z)
{
    return glm::normalize(glm::dquat(-std::sqrt(std::max(0.0, 1.0 - x * x - y * y - z * z)), x, y, z));
}

// A cursor over the words; "( x y z )" and plain numbers.
struct Cursor {
    const std::vector<std::string>& words;
    std::size_t at = 0;

    const std::string& word() { return words.at(at++); }
    double number() { return std::strtod(word().c_str(), nullptr); }
    int integer() { return static_cast<int>(number()); }
    glm::dvec3 vec3()
    {
        word();
        const double x = number(), y = number(), z = number();
        word();
        return {x, y, z};
    }
    glm::dquat quat()
    {
        const glm::dvec3 v = vec3();
        return with_w(v.x, v.y, v.z);
    }
};

// Reads "{ NAME PARENT ... }"; `read_rest` reads what follows the parent of a joint.
template <class ReadRest>
void read_joints(Cursor& in, std::vector<Joint>& joints, ReadRest read_rest)
{
    in.word();
    while (in.words.at(in.at) != "}") {
        Joint joint;
        joint.name = in.word();
        joint.parent = in.integer();
        read_rest(joint);
        joints.push_back(joint);
    }
}

} // namespace

std::vector<std::string> words_of(const std::string& text)
{
    std::vector<std::string> words;
    std::string word;
    bool quoted = false;
    const auto flush = [&] {
        if (!word.empty()) words.push_back(word);
        word.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool bracket = std::string_view("(){}").contains(c);
        const bool comment = std::string_view(text).substr(i).starts_with("//");
        if (c == '"') {
            if (quoted && word.empty()) words.push_back("");
            flush();
            quoted = !quoted;
        } else if (quoted || (c > ' ' && !bracket && !comment)) {
            word += c;
        } else {
            flush();
            if (bracket) words.emplace_back(1, c);
            if (comment) i = std::min(text.find('\n', i), text.size());
        }
    }
    flush();
    return words;
}

Model read_model(const std::string& text)
{
    const auto words = words_of(text);
    Cursor in{words};
    Model model;
    while (in.at < words.size()) {
        const std::string word = in.word();
        if (word == "commandline" || word == "shader") {
            in.word();
        } else if (word == "joints") {
            read_joints(in, model.joints, [&](Joint& joint) {
                joint.position = in.vec3();
                joint.orientation = in.quat();
            });
        } else if (word == "mesh") {
            model.meshes.emplace_back();
        } else if (word == "vert") {
            in.word();
            for (int i = 0; i < 4; ++i)
                in.word(); // ( u v )
            const int first = in.integer(), count = in.integer();
            model.meshes.back().vertices.emplace_back(first, count);
        } else if (word == "tri") {
            ++model.meshes.back().triangles;
            in.at += 4;
        } else if (word == "weight") {
            in.word();
            const int joint = in.integer();
            const double bias = in.number();
            model.meshes.back().weights.push_back({joint, bias, in.vec3()});
        }
    }
    return model;
}

ReferenceAnimation read_animation(const std::string& text)
{
    const auto words = words_of(text);
    Cursor in{words};
    ReferenceAnimation animation;
    while (in.at < words.size()) {
        const std::string word = in.word();
        if (word == "commandline") {
            in.word();
        } else if (word == "frameRate") {
            animation.rate = in.number();
        } else if (word == "hierarchy") {
            read_joints(in, animation.joints, [&](Joint& joint) {
                joint.flags = in.integer();
                joint.start = in.integer();
            });
        } else if (word == "baseframe") {
            in.word();
            for (Joint& joint : animation.joints) {
                joint.position = in.vec3();
                const glm::dvec3 xyz = in.vec3();
                joint.orientation = glm::dquat(0.0, xyz.x, xyz.y, xyz.z); // w once the frame is known
            }
        } else if (word == "frame") {
            in.word();
            in.word();
            animation.frames.emplace_back();
            while (words.at(in.at) != "}")
                animation.frames.back().push_back(in.number());
        }
    }
    return animation;
}

std::vector<Joint> joints_at(const ReferenceAnimation& animation, std::size_t frame)
{
    std::vector<Joint> joints = animation.joints;
    for (Joint& joint : joints) {
        double v[6] = {joint.position.x,    joint.position.y,    joint.position.z,
                       joint.orientation.x, joint.orientation.y, joint.orientation.z};
        auto next = static_cast<std::size_t>(joint.start);
        for (int bit = 0; bit < 6; ++bit) {
            if (joint.flags & (1 << bit)) v[bit] = animation.frames.at(frame).at(next++);
        }
        joint.position = {v[0], v[1], v[2]};
        joint.orientation = with_w(v[3], v[4], v[5]);
    }
    return joints;
}

std::vector<Joint> mixed(const std::vector<Joint>& a, const std::vector<Joint>& b, double t)
{
    std::vector<Joint> out = a;
    for (std::size_t j = 0; j < out.size(); ++j) {
        out[j].position = glm::mix(a[j].position, b[j].position, t);
        out[j].orientation = glm::slerp(a[j].orientation, b[j].orientation, t);
    }
    return out;
}

std::vector<Joint> posed(const Model& model, const std::vector<Joint>& locals)
{
    std::map<std::string, Joint> by_name;
    for (const Joint& local : locals)
        by_name[local.name] = local;
    std::vector<Joint> joints = model.joints;
    for (Joint& joint : joints) {
        const Joint& local = by_name.at(joint.name);
        joint.position = local.position;
        joint.orientation = local.orientation;
        if (joint.parent < 0) continue;
        const Joint& parent = joints.at(static_cast<std::size_t>(joint.parent));
        joint.position = parent.position + parent.orientation * local.position;
        joint.orientation = parent.orientation * local.orientation;
    }
    return joints;
}

std::vector<glm::dvec3> positions_of(const Mesh& mesh, const std::vector<Joint>& joints)
{
    std::vector<glm::dvec3> positions;
    for (const auto& [first, count] : mesh.vertices) {
        glm::dvec3 sum{0.0};
        for (int i = first; i < first + count; ++i) {
            const Weight& weight = mesh.weights.at(static_cast<std::size_t>(i));
            const Joint& joint = joints.at(static_cast<std::size_t>(weight.joint));
            sum += weight.bias * (joint.position + joint.orientation * weight.position);
        }
        positions.push_back(sum);
    }
    return positions;
}

} // namespace vitrine::test::md5
