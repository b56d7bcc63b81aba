#include <fmt/format.h>

#include "loaders/3ds/sections.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::threeds {
namespace {

class Parser {
public:
    Parser(const Limits& limits, io::WarningLog& warnings) : limits_(limits), warnings_(warnings) {}

    LoadResult<Document> parse(Bytes file);

private:
    bool is_main(std::uint16_t id) const { return id == id::main || id == id::project || id == id::library; }
    LoadResult<void> section(const Chunk& chunk);
    LoadResult<void> editor(const Chunk& chunk);
    LoadResult<void> edited(const Chunk& chunk);
    LoadResult<void> keyframer(const Chunk& chunk);
    LoadResult<void> add(NamedObject object);
    LoadResult<void> add_node(const Chunk& chunk);
    LoadResult<void> limit(std::uint64_t count, std::uint64_t max_count, std::string_view what,
                           std::uint64_t at) const;

    const Limits& limits_;
    io::WarningLog& warnings_;
    Document document_;
};

LoadResult<void> Parser::limit(std::uint64_t count, std::uint64_t max_count, std::string_view what,
                               std::uint64_t at) const
{
    if (count <= max_count) return {};
    return io::limit_exceeded_error(place(at), fmt::format("{}", count), what, max_count);
}

LoadResult<Document> Parser::parse(Bytes file)
{
    ChunkReader in(file, 0, warnings_);
    const auto first = in.next();
    if (!first) return fail(LoadErrc::malformed, place(0), "not a 3DS file: it does not start with a chunk");
    if (!is_main(first->id))
        return fail(LoadErrc::malformed, place(0),
                    fmt::format("not a 3DS file: it starts with {:04X} instead of 4D4D", first->id));
    ChunkReader sections(*first, warnings_);
    while (const auto chunk = sections.next())
        if (auto done = section(*chunk); !done) return std::unexpected(done.error());
    // Some programs end the main chunk too early and write further chunks after it.
    while (const auto chunk = in.next())
        if (auto done = section(*chunk); !done) return std::unexpected(done.error());
    return std::move(document_);
}

LoadResult<void> Parser::section(const Chunk& chunk)
{
    if (chunk.id == id::editor) return editor(chunk);
    if (chunk.id == id::keyframer) return keyframer(chunk);
    return edited(chunk); // of a library, or after a section that ended too early
}

LoadResult<void> Parser::editor(const Chunk& chunk)
{
    ChunkReader in(chunk, warnings_);
    while (const auto part = in.next())
        if (auto done = edited(*part); !done) return done;
    return {};
}

LoadResult<void> Parser::edited(const Chunk& chunk)
{
    if (chunk.id == id::object) {
        auto object = parse_object(chunk, warnings_);
        if (!object) return std::unexpected(object.error());
        return add(std::move(*object));
    }
    if (chunk.id == id::material) {
        document_.materials.push_back(parse_material(chunk, warnings_));
        return limit(document_.materials.size(), limits_.materials, "materials", chunk.at);
    }
    if (chunk.id == id::master_scale) document_.master_scale = ChunkReader(chunk, warnings_).read<float>();
    return {};
}

LoadResult<void> Parser::add(NamedObject object)
{
    document_.points += object.point_count;
    document_.faces += object.face_count;
    const std::uint64_t at = object.at;
    document_.objects.push_back(std::move(object));
    if (auto fits = limit(document_.points, limits_.vertices, "vertices", at); !fits) return fits;
    if (auto fits = limit(3 * document_.faces, limits_.indices, "indices", at); !fits) return fits;
    return limit(document_.objects.size(), limits_.meshes, "meshes", at);
}

LoadResult<void> Parser::keyframer(const Chunk& chunk)
{
    ChunkReader in(chunk, warnings_);
    while (const auto part = in.next()) {
        ChunkReader values(*part, warnings_);
        if (part->id == id::keyframer_header) {
            values.read<std::uint16_t>(); // revision
            document_.generator = values.read_text();
            document_.length = values.read<std::int32_t>();
        } else if (part->id == id::segment) {
            const auto segment = values.read<std::array<std::int32_t, 2>>();
            if (!values.failed()) document_.segment = segment;
        } else if (part->id >= id::ambient_node && part->id <= id::spot_node) {
            if (auto added = add_node(*part); !added) return added;
        }
    }
    return {};
}

LoadResult<void> Parser::add_node(const Chunk& chunk)
{
    KeyframerNode node = parse_node(chunk, warnings_);
    if (node.id == no_node) node.id = static_cast<std::int32_t>(document_.nodes.size()); // before release 3
    document_.nodes.push_back(std::move(node));
    return limit(document_.nodes.size(), limits_.nodes, "nodes", chunk.at);
}

} // namespace

LoadResult<Document> parse(Bytes file, const Limits& limits, io::WarningLog& warnings)
{
    return Parser(limits, warnings).parse(file);
}

} // namespace vitrine::threeds
