#include "loaders/fbx/meshes/meshes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/meshes/cache_samples.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/xml/xml.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::fbx {
namespace {

class CacheReader {
public:
    CacheReader(const LoadContext& context, const Object& file, std::string_view channel, std::string where)
        : context_(context), file_(file), channel_(channel), where_(std::move(where))
    {
    }

    // Returns the samples of the channel, ascending in time; empty, with a warning, when they cannot be read.
    std::vector<CacheSample> run();

private:
    std::optional<std::string> find_file() const;
    std::vector<std::string> data_files(const std::string& xml);
    void read_file(const std::string& name);
    void keep_channel();
    void warn(std::string_view code, std::string message)
    {
        context_.warnings.add(code, std::move(message), where_);
    }

    const LoadContext& context_;
    const Object& file_;
    std::string_view channel_;
    std::string where_;
    std::vector<CacheSample> samples_;
    std::map<std::string, std::string, std::less<>> interpretations_; // by channel of the description file
};

std::optional<std::string> CacheReader::find_file() const
{
    for (const std::string_view property : {"CacheFileName", "CacheAbsoluteFileName"}) {
        const std::string wanted = context_.document.decoded(file_.properties.text(property));
        if (wanted.empty()) continue;
        if (const auto found = io::resolve(context_.source, wanted)) return found->name;
    }
    return {};
}

// Returns the names of the data files, derived from the description's name: one file with all samples, or one
// per sample with its time in the name.
std::vector<std::string> CacheReader::data_files(const std::string& xml)
{
    const auto bytes = context_.source.open(xml);
    const auto document =
        bytes ? io::XmlDocument::parse(*bytes, context_.limits)
              : LoadResult<io::XmlDocument>(fail(LoadErrc::missing_file, {}, "it cannot be read"));
    if (!document) {
        warn("invalid_cache", fmt::format("{}: {}", xml, document.error().detail));
        return {};
    }
    const io::XmlNode root = document->root();
    for (const io::XmlNode channel : root.child("Channels"))
        interpretations_[std::string(channel.attribute("ChannelName"))] =
            channel.attribute("ChannelInterpretation");
    const bool wide = root.child("cacheType").attribute("Format") == "mcx";
    const std::string_view extension = wide ? ".mcx" : ".mc";
    const std::string stem = xml.substr(0, xml.size() - io::extension_of(xml).size());
    std::vector<std::string> found;
    for (const std::string& name : context_.source.names()) {
        if (io::extension_of(name) != extension || !name.starts_with(stem)) continue;
        const std::string_view rest = std::string_view(name).substr(stem.size());
        if (rest.size() == extension.size() || rest.starts_with("Frame")) found.push_back(name);
    }
    if (found.empty()) warn("missing_cache", fmt::format("the file {}{} is missing", stem, extension));
    return found;
}

void CacheReader::read_file(const std::string& name)
{
    const auto bytes = context_.source.open(name);
    if (!bytes) return warn("missing_cache", fmt::format("{} cannot be read", name));
    const auto read =
        is_pc2(*bytes) ? read_pc2(*bytes, frame_rate(context_.document)) : read_maya_cache(*bytes);
    if (!read)
        return warn("invalid_cache",
                    fmt::format("{}: {} ({})", name, read.error().detail, read.error().where));
    samples_.insert(samples_.end(), read->begin(), read->end());
}

// Keeps the samples of the channel that the deformer names; a file with one channel needs no name.
void CacheReader::keep_channel()
{
    const bool named = std::ranges::any_of(samples_, [&](const auto& s) { return s.channel == channel_; });
    if (!named && !samples_.empty()) {
        const std::string_view first = samples_.front().channel;
        if (std::ranges::any_of(samples_, [&](const auto& s) { return s.channel != first; })) {
            samples_.clear();
            return warn("missing_cache", "the cache has no channel with the deformer's name");
        }
        channel_ = first;
    }
    std::erase_if(samples_, [&](const auto& s) { return s.channel != channel_; });
    std::ranges::sort(samples_, {}, [](const auto& s) { return std::pair(s.seconds, s.numbers.data()); });
    const auto [last, end] = std::ranges::unique(samples_, {}, &CacheSample::seconds);
    samples_.erase(last, end);
}

std::vector<CacheSample> CacheReader::run()
{
    const auto name = find_file();
    if (!name) {
        warn("missing_cache", "the file of the geometry cache is missing; the mesh uses its other deformers");
        return {};
    }
    const bool is_description = io::extension_of(*name) == ".xml";
    for (const std::string& data : is_description ? data_files(*name) : std::vector{*name})
        read_file(data);
    const auto known = interpretations_.find(channel_);
    if (known != interpretations_.end() && known->second != "positions" && !known->second.empty()) return {};
    keep_channel();
    return std::move(samples_);
}

// Groups vertices of one control point with equal normals, so that they keep sharing a normal.
std::vector<std::uint32_t> normal_groups(const scene::Mesh& mesh,
                                         std::span<const std::uint32_t> control_points)
{
    std::map<std::array<std::uint32_t, 4>, std::uint32_t> known;
    std::vector<std::uint32_t> groups;
    groups.reserve(control_points.size());
    for (std::size_t v = 0; v < control_points.size(); ++v) {
        const auto normal = std::bit_cast<std::array<std::uint32_t, 3>>(mesh.normals[v]);
        const std::array key{control_points[v], normal[0], normal[1], normal[2]};
        groups.push_back(known.try_emplace(key, static_cast<std::uint32_t>(known.size())).first->second);
    }
    return groups;
}

void fill_frames(std::span<const CacheSample> samples, std::span<const std::uint32_t> control_points,
                 scene::Mesh& mesh)
{
    const auto groups = normal_groups(mesh, control_points);
    scene::Mesh moved;
    moved.indices = mesh.indices;
    moved.primitives = mesh.primitives;
    moved.positions.resize(control_points.size());
    mesh.frames.count = static_cast<std::uint32_t>(samples.size());
    for (const CacheSample& sample : samples) {
        const auto points = sample.read();
        for (std::size_t v = 0; v < control_points.size(); ++v)
            moved.positions[v] = points[control_points[v]];
        scene::compute_normals(moved, groups);
        mesh.frames.positions.insert(mesh.frames.positions.end(), moved.positions.begin(),
                                     moved.positions.end());
        mesh.frames.normals.insert(mesh.frames.normals.end(), moved.normals.begin(), moved.normals.end());
    }
}

// Times are strictly ascending and relative to the clip.
scene::Channel channel_of(std::uint32_t node, std::span<const double> times, double start)
{
    scene::Channel channel;
    channel.node = node;
    channel.path = scene::Path::vertex_frame;
    channel.interpolation = scene::Interpolation::linear;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto time = static_cast<float>(times[i] - start);
        if (!channel.times.empty() && time <= channel.times.back()) continue;
        channel.times.push_back(time);
        channel.values.push_back(static_cast<float>(i));
    }
    return channel;
}

std::vector<CacheSample> samples_of(const LoadContext& context, std::uint32_t mesh_object,
                                    std::size_t point_count)
{
    for (const ObjectConnection& connection : context.document.sources(mesh_object)) {
        const Object& deformer = context.document.object(connection.source);
        if (deformer.type != ObjectType::cache_deformer) continue;
        const std::uint32_t file = context.document.source_of_type(connection.source, ObjectType::cache_file);
        if (file == no_object) continue;
        const std::string where = deformer.element.location();
        auto samples = CacheReader(context, context.document.object(file),
                                   deformer.properties.text("ChannelName"), where)
                           .run();
        if (samples.empty()) continue;
        if (std::ranges::all_of(samples, [&](const auto& s) { return s.points() == point_count; }))
            return samples;
        context.warnings.add("invalid_cache",
                             "the cache and the mesh have different numbers of points; the cache is ignored",
                             where);
    }
    return {};
}

} // namespace

std::vector<double> add_geometry_cache(const LoadContext& context, std::uint32_t mesh_object,
                                       std::span<const std::uint32_t> control_points, std::size_t point_count,
                                       std::uint64_t& points_so_far, scene::Mesh& mesh)
{
    const auto samples = samples_of(context, mesh_object, point_count);
    if (samples.empty()) return {};
    points_so_far += samples.size() * std::max<std::uint64_t>(control_points.size(), 1);
    if (points_so_far > context.limits.morph_deltas) {
        context.warnings.add(
            "limit_reached",
            fmt::format("the geometry caches are larger than the limit morph_deltas = {}; the mesh is static",
                        context.limits.morph_deltas),
            context.document.object(mesh_object).element.location());
        return {};
    }
    fill_frames(samples, control_points, mesh);
    std::vector<double> times;
    for (const CacheSample& sample : samples)
        times.push_back(sample.seconds);
    return times;
}

void add_cache_channels(const LoadContext& context, const MeshMap& meshes)
{
    scene::Scene& scene = context.scene;
    double first = 0.0, last = 0.0;
    bool any = false;
    for (const auto& times : meshes.frame_times) {
        if (times.empty()) continue;
        first = any ? std::min(first, times.front()) : times.front();
        last = any ? std::max(last, times.back()) : times.back();
        any = true;
    }
    if (!any) return;
    if (scene.clips.empty()) {
        scene::Clip& clip = scene.clips.emplace_back();
        clip.name = "cache";
        clip.start_time = first;
        clip.duration = last - first;
        clip.frame_rate = frame_rate(context.document);
        clip.frames = frame_count(clip.duration, clip.frame_rate);
    }
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        const std::uint32_t mesh = scene.nodes[node].mesh;
        if (mesh == scene::none || meshes.frame_times[mesh].empty()) continue;
        for (scene::Clip& clip : scene.clips)
            clip.channels.push_back(channel_of(node, meshes.frame_times[mesh], clip.start_time));
    }
}

} // namespace vitrine::fbx
