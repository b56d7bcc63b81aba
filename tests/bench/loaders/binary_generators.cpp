// Writes the grid as GLB, binary FBX and 3DS. Little-endian machines only.

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <zlib.h>

#include "tests/bench/loaders/file.hpp"
#include "tests/bench/loaders/grid.hpp"

namespace vitrine::bench {
namespace {

template <class T>
void put(std::string& out, const T& value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::uint32_t u32(std::size_t value)
{
    return static_cast<std::uint32_t>(value);
}

// FBX: a record's header contains its end offset, so the header is filled in afterward.
class FbxWriter {
public:
    FbxWriter()
    {
        out_.append("Kaydara FBX Binary  \0\x1a\0", 23);
        put(out_, std::uint32_t{7400});
    }
    template <class Inside>
    void record(std::string_view name, const std::string& properties, std::uint32_t count, Inside inside)
    {
        const auto at = out_.size();
        out_.append(12, '\0');
        out_ += static_cast<char>(name.size());
        out_ += name;
        out_ += properties;
        const auto before = out_.size();
        inside();
        if (out_.size() != before) out_.append(13, '\0');
        const std::array<std::uint32_t, 3> head{u32(out_.size()), count, u32(properties.size())};
        std::memcpy(out_.data() + at, head.data(), sizeof head);
    }
    void record(std::string_view name, const std::string& properties, std::uint32_t count = 1)
    {
        record(name, properties, count, [] {});
    }
    std::string take() &&
    {
        out_.append(13, '\0');
        return std::move(out_);
    }

private:
    std::string out_;
};

std::string text(std::string_view value)
{
    std::string out = "S";
    put(out, u32(value.size()));
    return out.append(value);
}

std::string int32_bytes(std::int32_t value)
{
    std::string out = "I";
    put(out, value);
    return out;
}

std::string id(std::int64_t value)
{
    std::string out = "L";
    put(out, value);
    return out;
}

template <class T>
std::string deflated(char type, const std::vector<T>& values)
{
    const auto raw = bytes_of(values);
    uLongf size = compressBound(raw.size());
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
              raw.size(), 1);
    std::string out(1, type);
    put(out, u32(values.size()));
    put(out, std::uint32_t{1});
    put(out, u32(size));
    return out.append(packed, 0, size);
}

template <class T>
struct Arrays {
    std::vector<T> positions, normals, uvs;
    explicit Arrays(const Grid& grid)
    {
        for (int i = 0; i < grid.vertices(); ++i) {
            const auto p = grid.position(i), n = grid.normal(i);
            positions.insert(positions.end(), {p.x, p.y, p.z});
            normals.insert(normals.end(), {n.x, n.y, n.z});
            uvs.insert(uvs.end(), {grid.uv(i).x, grid.uv(i).y});
        }
    }
};

void write_geometry(FbxWriter& out, const Grid& grid)
{
    const Arrays<double> arrays(grid);
    std::vector<std::int32_t> corners, uv_corners;
    grid.each_triangle([&](int a, int b, int c) {
        corners.insert(corners.end(), {a, b, -c - 1});
        uv_corners.insert(uv_corners.end(), {a, b, c});
    });
    const auto layer = [&](const char* name, const char* mapping, const char* reference, auto inside) {
        out.record(name, int32_bytes(0), 1, [&] {
            out.record("MappingInformationType", text(mapping));
            out.record("ReferenceInformationType", text(reference));
            inside();
        });
    };
    out.record("Vertices", deflated('d', arrays.positions));
    out.record("PolygonVertexIndex", deflated('i', corners));
    layer("LayerElementNormal", "ByVertice", "Direct",
          [&] { out.record("Normals", deflated('d', arrays.normals)); });
    layer("LayerElementUV", "ByPolygonVertex", "IndexToDirect", [&] {
        out.record("UV", deflated('d', arrays.uvs));
        out.record("UVIndex", deflated('i', uv_corners));
    });
    out.record("Layer", int32_bytes(0), 1, [&] {
        for (const char* name : {"LayerElementNormal", "LayerElementUV"})
            out.record("LayerElement", "", 0, [&] {
                out.record("Type", text(name));
                out.record("TypedIndex", int32_bytes(0));
            });
    });
}

// 3DS: a chunk consists of its type, its size and its content.
std::string chunk(std::uint16_t type, const std::string& content)
{
    std::string out;
    put(out, type);
    put(out, u32(content.size() + 6));
    return out += content;
}

// Writes the vertex rows [first, last] as one object.
std::string object_3ds(const Grid& grid, int first, int last)
{
    const int base = first * grid.side, count = (last - first + 1) * grid.side;
    std::string positions, uvs, faces;
    for (auto* list : {&positions, &uvs})
        put(*list, static_cast<std::uint16_t>(count));
    for (int i = base; i < base + count; ++i) {
        const auto p = grid.position(i);
        put(positions, glm::vec3(p.x, -p.z, p.y));
        put(uvs, grid.uv(i));
    }
    put(faces, static_cast<std::uint16_t>(2 * (last - first) * (grid.side - 1)));
    grid.each_triangle(first, last, [&](int a, int b, int c) {
        for (const int corner : {a, b, c})
            put(faces, static_cast<std::uint16_t>(corner - base));
        put(faces, std::uint16_t{7});
    });
    const auto mesh = chunk(0x4100, chunk(0x4110, positions) + chunk(0x4140, uvs) + chunk(0x4120, faces));
    return chunk(0x4000, "g" + std::to_string(first) + std::string(1, '\0') + mesh);
}

} // namespace

namespace {

struct GlbPart {
    std::string_view bytes;
    const char* attribute; // empty: the indices
    const char* type;
    std::size_t count;
};

void write_glb_parts(std::span<const GlbPart> parts, const std::filesystem::path& path)
{
    std::string views, accessors, attributes;
    std::size_t total = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const char* comma = i == 0 ? "" : ",";
        const auto& part = parts[i];
        const bool is_attribute = *part.attribute != 0;
        views += fmt::format("{}{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}}}", comma, total,
                             part.bytes.size());
        accessors +=
            fmt::format("{}{{\"bufferView\":{},\"componentType\":{},\"count\":{},\"type\":\"{}\"{}}}", comma,
                        i, is_attribute ? 5126 : 5125, part.count, part.type,
                        i == 0 ? ",\"min\":[-50,-5,-50],\"max\":[50,5,50]" : "");
        if (is_attribute) attributes += fmt::format("{}\"{}\":{}", comma, part.attribute, i);
        total += part.bytes.size();
    }
    std::string json =
        fmt::format("{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],"
                    "\"nodes\":[{{\"mesh\":0}}],"
                    "\"meshes\":[{{\"primitives\":[{{\"attributes\":{{{}}},\"indices\":{}}}]}}],"
                    "\"buffers\":[{{\"byteLength\":{}}}],\"bufferViews\":[{}],\"accessors\":[{}]}}",
                    attributes, parts.size() - 1, total, views, accessors);
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string head = "glTF";
    for (const std::size_t value : {std::size_t{2}, 28 + json.size() + total, json.size()})
        put(head, u32(value));
    OutFile out(path);
    out.write(head + "JSON" + json);
    std::string binary;
    put(binary, u32(total));
    out.write(binary.append("BIN\0", 4));
    for (const auto& part : parts)
        out.write(part.bytes);
}

void write_glb(const Grid& grid, bool with_normals, const std::filesystem::path& path)
{
    const Arrays<float> arrays(grid);
    std::vector<std::uint32_t> indices;
    grid.each_triangle([&](int a, int b, int c) {
        for (const int corner : {a, b, c})
            indices.push_back(static_cast<std::uint32_t>(corner));
    });
    const auto vertices = static_cast<std::size_t>(grid.vertices());
    std::vector<GlbPart> parts{{bytes_of(arrays.positions), "POSITION", "VEC3", vertices}};
    if (with_normals) parts.push_back({bytes_of(arrays.normals), "NORMAL", "VEC3", vertices});
    parts.push_back({bytes_of(arrays.uvs), "TEXCOORD_0", "VEC2", vertices});
    parts.push_back({bytes_of(indices), "", "SCALAR", indices.size()});
    write_glb_parts(parts, path);
}

} // namespace

void write_glb(const Grid& grid, const std::filesystem::path& path)
{
    write_glb(grid, true, path);
}

void write_glb_without_normals(const Grid& grid, const std::filesystem::path& path)
{
    write_glb(grid, false, path);
}

void write_fbx_binary(const Grid& grid, const std::filesystem::path& path)
{
    using namespace std::string_literals;
    FbxWriter out;
    out.record("FBXHeaderExtension", "", 0, [&] { out.record("FBXVersion", int32_bytes(7400)); });
    out.record("Objects", "", 0, [&] {
        out.record("Geometry", id(1) + text("grid\0\1Geometry"s) + text("Mesh"), 3,
                   [&] { write_geometry(out, grid); });
        out.record("Model", id(2) + text("grid\0\1Model"s) + text("Mesh"), 3,
                   [&] { out.record("Version", int32_bytes(232)); });
    });
    out.record("Connections", "", 0, [&] {
        out.record("C", text("OO") + id(1) + id(2), 3);
        out.record("C", text("OO") + id(2) + id(0), 3);
    });
    OutFile(path).write(std::move(out).take());
}

void write_3ds(const Grid& grid, const std::filesystem::path& path)
{
    const int rows = std::max(2, std::min(65'535 / grid.side, 65'535 / (2 * grid.side) + 1));
    std::string objects;
    for (int first = 0; first + 1 < grid.side; first += rows - 1)
        objects += object_3ds(grid, first, std::min(first + rows - 1, grid.side - 1));
    OutFile(path).write(chunk(0x4D4D, chunk(0x3D3D, objects)));
}

} // namespace vitrine::bench
