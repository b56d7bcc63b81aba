// bench_scene: the loops of loaders/scene/arrays and their users, compared with plain loops and with Google
// Highway (if libhwy-dev was installed when this was configured) over the same data in the same run, on one
// thread. "SSE2" is what runs on a processor without AVX2. Minima of many runs; in parentheses the speed
// relative to the plain loop.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <span>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/arrays/arrays.hpp"
#include "loaders/scene/arrays/loops.hpp"
#include "loaders/scene/bounds/joint_boxes.hpp"
#include "tests/bench/scene/highway_loops.hpp"
#include "tests/support/plain_loops.hpp"

namespace {

using namespace vitrine;
namespace plain = test::plain;
namespace highway = bench::highway;

constexpr int runs = 25;
constexpr double min_run_seconds = 0.5e-3; // shorter work is repeated
constexpr std::uint32_t joints = 80;
constexpr std::uint32_t influences_per_vertex = 4;

#ifdef VITRINE_HAS_HIGHWAY
constexpr bool has_highway = true;
#else
constexpr bool has_highway = false;
#endif

struct Work {
    const char* name;
    std::function<bool()> run; // false: a wrong result
};

// Of this thread, so that waiting for a processor does not count.
double processor_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of(const Work& work, int repetitions)
{
    const double start = processor_seconds();
    for (int i = 0; i < repetitions; ++i)
        if (!work.run()) std::printf("%s: WRONG RESULT\n", work.name);
    return (processor_seconds() - start) / repetitions;
}

// The first work is the plain loop. They take turns, so that load by other processes affects them equally.
void compare(const char* what, const std::vector<Work>& works)
{
    std::vector<int> repetitions;
    for (const Work& work : works)
        repetitions.push_back(std::max(1, static_cast<int>(min_run_seconds / seconds_of(work, 1))));
    std::vector<double> best(works.size(), 1e9);
    for (int run = 0; run < runs; ++run)
        for (std::size_t i = 0; i < works.size(); ++i)
            best[i] = std::min(best[i], seconds_of(works[i], repetitions[i]));
    std::printf("  %-22s", what);
    for (std::size_t i = 0; i < works.size(); ++i)
        std::printf("  %s %7.3f ms (%5.2f)", works[i].name, best[i] * 1e3, best[0] / best[i]);
    std::printf("\n");
}

void add_influences(scene::Influences& influences, float height)
{
    const float at = height * static_cast<float>(joints - 1);
    const auto nearest = static_cast<std::uint32_t>(at);
    for (std::uint32_t k = 0; k < influences_per_vertex; ++k) {
        influences.joints.push_back(static_cast<std::uint16_t>(std::min(nearest + k, joints - 1)));
        influences.weights.push_back(k == 0 ? 0.4f : 0.2f);
    }
    influences.first.push_back(static_cast<std::uint32_t>(influences.joints.size()));
}

void add_skin(scene::Scene& scene)
{
    scene::Skin skin;
    for (std::uint32_t j = 0; j < joints; ++j) {
        scene::Node joint;
        if (j > 0) joint.parent = j; // node 0 draws the mesh
        joint.local.translation = {0.0f, 1.0f / static_cast<float>(joints), 0.0f};
        joint.local.rotation = glm::angleAxis(0.02f, glm::vec3(0.0f, 0.0f, 1.0f));
        scene.nodes.push_back(joint);
        skin.joints.push_back(j + 1);
        skin.inverse_bind.emplace_back(1.0f);
    }
    scene.skins.push_back(skin);
    scene.nodes[0].skin = 0;
}

// A closed tube of side x side vertices, all of which triangles use.
scene::Scene tube(std::uint32_t side, bool skinned)
{
    scene::Scene scene;
    scene::Mesh& mesh = scene.meshes.emplace_back();
    if (skinned) mesh.influences.first.push_back(0);
    for (std::uint32_t v = 0; v < side * side; ++v) {
        const float height = static_cast<float>(v / side) / static_cast<float>(side - 1);
        const float angle = 6.2831853f * static_cast<float>(v % side) / static_cast<float>(side);
        mesh.positions.emplace_back(0.3f * std::cos(angle), height, 0.3f * std::sin(angle));
        mesh.normals.emplace_back(std::cos(angle), 0.0f, std::sin(angle));
        if (skinned) add_influences(mesh.influences, height);
    }
    for (std::uint32_t v = 0; v < side * (side - 1); ++v) {
        const std::uint32_t next = v % side + 1 == side ? v + 1 - side : v + 1;
        mesh.indices.insert(mesh.indices.end(), {v, v + side, next, next, v + side, next + side});
    }
    mesh.primitives = {{.count = static_cast<std::uint32_t>(mesh.indices.size())}};
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.nodes[0].local.rotation = glm::angleAxis(0.5f, glm::vec3(0.0f, 0.0f, 1.0f));
    if (skinned) add_skin(scene);
    return scene;
}

struct PosedMesh {
    explicit PosedMesh(const scene::Scene& of)
        : mesh(of.meshes[0]), instances(find_instances(of)), palette(palette_size(instances)),
          expected(mesh.positions.size()), out(mesh.positions.size())
    {
        static_pose(of, pose);
        joint_palette(of, instances, pose, palette);
        for (const scene::PaletteEntry& entry : palette)
            matrices.push_back(scene::to_joint_matrix(entry.row));
    }

    bool is_expected() const { return out.front() == expected.front() && out.back() == expected.back(); }

    const scene::Mesh& mesh;
    std::vector<scene::Instance> instances;
    scene::Pose pose;
    std::vector<scene::PaletteEntry> palette;
    std::vector<scene::JointMatrix> matrices;
    std::vector<glm::vec3> expected, out;
};

// "Highway" only if it is there; `run` is a generic lambda, which is compiled only then.
template <class Run>
void compare(const char* what, const std::function<bool()>& plain_loop, const std::function<bool()>& vitrine,
             const std::function<bool()>& sse2, const Run& run)
{
    std::vector<Work> works{{"plain", plain_loop}, {"Vitrine", vitrine}, {"SSE2", sse2}};
    if constexpr (has_highway) works.push_back({"Highway", [&] { return run(0); }});
    compare(what, works);
}

void bench_checks(const scene::Mesh& mesh)
{
    const std::span positions(&mesh.positions[0].x, mesh.positions.size() * 3);
    const auto count = static_cast<std::uint32_t>(mesh.positions.size());
    const std::span<const std::uint32_t> indices(mesh.indices), first(mesh.influences.first);
    const std::span<const std::uint16_t> used(mesh.influences.joints);
    compare(
        "finite positions", [=] { return plain::all_finite(positions); },
        [=] { return scene::all_finite(positions); }, [=] { return scene::loops::all_finite(positions); },
        [=](auto) { return highway::all_finite(positions); });
    compare(
        "indices in range", [=] { return plain::all_below(indices, count); },
        [=] { return scene::all_below(indices, count); },
        [=] { return scene::loops::all_below(indices, count); },
        [=](auto) { return highway::all_below(indices, count); });
    compare(
        "ranges ascend", [=] { return plain::is_ascending(first); },
        [=] { return scene::is_ascending(first); }, [=] { return scene::loops::is_ascending(first); },
        [=](auto) { return highway::is_ascending(first); });
    compare(
        "largest joint", [=] { return plain::max_value(used) == joints - 1; },
        [=] { return scene::max_value(used) == joints - 1; },
        [=] { return scene::loops::max_value(used) == joints - 1; },
        [=](auto) { return highway::max_value(used) == joints - 1; });
}

void bench_box(const scene::Mesh& mesh)
{
    const std::span<const glm::vec3> points(mesh.positions);
    scene::Aabb expected;
    plain::add_points(points, expected);
    const auto is_box = [=](const auto& add_points) {
        return [=] {
            scene::Aabb box;
            return add_points(box) && box.max == expected.max;
        };
    };
    compare("box of points", is_box([=](scene::Aabb& box) { return plain::add_points(points, box); }),
            is_box([=](scene::Aabb& box) { return scene::add_points(points, box.min, box.max); }),
            is_box([=](scene::Aabb& box) { return scene::loops::add_points(points, box.min, box.max); }),
            [=](auto) {
                return is_box(
                    [=](scene::Aabb& box) { return highway::add_points(points, box.min, box.max); })();
            });
    compare("used vertices",
            {{"plain", [&] { return plain::used_vertices(mesh).size() == mesh.positions.size(); }},
             {"Vitrine", [&] { return scene::used_vertices(mesh).size() == 1; }}});
}

void bench_transform(PosedMesh& posed)
{
    const std::span<const glm::vec3> points(posed.mesh.positions);
    const std::span<glm::vec3> out(posed.out);
    const scene::JointMatrix& matrix = posed.matrices.back();
    plain::transform_points(posed.palette.back(), points, posed.expected);
    const auto checked = [&](const auto& transform) {
        return [&posed, transform] {
            transform();
            return posed.is_expected();
        };
    };
    compare("transform of points",
            checked([=, &posed] { plain::transform_points(posed.palette.back(), points, out); }),
            checked([=, &matrix] { scene::transform_points(matrix, points, out); }),
            checked([=, &matrix] { scene::loops::transform_points(matrix, points, out); }), [&](auto) {
                return checked([=, &matrix] { highway::transform_points(matrix, points, out); })();
            });
}

void bench_skin(PosedMesh& posed)
{
    const scene::Influences& influences = posed.mesh.influences;
    const std::span<const glm::vec3> points(posed.mesh.positions);
    const std::span<glm::vec3> out(posed.out);
    plain::skin_points(influences, posed.palette, 0, points, posed.expected);
    const auto checked = [&](const auto& skin) {
        return [&posed, skin] {
            skin();
            return posed.is_expected();
        };
    };
    compare(
        "linear skinning",
        checked([&, out, points] { plain::skin_points(influences, posed.palette, 0, points, out); }),
        checked([&, out, points] { scene::skin_points(influences, posed.matrices, 0, points, out); }),
        checked([&, out, points] { scene::loops::skin_points(influences, posed.matrices, 0, points, out); }),
        [&](auto) {
            return checked(
                [&, out, points] { highway::skin_points(influences, posed.matrices, points, out); })();
        });
}

// The whole of a box in a pose and of the checks, with memory reused where Vitrine reuses it.
void bench_bounds(const scene::Scene& scene, PosedMesh& posed)
{
    const bool skinned = !scene.skins.empty();
    const auto used = plain::used_vertices(posed.mesh);
    scene::ExactBounds bounds(scene);
    const scene::Aabb expected = bounds.at(posed.pose);
    const auto plain_bounds = [&] {
        if (skinned)
            plain::skin_points(posed.mesh.influences, posed.palette, 0, posed.mesh.positions, posed.out);
        else
            plain::transform_points(posed.palette[0], posed.mesh.positions, posed.out);
        scene::Aabb box;
        for (std::size_t v = 0; v < used.size(); ++v)
            if (used[v]) box.add(posed.out[v]);
        return box.min == expected.min;
    };
    compare(
        skinned ? "bounds, skinned" : "bounds, rigid",
        {{"plain", plain_bounds}, {"Vitrine", [&] { return bounds.at(posed.pose).min == expected.min; }}});
}

void bench_tube(std::uint32_t side)
{
    const scene::Scene skinned = tube(side, true), rigid = tube(side, false);
    std::printf("%u vertices, %zu indices, %u influences each\n", side * side, rigid.meshes[0].indices.size(),
                influences_per_vertex);
    bench_checks(skinned.meshes[0]);
    bench_box(skinned.meshes[0]);
    PosedMesh rigid_pose(rigid), skinned_pose(skinned);
    bench_transform(rigid_pose);
    bench_skin(skinned_pose);
    bench_bounds(rigid, rigid_pose);
    bench_bounds(skinned, skinned_pose);
}

} // namespace

int main()
{
#ifdef VITRINE_HAS_HIGHWAY
    std::printf("Highway uses %s\n", highway::instruction_set());
#endif
    bench_tube(141); // fits into the cache
    bench_tube(700);
}
