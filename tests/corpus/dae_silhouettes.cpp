#include "tests/corpus/dae_silhouettes.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "loaders/dae/dae.hpp"
#include "loaders/export/dae/dae_writer.hpp"
#include "loaders/images/image.hpp"
#include "tests/corpus/dae_view.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;

constexpr double viewers_end = 2.0;                              // seconds
constexpr double mayas_frames_a_second = 24.0, mayas_step = 3.0; // from frame 1
constexpr int suites_frames = 15, suites_pixels = 300;

// What the suite's judging scripts ask to be drawn alike, where both files are in the corpus.
struct Alike {
    std::string_view file, reference; // below StandardDataSets/collada
};
constexpr std::array alike{
    Alike{"choices_of_libraries/multiple/library_images/library_images.dae",
          "choices_of_libraries/_reference/_reference_image/_reference_image.dae"},
    Alike{"choices_of_libraries/multiple/library_effects/library_effects.dae",
          "choices_of_libraries/_reference/_reference_effect/_reference_effect.dae"},
    Alike{"choices_of_libraries/multiple/library_controllers_morph/library_controllers_morph.dae",
          "choices_of_libraries/_reference/_reference_controllers_morph/_reference_controllers_morph.dae"},
    Alike{"scene/multi_visualscene_instantiate_1/multi_visualscene_instantiate_1.dae",
          "scene/_reference/_reference_hexagon/_reference_hexagon.dae"},
    // Both are asked to look like one reference.
    Alike{"library_visual_scenes/visual_scene/node/asset/unit/unit.dae",
          "library_visual_scenes/visual_scene/node/asset/up_axis/up_axis.dae"},
    Alike{"library_geometries/geometry/asset/unit/unit.dae",
          "library_geometries/geometry/asset/up_axis/up_axis.dae"},
};

double viewers_time(std::size_t frame, std::size_t frames)
{
    return frames < 2 ? 0.0 : viewers_end * static_cast<double>(frame) / static_cast<double>(frames - 1);
}

double mayas_time(std::size_t frame)
{
    return (1.0 + mayas_step * static_cast<double>(frame)) / mayas_frames_a_second;
}

std::optional<Mask> read_picture(const fs::path& path)
{
    if (path.extension() != ".png" || !fs::is_regular_file(path)) return std::nullopt;
    const std::string bytes = read_file(path);
    const auto image =
        images::decode_image(std::as_bytes(std::span(bytes)), path.filename().string(), Limits());
    if (!image) return std::nullopt;
    return silhouette_of(*image);
}

double overlap_at(const DaeView& view, double time, const Mask& picture)
{
    return overlap(draw(view, time, picture.width, picture.height), picture);
}

std::optional<DaeView> view_beside(const fs::path& blessed)
{
    const fs::path folder = blessed.parent_path();
    return open_dae_view(folder / (folder.filename().string() + ".dae"));
}

std::optional<double> compare_still(const fs::path& default_file)
{
    std::string name = read_file(default_file);
    name.resize(std::min(name.find_first_of("\r\n"), name.size()));
    std::ranges::replace(name, '\\', '/');
    const auto picture = read_picture(default_file.parent_path() / name);
    const auto view = view_beside(default_file.parent_path());
    if (!picture || !view) return std::nullopt;
    return std::max(overlap_at(*view, 0.0, *picture), overlap_at(*view, mayas_time(0), *picture));
}

std::optional<double> compare_moving(const fs::path& frames)
{
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(frames))
        paths.push_back(entry.path());
    std::ranges::sort(paths);
    const auto view = view_beside(frames.parent_path().parent_path());
    if (!view || paths.empty()) return std::nullopt;
    double viewers = 0.0, mayas = 0.0;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const auto picture = read_picture(paths[i]);
        if (!picture) return std::nullopt;
        viewers += overlap_at(*view, viewers_time(i, paths.size()), *picture);
        mayas += overlap_at(*view, mayas_time(i), *picture);
    }
    return std::max(viewers, mayas) / static_cast<double>(paths.size());
}

// The least over the moments that the suite draws; none where the reference never shows anything.
std::optional<double> least_overlap_of(const DaeView& ours, const DaeView& reference)
{
    double least = 1.0;
    bool shown = false;
    for (std::size_t i = 0; i < suites_frames; ++i) {
        const double time = viewers_time(i, suites_frames);
        const Mask expected = draw(reference, time, suites_pixels, suites_pixels);
        shown = shown || std::ranges::find(expected.covered, true) != expected.covered.end();
        least = std::min(least, overlap_at(ours, time, expected));
    }
    return shown ? std::optional(least) : std::nullopt;
}

// 0 where either cannot be drawn.
double compare_files(const fs::path& file, const fs::path& reference)
{
    const auto ours = open_dae_view(file), theirs = open_dae_view(reference);
    return ours && theirs ? least_overlap_of(*ours, *theirs).value_or(0.0) : 0.0;
}

// As it is after our exporter and our loader.
std::optional<DaeView> written_again(const DaeView& view)
{
    std::map<std::string, std::string> files;
    for (const auto& file : exporting::write_dae(view.scene, "again"))
        files[file.name].assign(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    MemorySource source("again.dae", std::move(files));
    auto scene = load_dae(source, Limits());
    if (!scene) return std::nullopt;
    return DaeView{std::move(*scene), view.camera};
}

} // namespace

std::map<std::string, double> compare_pictures(const fs::path& suite)
{
    std::map<std::string, double> overlaps;
    const auto take = [&](const fs::path& path, const std::optional<double>& found) {
        if (found) overlaps[path.string()] = *found;
    };
    for (const auto& entry : fs::recursive_directory_iterator(suite)) {
        const fs::path& path = entry.path();
        const fs::path above = path.parent_path();
        if (path.filename() == "default.txt" && above.filename() == "Blessed")
            take(path, compare_still(path));
        if (entry.is_directory() && above.filename() == "animations" &&
            above.parent_path().filename() == "Blessed")
            take(path, compare_moving(path));
    }
    return overlaps;
}

std::map<std::string, double> compare_references(const fs::path& suite)
{
    std::map<std::string, double> overlaps;
    for (const auto& entry : fs::recursive_directory_iterator(suite)) {
        const fs::path& file = entry.path();
        const fs::path reference = file.parent_path() / (file.stem().string() + "_blessed.dae");
        if (file.extension() == ".dae" && fs::is_regular_file(reference))
            overlaps[file.string()] = compare_files(file, reference);
    }
    const fs::path files = suite / "StandardDataSets" / "collada";
    for (const Alike& pair : alike)
        if (fs::is_regular_file(files / pair.file) && fs::is_regular_file(files / pair.reference))
            overlaps[(files / pair.file).string()] = compare_files(files / pair.file, files / pair.reference);
    return overlaps;
}

std::map<std::string, double> compare_exports(const fs::path& suite)
{
    std::map<std::string, double> overlaps;
    for (const auto& entry : fs::recursive_directory_iterator(suite)) {
        if (entry.path().extension() != ".dae") continue;
        const auto view = open_dae_view(entry.path());
        if (!view) continue;
        const auto again = written_again(*view);
        const auto least = again ? least_overlap_of(*again, *view) : 0.0;
        if (least) overlaps[entry.path().string()] = *least;
    }
    return overlaps;
}

} // namespace vitrine::test
