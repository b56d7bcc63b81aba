// Every model of the corpus, written as GLB and read back, moves as it did.

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/gltf/gltf.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/worker/child/formats.hpp"
#include "tests/corpus/gltf_corpus.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/pose_model.hpp"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

constexpr double tolerance = 1e-4; // of the model's size
constexpr std::size_t clips_looked_at = 6;

double size_of(std::span<const glm::vec3> points)
{
    scene::Aabb box;
    for (const auto& point : points)
        box.add(point);
    return glm::length(glm::dvec3(box.size()));
}

class RoundTrip {
public:
    RoundTrip(const fs::path& file, scene::Scene before, scene::Scene after)
        : file_(file), before_(std::move(before)), after_(std::move(after))
    {
    }

    void compare()
    {
        scene::Pose a, b;
        scene::static_pose(before_, a);
        scene::static_pose(after_, b);
        size_ = size_of(test::drawn_corners(before_, a));
        if (!same(a, b, "in the static pose")) return;
        std::size_t of_before = 0;
        for (std::uint32_t c = 0; c < std::min(after_.clips.size(), clips_looked_at); ++c) {
            while (of_before < before_.clips.size() && before_.clips[of_before].name != after_.clips[c].name)
                ++of_before; // clips without channels are not written
            if (of_before == before_.clips.size()) {
                ADD_FAILURE() << file_ << ": clip " << after_.clips[c].name << " was none of the file";
                return;
            }
            if (!compare_clip(static_cast<std::uint32_t>(of_before++), c)) return;
        }
    }

private:
    bool compare_clip(std::uint32_t clip_before, std::uint32_t clip_after)
    {
        const double duration = before_.clips[clip_before].duration;
        EXPECT_NEAR(after_.clips[clip_after].duration, duration, 1e-5 * std::max(duration, 1.0)) << file_;
        scene::Pose a, b;
        for (const double part : {0.0, 0.137, 0.5, 0.913, 1.0}) {
            scene::sample_pose(before_, clip_before, part * duration, a);
            scene::sample_pose(after_, clip_after, part * duration, b);
            if (!same(a, b, fmt::format("clip {} at {}", before_.clips[clip_before].name, part * duration)))
                return false;
        }
        return true;
    }

    bool same(const scene::Pose& a, const scene::Pose& b, const std::string& when)
    {
        const auto one = test::drawn_corners(before_, a), other = test::drawn_corners(after_, b);
        if (one.size() != other.size()) {
            ADD_FAILURE() << file_ << " " << when << ": " << one.size() << " corners, then " << other.size();
            return false;
        }
        double largest = 0.0;
        for (std::size_t i = 0; i < one.size(); ++i)
            largest = std::max(largest, glm::distance(glm::dvec3(one[i]), glm::dvec3(other[i])));
        const double size = std::max(size_, size_of(one));
        if (largest <= tolerance * size) return true;
        ADD_FAILURE() << file_ << " " << when << ": off by " << largest << " of " << size;
        return false;
    }

    const fs::path& file_;
    scene::Scene before_, after_;
    double size_ = 0.0;
};

bool known_extension(const fs::path& file)
{
    const std::string extension = io::extension_of(file.string());
    for (const auto& format : worker::formats())
        if (std::ranges::find(format.extensions, extension) != format.extensions.end()) return true;
    return false;
}

std::vector<fs::path> models(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && known_extension(entry.path())) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

LoadResult<scene::Scene> load(const fs::path& file)
{
    test::FolderSource source(file);
    const auto bytes = source.open(source.main_name());
    if (!bytes) return fail(LoadErrc::missing_file, "", "");
    const auto format = worker::find_format(worker::formats(), source.main_name(), *bytes);
    if (!format) return std::unexpected(format.error());
    auto scene = (*format)->load(source, Limits());
    if (!scene) return scene;
    if (const auto valid = scene::validate(*scene, scene::FlatMeshes::allowed); !valid)
        return std::unexpected(valid.error());
    return scene;
}

void keep(const fs::path& file, std::size_t number, std::span<const std::byte> bytes)
{
    const char* folder = std::getenv("VITRINE_EXPORT_DIR");
    if (folder == nullptr) return;
    std::ofstream out(fs::path(folder) / fmt::format("{:04}-{}.glb", number, file.filename().string()),
                      std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// Counts the results of the files, for all threads.
class Tally {
public:
    void add_compared()
    {
        const std::scoped_lock lock(mutex_);
        ++compared_;
    }
    void add_exempt(const std::set<std::string>& codes)
    {
        const std::scoped_lock lock(mutex_);
        ++exempt_;
        for (const std::string& code : codes)
            ++by_code_[code];
    }
    std::size_t compared() const { return compared_; }
    void print(std::size_t files) const
    {
        fmt::print("{} of {} files load and were written; {} came back and were compared, {} are exempt\n",
                   compared_ + exempt_, files, compared_, exempt_);
        for (const auto& [code, count] : by_code_)
            fmt::print("  exempt for {}: {}\n", code, count);
    }

private:
    std::mutex mutex_;
    std::size_t compared_ = 0, exempt_ = 0;
    std::map<std::string, std::size_t> by_code_;
};

// Why the writer says that its file moves otherwise: such a file is not compared.
std::set<std::string> codes_of_loss(std::span<const scene::Warning> warnings)
{
    std::set<std::string> codes;
    for (const auto& warning : warnings)
        if (warning.code != "invisible_meshes") codes.insert(warning.code);
    return codes;
}

void round_trip(const fs::path& file, std::size_t number, Tally& tally)
{
    auto before = load(file);
    if (!before) return;
    std::vector<scene::Warning> warnings;
    const auto bytes = exporting::write_glb(*before, &warnings);
    if (!bytes) {
        ADD_FAILURE() << file << ": " << bytes.error().detail;
        return;
    }
    keep(file, number, *bytes);
    test::MemorySource source(
        "model.glb",
        {{"model.glb", std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())}});
    auto after = load_gltf(source, Limits());
    if (!after) {
        ADD_FAILURE() << file << ": " << after.error().where << ": " << after.error().detail;
        return;
    }
    if (const auto codes = codes_of_loss(warnings); !codes.empty()) return tally.add_exempt(codes);
    tally.add_compared();
    scene::sort_nodes(*before); // as a loader does
    RoundTrip(file, std::move(*before), std::move(*after)).compare();
}

TEST(CorpusExport, RoundTripsEveryModel)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    if (const char* folder = std::getenv("VITRINE_EXPORT_DIR")) {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    const auto files = models(*corpus);
    std::atomic<std::size_t> next = 0;
    Tally tally;
    {
        std::vector<std::jthread> threads;
        for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
            threads.emplace_back([&] {
                for (std::size_t i = next++; i < files.size(); i = next++)
                    round_trip(files[i], i, tally);
            });
    }
    tally.print(files.size());
    EXPECT_GE(tally.compared(), 1'138u);
}

} // namespace
} // namespace vitrine
