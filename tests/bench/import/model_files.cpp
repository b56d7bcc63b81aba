#include "tests/bench/import/model_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <glm/glm.hpp>

#include "loaders/base/ascii.hpp"
#include "loaders/export/gltf/gltf_writer.hpp"
#include "tests/support/corpus.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t min_bytes = 4'000, max_bytes = 2'000'000;
constexpr std::array extensions{".glb", ".fbx", ".obj", ".3ds", ".dae", ".md2"};

std::string read_all(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> small_files(const fs::path& folder)
{
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || entry.file_size() < min_bytes || entry.file_size() > max_bytes)
            continue;
        if (std::ranges::find(extensions, ascii::lower(entry.path().extension().string())) !=
            extensions.end())
            found.push_back(entry.path());
    }
    std::ranges::sort(found);
    return found;
}

template <class T>
void append(std::string& out, const T& value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string glb_of(std::string json, const std::string& binary)
{
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string out = "glTF";
    append(out, std::uint32_t{2});
    append(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
    append(out, static_cast<std::uint32_t>(json.size()));
    out += "JSON" + json;
    append(out, static_cast<std::uint32_t>(binary.size()));
    return out + std::string("BIN\0", 4) + binary;
}

} // namespace

std::vector<UploadFile> small_models(std::size_t count)
{
    std::vector<UploadFile> models;
    const auto corpus = corpus_dir();
    const auto found = corpus ? small_files(*corpus) : std::vector<fs::path>();
    for (std::size_t i = 0; i < count && found.size() >= count; ++i) {
        const auto& path = found[i * found.size() / count];
        models.push_back({path.filename().string(), read_all(path)});
    }
    const auto vase = vase_glb();
    while (models.size() < count) {
        const auto number = static_cast<std::uint32_t>(models.size());
        models.push_back({fmt::format("vase{}.glb", number), renumbered(vase, number).bytes});
    }
    return models;
}

UploadFile character_glb()
{
    const auto corpus = corpus_dir();
    const auto path = corpus.value_or(".") / "KayKit-Adventurers/addons/kaykit_character_pack_adventures"
                                             "/Characters/gltf/Barbarian.glb";
    return fs::exists(path) ? UploadFile{"Barbarian.glb", read_all(path)} : robot_glb();
}

UploadFile renumbered(const UploadFile& glb, std::uint32_t number)
{
    constexpr std::string_view key = "\"generator\":\"";
    auto copy = glb;
    const auto at = copy.bytes.find(key);
    if (at != copy.bytes.npos) copy.bytes.replace(at + key.size(), 4, fmt::format("{:04}", number % 10'000));
    return copy;
}

UploadFile scan_glb(std::uint32_t triangles, bool normals)
{
    const auto side = static_cast<std::uint32_t>(std::lround(std::sqrt(triangles / 2.0)));
    const auto vertices = (side + 1) * (side + 1), indices = 6 * side * side;
    std::string binary, normal_bytes;
    for (std::uint32_t i = 0; i < vertices; ++i) {
        const float u = static_cast<float>(i % (side + 1)) / static_cast<float>(side);
        const float v = static_cast<float>(i / (side + 1)) / static_cast<float>(side);
        const float wave = std::sin(20.0f * u) * std::cos(17.0f * v), fine = std::sin(900.0f * (u + v));
        append(binary, glm::vec3(u - 0.5f, v, 0.05f * (wave + 0.02f * fine)));
        append(normal_bytes, glm::normalize(glm::vec3(-std::cos(20.0f * u), std::sin(17.0f * v), 1.0f)));
    }
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t a = y * (side + 1) + x, b = a + 1, c = a + side + 1, d = c + 1;
            for (const auto index : {a, b, d, a, d, c})
                append(binary, index);
        }
    }
    if (normals) binary += normal_bytes;
    const auto view = [](std::size_t offset, std::size_t size) {
        return fmt::format(R"({{"buffer":0,"byteOffset":{},"byteLength":{}}})", offset, size);
    };
    const auto at_normals = 12 * vertices + 4 * indices;
    const auto json = fmt::format(
        R"({{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],)"
        R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0{}}},"indices":1}}]}}],"accessors":[)"
        R"({{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3","min":[-0.5,0,-0.06],"max":[0.5,1,0.06]}},)"
        R"({{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}{}],)"
        R"("bufferViews":[{},{}{}],"buffers":[{{"byteLength":{}}}]}})",
        normals ? R"(,"NORMAL":2)" : "", vertices, indices,
        normals
            ? fmt::format(R"(,{{"bufferView":2,"componentType":5126,"count":{},"type":"VEC3"}})", vertices)
            : "",
        view(0, 12 * vertices), view(12 * vertices, 4 * indices),
        normals ? "," + view(at_normals, 12 * vertices) : "", binary.size());
    return {normals ? "smooth-scan.glb" : "scan.glb", glb_of(json, binary)};
}

} // namespace vitrine::test
