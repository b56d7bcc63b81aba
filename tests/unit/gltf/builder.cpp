#include "tests/unit/gltf/builder.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/support/base64.hpp"

namespace vitrine::test {
namespace {

std::string u32(std::size_t value)
{
    const auto word = static_cast<std::uint32_t>(value);
    return std::string(reinterpret_cast<const char*>(&word), 4);
}

std::string padded(std::string bytes, char fill)
{
    bytes.resize((bytes.size() + 3) / 4 * 4, fill);
    return bytes;
}

} // namespace

std::size_t GltfBuilder::components(std::string_view type)
{
    return type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
}

int GltfBuilder::add(const std::string& list, std::string json)
{
    lists_[list].push_back(std::move(json));
    return static_cast<int>(lists_[list].size()) - 1;
}

std::string GltfBuilder::slice(const std::string& bytes)
{
    body_ = padded(body_, '\0');
    const std::size_t offset = body_.size();
    body_ += bytes;
    return fmt::format(R"("buffer":0,"byteOffset":{},"byteLength":{})", offset, bytes.size());
}

int GltfBuilder::view(const std::string& bytes, int stride)
{
    const std::string members = slice(bytes);
    return add("bufferViews", fmt::format("{{{}{}}}", members,
                                          stride == 0 ? "" : fmt::format(R"(,"byteStride":{})", stride)));
}

// Returns ",\"min\":[...],\"max\":[...]"; NaN and infinity are written as 0.
std::string GltfBuilder::bounds_of(const std::vector<float>& values, std::size_t components)
{
    if (values.size() < components) return {};
    const auto finite = [](float value) { return std::isfinite(value) ? value : 0.0f; };
    std::vector<float> least, most;
    for (std::size_t c = 0; c < components; ++c)
        for (std::size_t n = c; n < values.size(); n += components) {
            if (n == c) least.push_back(finite(values[n])), most.push_back(finite(values[n]));
            least[c] = std::min(least[c], finite(values[n]));
            most[c] = std::max(most[c], finite(values[n]));
        }
    return fmt::format(R"(,"min":[{}],"max":[{}])", fmt::join(least, ","), fmt::join(most, ","));
}

int GltfBuilder::accessor_in(int view, std::size_t count, int component, std::string_view type,
                             const std::string& more)
{
    return add("accessors", fmt::format(R"({{{}"count":{},"componentType":{},"type":"{}"{}}})",
                                        view < 0 ? "" : fmt::format(R"("bufferView":{},)", view), count,
                                        component, type, more));
}

int GltfBuilder::mesh(const std::string& attributes, const std::string& more)
{
    return add("meshes", fmt::format(R"({{"primitives":[{{"attributes":{{{}}}{}}}]}})", attributes, more));
}

std::string GltfBuilder::json(bool glb) const
{
    std::vector<std::string> members = {R"("asset":{"version":"2.0","generator":"by hand"})"};
    members.insert(members.end(), root_.begin(), root_.end());
    for (const auto& [name, objects] : lists_)
        members.push_back(fmt::format(R"("{}":[{}])", name, fmt::join(objects, ",")));
    const std::string uri = glb ? ""
                                : R"("uri":"data:application/octet-stream;base64,)" +
                                      test::encode_base64(std::as_bytes(std::span(body_))) + R"(",)";
    if (!body_.empty())
        members.push_back(fmt::format(R"("buffers":[{{{}"byteLength":{}}}])", uri, body_.size()));
    return fmt::format("{{{}}}", fmt::join(members, ","));
}

std::string GltfBuilder::glb() const
{
    const std::string text = padded(json(true), ' ');
    const std::string body = padded(body_, '\0');
    std::string chunks = u32(text.size()) + "JSON" + text;
    if (!body.empty()) chunks += u32(body.size()) + std::string("BIN\0", 4) + body;
    return "glTF" + u32(2) + u32(12 + chunks.size()) + chunks;
}

LoadResult<scene::Scene> GltfBuilder::load_glb(const Limits& limits) const
{
    std::map<std::string, std::string> files = files_;
    files["model.glb"] = glb();
    MemorySource source("model.glb", std::move(files));
    return vitrine::load_gltf(source, limits);
}

LoadResult<scene::Scene> GltfBuilder::load_gltf(const Limits& limits) const
{
    return load_text(json(false), files_, limits);
}

LoadResult<scene::Scene> load_text(const std::string& json, std::map<std::string, std::string> files,
                                   const Limits& limits)
{
    files["model.gltf"] = json;
    MemorySource source("model.gltf", std::move(files));
    return load_gltf(source, limits);
}

GltfBuilder triangle()
{
    GltfBuilder builder;
    builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
    builder.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
    builder.mesh(R"("POSITION":0,"NORMAL":1)");
    builder.add("nodes", R"({"mesh":0})");
    return builder;
}

const scene::Node& node_named(const scene::Scene& scene, std::string_view name)
{
    const auto found = std::ranges::find(scene.nodes, name, &scene::Node::name);
    EXPECT_NE(found, scene.nodes.end()) << name;
    return *found;
}

bool warned(const scene::Scene& scene, std::string_view code)
{
    return std::ranges::find(scene.warnings, code, &scene::Warning::code) != scene.warnings.end();
}

} // namespace vitrine::test
