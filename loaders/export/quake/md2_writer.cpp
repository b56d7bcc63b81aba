#include "loaders/export/quake/md2_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "loaders/base/quake_normals.hpp"
#include "loaders/export/png/png.hpp"
#include "loaders/export/quake/frame_baker.hpp"
#include "loaders/export/quake/little_endian.hpp"
#include "loaders/export/quake/skin_atlas.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/flat_meshes.hpp"

namespace vitrine::exporting {
namespace {

constexpr double md2_frame_rate = 10.0;
constexpr std::size_t max_indices = 65'536;
constexpr std::uint32_t skin_size = 8192; // units of texture coordinates; readers divide by it

struct EncodedVertex {
    glm::vec3 position;
    std::uint8_t normal;

    auto key() const { return std::tuple(position.x, position.y, position.z, normal); }
};

// Finds the nearest table normal by hill climbing from a near one: each direction knows its neighbors.
class NormalFinder {
public:
    NormalFinder()
    {
        constexpr float neighbor_min_cosine = 0.85f; // cosine; twice the distance of neighbors
        for (std::size_t a = 0; a < quake_normals.size(); ++a)
            for (std::size_t b = 0; b < quake_normals.size(); ++b)
                if (a != b && glm::dot(quake_normals[a], quake_normals[b]) > neighbor_min_cosine)
                    near_[a].push_back(static_cast<std::uint8_t>(b));
    }

    std::uint8_t find(const glm::vec3& normal, std::uint8_t from) const
    {
        const auto fits = [&](std::uint8_t index) { return glm::dot(quake_normals[index], normal); };
        for (;;) {
            const std::uint8_t best = std::ranges::max(near_[from], {}, fits);
            if (fits(best) <= fits(from)) return from;
            from = best;
        }
    }

private:
    std::array<std::vector<std::uint8_t>, 162> near_;
};

class Md2Writer {
public:
    Md2Writer(const scene::Scene& scene, std::string stem)
        : scene_(scene), stem_(std::move(stem)), atlas_(scene)
    {
    }

    std::vector<NamedFile> write();

private:
    void bake();
    void weld();
    void add_triangles();
    std::uint16_t coord_of(std::uint32_t material, glm::vec2 uv);
    void write_frame(std::size_t frame);
    void write_commands();
    std::string frame_name(std::size_t frame) const;

    const scene::Scene& scene_;
    std::string stem_;
    SkinAtlas atlas_;
    std::vector<FrameTime> times_;
    std::vector<std::vector<EncodedVertex>> frames_; // all vertices of all instances
    std::vector<std::uint32_t> welded_;              // by such a vertex, its position in the file
    std::vector<std::uint32_t> representatives_;     // by position in the file, one of its vertices
    std::vector<std::array<std::int16_t, 2>> coords_;
    std::map<std::array<std::int16_t, 2>, std::size_t> known_coords_;
    std::vector<std::array<std::uint16_t, 6>> triangles_;
    FileBytes blocks_;
};

void Md2Writer::bake()
{
    FrameBaker baker(scene_);
    const NormalFinder normals;
    times_ = frame_times(scene_, md2_frame_rate);
    for (const FrameTime& time : times_) {
        auto& frame = frames_.emplace_back();
        std::uint8_t normal = 0;
        for (const auto& mesh : baker.bake(time))
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                normal = normals.find(mesh.normals[v], normal);
                frame.push_back({mesh.positions[v], normal});
            }
    }
}

// Merges vertices that are equal in every frame; MD2 stores texture coordinates separately.
void Md2Writer::weld()
{
    std::vector<std::uint32_t> order(frames_[0].size());
    std::iota(order.begin(), order.end(), 0u);
    const auto compare = [&](std::uint32_t a, std::uint32_t b) {
        for (const auto& frame : frames_)
            if (const auto difference = frame[a].key() <=> frame[b].key(); difference != 0) return difference;
        return std::partial_ordering::equivalent;
    };
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const auto difference = compare(a, b);
        return difference == 0 ? a < b : difference < 0;
    });
    welded_.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || compare(order[i - 1], order[i]) != 0) representatives_.push_back(order[i]);
        welded_[order[i]] = static_cast<std::uint32_t>(representatives_.size() - 1);
    }
}

std::uint16_t Md2Writer::coord_of(std::uint32_t material, glm::vec2 uv)
{
    const glm::vec2 at = atlas_.place(material, uv) * static_cast<float>(skin_size);
    const std::array<std::int16_t, 2> coord{static_cast<std::int16_t>(std::lround(at.x)),
                                            static_cast<std::int16_t>(std::lround(at.y))};
    const auto [known, is_new] = known_coords_.try_emplace(coord, coords_.size());
    if (is_new) coords_.push_back(coord);
    return static_cast<std::uint16_t>(known->second);
}

void Md2Writer::add_triangles()
{
    std::size_t first = 0; // vertex of the instance
    for (const auto& instance : scene::find_instances(scene_)) {
        const scene::Mesh& mesh = scene_.meshes[instance.mesh];
        for (const auto& primitive : mesh.primitives) {
            if (primitive.topology != scene::Topology::triangles) continue;
            for (std::size_t i = primitive.first; i < primitive.first + primitive.count; i += 3) {
                std::array<std::uint16_t, 6> triangle{};
                for (std::size_t c = 0; c < 3; ++c) { // clockwise fronts
                    const std::uint32_t vertex = mesh.indices[i + (3 - c) % 3];
                    triangle[c] = static_cast<std::uint16_t>(welded_[first + vertex]);
                    const glm::vec2 uv = mesh.uv0.empty() ? glm::vec2(0.0f) : mesh.uv0[vertex];
                    triangle[c + 3] = coord_of(primitive.material, uv);
                }
                triangles_.push_back(triangle);
            }
        }
        first += mesh.positions.size();
    }
}

// Returns "walk01"; a name that ends in a digit is separated from the number.
std::string Md2Writer::frame_name(std::size_t frame) const
{
    const FrameTime& time = times_[frame];
    if (time.clip == scene::none) return "rest";
    std::string name = scene_.clips[time.clip].name.substr(0, 10);
    if (!name.empty() && name.back() >= '0' && name.back() <= '9') name += '_';
    return fmt::format("{}{:02}", name, time.number + 1);
}

void Md2Writer::write_frame(std::size_t frame)
{
    scene::Aabb box;
    for (const std::uint32_t vertex : representatives_)
        box.add(frames_[frame][vertex].position);
    const glm::vec3 scale = box.size() / 255.0f;
    append(blocks_, scale);
    append(blocks_, box.min);
    append_text(blocks_, frame_name(frame), 16);
    for (const std::uint32_t vertex : representatives_) {
        const EncodedVertex& at = frames_[frame][vertex];
        for (int i = 0; i < 3; ++i) {
            const float steps = scale[i] > 0.0f ? (at.position[i] - box.min[i]) / scale[i] : 0.0f;
            append(blocks_, static_cast<std::uint8_t>(std::clamp(std::lround(steps), 0l, 255l)));
        }
        append(blocks_, at.normal);
    }
}

// The GL commands that Quake II draws: one strip per triangle.
void Md2Writer::write_commands()
{
    for (const auto& triangle : triangles_) {
        append_words(blocks_, {3});
        for (std::size_t c = 0; c < 3; ++c) {
            for (const std::int16_t step : coords_[triangle[c + 3]])
                append(blocks_, static_cast<float>(step) / static_cast<float>(skin_size));
            append_words(blocks_, {triangle[c]});
        }
    }
    append_words(blocks_, {0});
}

std::vector<NamedFile> Md2Writer::write()
{
    bake();
    weld();
    if (representatives_.size() > max_indices) return {};
    add_triangles();
    if (triangles_.empty() || coords_.size() > max_indices) return {};
    std::vector<std::size_t> at{68};
    const auto end_block = [&] { at.push_back(68 + blocks_.size()); };
    append_text(blocks_, stem_ + ".png", 64);
    end_block();
    for (const auto& coord : coords_)
        append(blocks_, coord);
    end_block();
    for (const auto& triangle : triangles_)
        append(blocks_, triangle);
    end_block();
    for (std::size_t f = 0; f < frames_.size(); ++f)
        write_frame(f);
    end_block();
    write_commands();
    end_block();
    FileBytes file = to_bytes("IDP2");
    append_words(file, {8, skin_size, skin_size, 40 + 4 * representatives_.size(), 1, representatives_.size(),
                        coords_.size(), triangles_.size(), 10 * triangles_.size() + 1, frames_.size()});
    append_words(file, {at[0], at[1], at[2], at[3], at[4], at[5]});
    file.insert(file.end(), blocks_.begin(), blocks_.end());
    return {{stem_ + ".md2", std::move(file)}, {stem_ + ".png", write_png(atlas_.image())}};
}

} // namespace

std::vector<NamedFile> write_md2(const scene::Scene& scene, const std::string& stem)
{
    if (const auto shaded = scene::with_normals(scene)) return write_md2(*shaded, stem);
    return Md2Writer(scene, stem).write();
}

} // namespace vitrine::exporting
