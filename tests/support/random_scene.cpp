#include "tests/support/random_scene.hpp"

#include <random>

#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::test {

using namespace vitrine::scene;

namespace {

class Builder {
public:
    Builder(std::uint32_t seed, RandomSceneOptions options) : random_(seed), options_(options) {}

    Scene build()
    {
        scene_.format = "random";
        for (std::uint32_t i = 0; i < 8; ++i)
            add_node(i);
        scene_.skins.push_back({.name = "skin", .joints = {1, 2, 3, 5}, .inverse_bind = {}});
        scene_.skins[0].method = options_.skinning;
        for (std::size_t j = 0; j < 4; ++j)
            scene_.skins[0].inverse_bind.push_back(affine());
        add_mesh(0);
        add_mesh(3);
        draw(4, 0, 0);
        draw(6, 1, 0);
        draw(7, 0, none);
        add_clip();
        return std::move(scene_);
    }

private:
    float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
    std::uint32_t below(std::uint32_t n)
    {
        return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random_);
    }
    glm::vec3 vector(float size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
    glm::quat rotation()
    {
        return glm::normalize(glm::quat(number(0.1f, 1), number(-1, 1), number(-1, 1), number(-1, 1)));
    }
    glm::mat4 affine()
    {
        glm::mat4 m(1.0f);
        for (int c = 0; c < 4; ++c)
            m[c] = glm::vec4(vector(1.5f), c == 3 ? 1.0f : 0.0f);
        return m;
    }

    void add_node(std::uint32_t i)
    {
        Node node;
        node.name = "node " + std::to_string(i);
        node.parent = i == 0 ? none : below(i);
        node.local = {vector(2.0f), rotation(), vector(1.5f)};
        if (i == 3) node.matrix = affine();
        scene_.nodes.push_back(node);
    }

    void add_mesh(std::uint32_t frames)
    {
        Mesh mesh;
        for (int v = 0; v < 40; ++v)
            mesh.positions.push_back(vector(3.0f) + glm::vec3(5, 0, 0));
        for (int i = 0; i < 60; ++i)
            mesh.indices.push_back(below(38)); // the last two are unused
        mesh.positions[39] = glm::vec3(1000.0f);
        mesh.primitives.push_back(
            {.topology = Topology::triangles, .first = 0, .count = 60, .material = none});
        compute_normals(mesh);
        add_influences(mesh);
        for (int t = 0; t < 3; ++t)
            add_target(mesh);
        mesh.frames.count = frames;
        for (std::size_t i = 0; i < std::size_t{frames} * 40; ++i) {
            mesh.frames.positions.push_back(vector(3.0f));
            mesh.frames.normals.emplace_back(0, 0, 1);
        }
        scene_.meshes.push_back(std::move(mesh));
    }

    void add_influences(Mesh& mesh)
    {
        Influences& in = mesh.influences;
        in.first.push_back(0);
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const std::size_t begin = in.weights.size(), count = below(11);
            for (std::size_t i = 0; i < count; ++i) {
                in.joints.push_back(static_cast<std::uint16_t>(below(4)));
                in.weights.push_back(number(0, 1));
                if (options_.own_positions) in.positions.push_back(vector(2.0f));
            }
            adjust(std::span(in.weights).subspan(begin));
            if (options_.skinning == SkinningMethod::blended)
                in.dual_quaternion_weights.push_back(v % 3 == 0 ? 0.0f : number(0, 1));
            in.first.push_back(static_cast<std::uint32_t>(in.weights.size()));
        }
    }

    void adjust(std::span<float> weights)
    {
        const std::uint32_t kind = options_.normalized_weights ? 0 : below(4);
        float sum = 0.0f;
        for (const float w : weights)
            sum += w;
        for (float& w : weights) {
            if (kind == 0) w /= sum;
            if (kind == 1) w -= 0.5f;
            if (kind == 2) w = 0.0f;
        }
    }

    void add_target(Mesh& mesh)
    {
        MorphTarget target;
        for (int i = 0; i < 15; ++i) {
            target.vertices.push_back(below(40));
            target.position_deltas.push_back(vector(1.0f));
            target.normal_deltas.push_back(vector(0.2f));
        }
        mesh.morph_targets.push_back(std::move(target));
        mesh.morph_weights.push_back(number(-1, 1));
    }

    void draw(std::size_t node, std::uint32_t mesh, std::uint32_t skin)
    {
        scene_.nodes[node].mesh = mesh;
        scene_.nodes[node].skin = skin;
    }

    void extrapolate(Channel& channel)
    {
        channel.before = {.mode = static_cast<ExtrapolationMode>(below(5)), .repeats = none};
        channel.after = {.mode = static_cast<ExtrapolationMode>(below(5)),
                         .repeats = below(2) == 0 ? none : below(3)};
    }

    void add_channel(std::uint32_t node, Path path, std::size_t components)
    {
        Channel channel{.node = node,
                        .path = path,
                        .interpolation = static_cast<Interpolation>(below(3)),
                        .times = {},
                        .values = {}};
        float time = number(-0.2f, 0.5f);
        for (int k = 0; k < 5; ++k, time += number(0.05f, 0.6f))
            channel.times.push_back(time);
        const std::size_t groups = channel.interpolation == Interpolation::cubic ? 3 : 1;
        for (std::size_t i = 0; i < 5 * groups * components; ++i)
            channel.values.push_back(number(-2, 2));
        if (options_.extrapolated) extrapolate(channel);
        scene_.clips[0].channels.push_back(std::move(channel));
    }

    void add_clip()
    {
        scene_.clips.push_back({.name = "noise", .duration = 1.5, .channels = {}});
        for (const std::uint32_t node : {0u, 1u, 2u, 4u, 5u, 7u}) {
            add_channel(node, Path::translation, 3);
            add_channel(node, Path::rotation, 4);
            add_channel(node, Path::scale, 3);
        }
        for (const std::uint32_t node : {4u, 6u, 7u})
            add_channel(node, Path::weights, 3);
        add_channel(6, Path::vertex_frame, 1);
    }

    std::mt19937 random_;
    RandomSceneOptions options_;
    Scene scene_;
};

} // namespace

Scene random_scene(std::uint32_t seed, RandomSceneOptions options)
{
    return Builder(seed, options).build();
}

void remove_shapes(Scene& scene)
{
    for (scene::Node& node : scene.nodes)
        node.morph_weights.clear();
    for (scene::Mesh& mesh : scene.meshes) {
        mesh.frames = {};
        mesh.morph_targets.clear();
        mesh.morph_weights.clear();
    }
}

} // namespace vitrine::test
