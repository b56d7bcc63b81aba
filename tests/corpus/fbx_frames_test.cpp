// Every row of the corpus's fbx_frames.tsv: a frame of an FBX file, or its static pose, against the OBJ that
// the modeling program exported there. Vertices are compared as sets of points, both ways round, in the
// file's own axes and unit.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <unordered_map>

#include <gtest/gtest.h>

#include "loaders/export/obj/baked_mesh.hpp"
#include "loaders/fbx/fbx.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"

namespace fs = std::filesystem;
using namespace vitrine;

namespace {

struct Row {
    bool is_frame = false;
    std::string fbx, obj, stack, tags;
    double time = 0.0;
    bool extrapolate = true;
    double tolerance = 0.0;
};

std::vector<Row> read_rows(const fs::path& manifest)
{
    std::vector<Row> rows;
    std::ifstream in(manifest);
    std::string line;
    std::getline(in, line); // the columns' names
    while (std::getline(in, line)) {
        std::vector<std::string> cells;
        std::stringstream split(line + "\t");
        for (std::string cell; std::getline(split, cell, '\t');)
            cells.push_back(cell);
        EXPECT_GE(cells.size(), 10u) << line;
        if (cells.size() < 10) continue;
        rows.push_back({.is_frame = cells[0] == "FRAME",
                        .fbx = cells[1],
                        .obj = cells[2],
                        .stack = cells[3],
                        .tags = cells[8],
                        .time = cells[4].empty() ? 0.0 : std::stod(cells[4]),
                        .extrapolate = cells[5] != "0",
                        .tolerance = std::stod(cells[9])});
    }
    return rows;
}

// Lines below that of the columns' names.
std::size_t count_rows(const fs::path& manifest)
{
    const std::string text = test::read_file(manifest);
    const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    return text.ends_with('\n') ? ends - 1 : ends;
}

// The vertices that a face uses.
std::vector<glm::dvec3> read_obj(const fs::path& file)
{
    std::vector<glm::dvec3> all;
    std::vector<bool> used;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "v") {
            glm::dvec3 v(0.0);
            words >> v.x >> v.y >> v.z;
            all.push_back(v);
        } else if (kind == "f") {
            used.resize(all.size(), false);
            for (std::string corner; words >> corner;) {
                const long index = std::stol(corner);
                const auto at =
                    static_cast<std::size_t>(index > 0 ? index - 1 : static_cast<long>(all.size()) + index);
                if (at < used.size()) used[at] = true;
            }
        }
    }
    std::vector<glm::dvec3> found;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) found.push_back(all[i]);
    return found;
}

// The largest distance of a point of `these` to the nearest of `those`. Meshes here are small.
double largest_distance(const std::vector<glm::dvec3>& these, const std::vector<glm::dvec3>& those)
{
    double largest = 0.0;
    for (const glm::dvec3& point : these) {
        double nearest = INFINITY;
        for (const glm::dvec3& candidate : those) {
            const glm::dvec3 way = candidate - point;
            nearest = std::min(nearest, glm::dot(way, way));
        }
        largest = std::max(largest, nearest);
    }
    return std::sqrt(largest);
}

// Of a FRAME row that of its clip, which has to be there.
scene::Pose pose_of(const scene::Scene& scene, const Row& row)
{
    scene::Pose pose;
    const auto clip = std::ranges::find_if(
        scene.clips, [&](const auto& c) { return c.name.find(row.stack) != std::string::npos; });
    if (row.is_frame && clip == scene.clips.end())
        ADD_FAILURE() << row.fbx << " has no clip named like '" << row.stack << "'";
    if (!row.is_frame || clip == scene.clips.end()) {
        scene::static_pose(scene, pose);
        return pose;
    }
    scene::sample_curves(
        scene, static_cast<std::uint32_t>(clip - scene.clips.begin()), row.time - clip->start_time,
        row.extrapolate ? ExtrapolationPolicy::extrapolated : ExtrapolationPolicy::clamped, pose);
    return pose;
}

std::vector<glm::dvec3> places_of(const BakedMesh& mesh)
{
    std::vector<glm::dvec3> places;
    places.reserve(mesh.positions.size());
    for (const glm::vec3& position : mesh.positions)
        places.push_back(mesh.origin + glm::dvec3(position));
    return places;
}

scene::Scene load(const fs::path& file, bool extrapolate)
{
    // Beside it, the folder in which Maya puts a file's geometry caches.
    std::map<std::string, std::string> files{{file.filename().string(), test::read_file(file)}};
    const fs::path caches = file.parent_path() / (file.stem().string() + "_fpc");
    if (fs::exists(caches)) {
        for (const auto& entry : fs::directory_iterator(caches))
            files.emplace((caches.filename() / entry.path().filename()).string(),
                          test::read_file(entry.path()));
    }
    test::MemorySource source(file.filename().string(), std::move(files));
    auto loaded =
        load_fbx(source, {},
                 {.policy = extrapolate ? ExtrapolationPolicy::extrapolated : ExtrapolationPolicy::clamped});
    EXPECT_TRUE(loaded) << file << ": " << loaded.error().where << ": " << loaded.error().detail;
    if (!loaded) return {};
    EXPECT_TRUE(scene::validate(*loaded)) << file;
    return *std::move(loaded);
}

} // namespace

TEST(FbxFrames, MatchTheModelingProgram)
{
    const auto corpus = test::corpus_dir();
    if (!corpus || !fs::exists(*corpus / "fbx_frames.tsv")) GTEST_SKIP() << "no corpus";
    const fs::path data = *corpus / "ufbx/data";
    std::map<std::pair<std::string, bool>, scene::Scene> scenes;
    std::size_t compared = 0;
    const auto rows = read_rows(*corpus / "fbx_frames.tsv");
    EXPECT_EQ(rows.size(), count_rows(*corpus / "fbx_frames.tsv"));
    for (const Row& row : rows) {
        const std::pair key(row.fbx, row.extrapolate);
        auto scene = scenes.find(key);
        if (scene == scenes.end()) scene = scenes.emplace(key, load(data / row.fbx, row.extrapolate)).first;
        const auto baked = bake_mesh(scene->second, pose_of(scene->second, row), BakeSpace::file);
        const auto wanted = read_obj(data / row.obj);
        ASSERT_FALSE(wanted.empty()) << row.obj;
        if (!baked) {
            ADD_FAILURE() << row.fbx << ": " << baked.error().detail;
            continue;
        }
        const auto found = places_of(*baked);
        ++compared;
        EXPECT_LT(largest_distance(wanted, found), row.tolerance)
            << row.fbx << " against " << row.obj << " (" << row.tags << ")";
        EXPECT_LT(largest_distance(found, wanted), row.tolerance)
            << row.fbx << " has more than " << row.obj << " (" << row.tags << ")";
    }
    EXPECT_GE(compared, 109u);
    EXPECT_EQ(compared, rows.size());
}
