#include "loaders/fbx/meshes/blend_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/limits.hpp"

namespace vitrine::fbx {
namespace {

class BlendShapeReader {
public:
    BlendShapeReader(const LoadContext& context, std::size_t points, BuiltMesh& built)
        : context_(context), vertices_(built.control_points, points), mesh_(built.mesh),
          computed_(built.shape_normals ? &*built.shape_normals : nullptr)
    {
    }

    LoadResult<void> read_deformer(std::uint32_t blend_shape);
    std::vector<MorphChannel>& channels() { return channels_; }

private:
    LoadResult<void> read_channel(std::uint32_t index);
    void warn_about_out_of_range_points(std::size_t out_of_range_points, Element shape) const;
    void warn_unless_even(std::size_t points, std::size_t offsets, Element shape) const;
    LoadResult<void> read_shape(const Object& shape, const std::string& name,
                                std::span<const double> point_weights);
    LoadResult<void> count_deltas(std::size_t more, Element shape);
    LoadResult<void> compute_normals(scene::MorphTarget& target, Element shape);
    void add_deltas(scene::MorphTarget& target, std::size_t point, glm::vec3 delta,
                    std::optional<glm::vec3> normal) const;

    const LoadContext& context_;
    PointVertices vertices_;
    scene::Mesh& mesh_;
    ShapeNormals* computed_; // null: the mesh has its own normals
    std::vector<MorphChannel> channels_;
    std::uint64_t deltas_ = 0;
};

bool all_zero(const std::vector<float>& values)
{
    return std::ranges::all_of(values, [](float v) { return v == 0.0f; });
}

glm::vec3 finite(const float* v)
{
    const auto part = [](float value) { return std::isfinite(value) ? value : 0.0f; };
    return {part(v[0]), part(v[1]), part(v[2])};
}

// Returns the element that contains the data of a shape.
Element content_of(const Object& shape)
{
    return shape.part.exists() ? shape.part : shape.element;
}

// A channel has one full weight per shape. Blender instead writes one per point of its only shape: the
// point's weight in percent, from the vertex group that limits a shape key. A single weight for a single
// point is ambiguous; then the program that wrote the file decides.
bool are_shares(const std::vector<double>& full_weights, const Object& only_shape, bool is_from_blender)
{
    return full_weights.size() > (is_from_blender ? 0 : 1) &&
           full_weights.size() == content_of(only_shape)["Indexes"].array_count();
}

void BlendShapeReader::add_deltas(scene::MorphTarget& target, std::size_t point, glm::vec3 delta,
                                  std::optional<glm::vec3> normal) const
{
    for (const std::uint32_t vertex : vertices_.of(point)) {
        target.vertices.push_back(vertex);
        target.position_deltas.push_back(delta);
        if (normal) target.normal_deltas.push_back(*normal);
    }
}

LoadResult<void> BlendShapeReader::count_deltas(std::size_t more, Element shape)
{
    deltas_ += more;
    if (deltas_ <= context_.limits.morph_deltas) return {};
    return io::limit_exceeded_error(shape.location(), "the deltas of all blend shapes", "morph_deltas",
                                    context_.limits.morph_deltas);
}

// Computes normals for the points passed to computed_. The work is limited because a point may have any
// number of polygons.
LoadResult<void> BlendShapeReader::compute_normals(scene::MorphTarget& target, Element shape)
{
    constexpr std::size_t corners_per_delta = 4;
    if (computed_ == nullptr) return {};
    const std::size_t moved = target.vertices.size();
    const std::size_t looked_at = computed_->add_normals(target);
    return count_deltas(target.vertices.size() - moved + looked_at / corners_per_delta, shape);
}

void BlendShapeReader::warn_unless_even(std::size_t points, std::size_t offsets, Element shape) const
{
    if (offsets != 3 * points)
        context_.warnings.add(
            "shape_count",
            "a blend shape has different numbers of offsets and indices; the excess is ignored",
            shape.location());
}

void BlendShapeReader::warn_about_out_of_range_points(std::size_t out_of_range_points, Element shape) const
{
    if (out_of_range_points > 0)
        context_.warnings.add(
            "index_out_of_range",
            fmt::format("{} points of a shape are out of range; they are ignored", out_of_range_points),
            shape.location());
}

// Reads points and, in the same order, their offsets. Normals are offsets too; many programs leave them at
// zero. `point_weights`: weight of each point in percent, or empty.
LoadResult<void> BlendShapeReader::read_shape(const Object& shape, const std::string& name,
                                              std::span<const double> point_weights)
{
    const Element stored = content_of(shape);
    const auto points = stored["Indexes"].array<std::int32_t>();
    if (!points) return std::unexpected(points.error());
    const auto deltas = stored["Vertices"].array<float>();
    if (!deltas) return std::unexpected(deltas.error());
    auto normals = stored["Normals"].array<float>();
    if (!normals) return std::unexpected(normals.error());
    // Some files list all points without indices.
    const bool dense = points->empty();
    const std::size_t count = dense ? deltas->size() / 3 : std::min(points->size(), deltas->size() / 3);
    if (!dense) warn_unless_even(points->size(), deltas->size(), stored);
    if (normals->size() < count * 3 || all_zero(*normals)) normals->clear();
    const bool computes = computed_ != nullptr && normals->empty();
    scene::MorphTarget target;
    target.name = name;
    std::size_t out_of_range_points = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t point = dense ? i : static_cast<std::uint32_t>((*points)[i]);
        const std::size_t made = point < vertices_.points() ? vertices_.of(point).size() : 0;
        if (auto counted = count_deltas(std::max<std::size_t>(made, 1), stored); !counted) return counted;
        if (point >= vertices_.points()) {
            ++out_of_range_points;
            continue;
        }
        const float weight = i < point_weights.size() ? static_cast<float>(point_weights[i] / 100.0) : 1.0f;
        const glm::vec3 delta = weight * finite(deltas->data() + i * 3);
        std::optional<glm::vec3> normal;
        if (!normals->empty()) normal = weight * finite(normals->data() + i * 3);
        add_deltas(target, point, delta, normal);
        if (computes) computed_->move(static_cast<std::uint32_t>(point), delta);
    }
    if (auto computed = compute_normals(target, stored); !computed) return computed;
    warn_about_out_of_range_points(out_of_range_points, stored);
    mesh_.morph_targets.push_back(std::move(target));
    return {};
}

LoadResult<void> BlendShapeReader::read_channel(std::uint32_t index)
{
    const Object& channel = context_.document.object(index);
    std::vector<std::uint32_t> shapes;
    for (const ObjectConnection& connection : context_.document.sources(index))
        if (context_.document.object(connection.source).type == ObjectType::shape)
            shapes.push_back(connection.source);
    if (shapes.empty()) return {};
    auto stored = channel.element["FullWeights"].array<double>();
    if (!stored) return std::unexpected(stored.error());
    for (double& weight : *stored)
        if (!std::isfinite(weight)) weight = 100.0;
    std::vector<double> point_weights;
    if (shapes.size() == 1 &&
        are_shares(*stored, context_.document.object(shapes[0]), context_.document.is_from_blender()))
        point_weights = std::exchange(*stored, {});
    stored->resize(shapes.size(), 100.0);
    std::vector<std::size_t> order(shapes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair((*stored)[i], i); });
    MorphChannel out{index, static_cast<std::uint32_t>(mesh_.morph_targets.size()), {}};
    for (const std::size_t i : order) {
        const Object& shape = context_.document.object(shapes[i]);
        const std::string& name = shapes.size() > 1 || channel.name.empty() ? shape.name : channel.name;
        if (auto read = read_shape(shape, name, point_weights); !read) return read;
        out.full_weights.push_back((*stored)[i]);
    }
    mesh_.morph_weights.resize(mesh_.morph_targets.size());
    ramp_weights(out.full_weights, static_percent(channel),
                 std::span(mesh_.morph_weights).subspan(out.first_target));
    channels_.push_back(std::move(out));
    return {};
}

LoadResult<void> BlendShapeReader::read_deformer(std::uint32_t blend_shape)
{
    for (const ObjectConnection& connection : context_.document.sources(blend_shape)) {
        if (context_.document.object(connection.source).type != ObjectType::blend_channel) continue;
        if (auto read = read_channel(connection.source); !read) return read;
    }
    return {};
}

} // namespace

// Blender writes only the element, other programs both; a template's default does not count for this channel.
double static_percent(const Object& channel)
{
    const Properties& properties = channel.properties;
    const Value named = channel.part.exists() ? properties.value(channel.part[0u].text()) : Value();
    const Value element = channel.element["DeformPercent"][0u];
    const bool is_stated = properties.has_own("DeformPercent") || !element.is_number();
    const double unnamed = is_stated ? properties.real("DeformPercent") : element.real();
    const double percent = named.is_number() ? named.real() : unnamed;
    return std::isfinite(percent) ? percent : 0.0;
}

bool has_blend_shapes(const Document& document, std::uint32_t mesh_object)
{
    return document.source_of_type(mesh_object, ObjectType::blend_shape) != no_object;
}

LoadResult<std::vector<MorphChannel>> add_blend_shapes(const LoadContext& context, std::uint32_t mesh_object,
                                                       std::size_t point_count, BuiltMesh& built)
{
    std::optional<BlendShapeReader> reader;
    for (const ObjectConnection& connection : context.document.sources(mesh_object)) {
        if (context.document.object(connection.source).type != ObjectType::blend_shape) continue;
        if (!reader) reader.emplace(context, point_count, built);
        if (auto read = reader->read_deformer(connection.source); !read) return std::unexpected(read.error());
    }
    if (!reader) return std::vector<MorphChannel>();
    return std::move(reader->channels());
}

} // namespace vitrine::fbx
