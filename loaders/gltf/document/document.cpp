#include "loaders/gltf/document/document.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/document/meshopt.hpp"
#include "loaders/gltf/document/specification_checks.hpp"
#include "loaders/io/base64.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/percent_encoding.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::gltf {
namespace {

void warn_about_text(const io::JsonDocument& json, io::WarningLog& warnings)
{
    if (!json.duplicate_key().empty())
        warnings.add("duplicate_key", "a member occurs twice; the last one is used", json.duplicate_key());
    if (!json.lone_surrogate().empty())
        warnings.add("lone_surrogate", "an unpaired UTF-16 surrogate is replaced by U+FFFD",
                     json.lone_surrogate());
}

// "2.1" -> 2; nullopt when it is not a version.
std::optional<unsigned> major_version(std::string_view version)
{
    if (version.empty() || version[0] < '0' || version[0] > '9') return std::nullopt;
    if (version.size() > 1 && version[1] != '.') return std::nullopt;
    return static_cast<unsigned>(version[0] - '0');
}

LoadResult<void> check_version(io::JsonValue root)
{
    if (!root.is_object()) return fail(LoadErrc::malformed, "", "the JSON text is not an object");
    const io::JsonValue asset = root["asset"];
    const io::JsonValue version = asset["version"];
    const auto major = major_version(version.string().value_or(""));
    const bool old = root["meshes"].is_object() || root["techniques"].exists() || root["nodes"].is_object();
    if ((old && major != 2u) || version.number() == 1.0 || major == 1u)
        return fail(LoadErrc::unsupported, "/asset/version", "glTF 1.0 is not supported, only 2.0");
    if (!asset.exists()) return fail(LoadErrc::malformed, "", "\"asset\" is missing: this is not glTF 2.0");
    if (!version.exists()) return fail(LoadErrc::malformed, "/asset", "\"version\" is missing");
    if (major != 2u) return fail(LoadErrc::unsupported, version.pointer(), "the version is not 2.x");
    const io::JsonValue min_version = asset["minVersion"];
    if (min_version.string() && *min_version.string() != "2.0")
        return fail(LoadErrc::unsupported, min_version.pointer(),
                    fmt::format("the file requires glTF {}; 2.0 is supported", *min_version.string()));
    return {};
}

constexpr std::string_view list_names[] = {"accessors", "animations", "buffers", "bufferViews",
                                           "images",    "materials",  "meshes",  "nodes",
                                           "samplers",  "scenes",     "skins",   "textures"};

// List elements that are not objects have no members: everything about them is absent.
LoadResult<void> check_lists(io::JsonValue root, io::WarningLog& warnings)
{
    for (const std::string_view name : list_names) {
        const io::JsonValue list = root[name];
        if (auto checked = check_array(list); !checked) return checked;
        for (const io::JsonValue element : list)
            if (!element.is_object())
                warnings.add("invalid_property",
                             fmt::format("an object is expected, not {}; an empty object is used",
                                         io::to_string(element.type())),
                             element.pointer());
    }
    return {};
}

} // namespace

Document::Document(io::JsonDocument json, Source& source, io::Budget& budget, io::WarningLog& warnings)
    : json_(std::move(json)), source_(&source), budget_(&budget), warnings_(&warnings)
{
}

Document::Document(Document&&) noexcept = default;
Document::~Document() = default;

LoadResult<Document> Document::open(Source& source, io::Budget& budget, io::WarningLog& warnings)
{
    const std::optional<Bytes> file = source.open(source.main_name());
    if (!file) return fail(LoadErrc::missing_file, source.main_name(), "the file cannot be read");
    if (file->size() > budget.limits().file_bytes)
        return io::limit_exceeded_error(source.main_name(), fmt::format("the file of {} bytes", file->size()),
                                        "file_bytes", budget.limits().file_bytes);
    if (auto taken = budget.take_bytes(file->size(), source.main_name()); !taken)
        return std::unexpected(taken.error());
    const LoadResult<Container> container = split_container(*file, warnings);
    if (!container) return std::unexpected(container.error());
    LoadResult<io::JsonDocument> json = io::JsonDocument::parse(container->json, budget.limits());
    if (!json) return std::unexpected(json.error());
    warn_about_text(*json, warnings);
    Document document(std::move(*json), source, budget, warnings);
    document.glb_ = container->glb;
    document.quantized_ = names_extension(document.root(), "KHR_mesh_quantization");
    document.body_ = container->body;
    if (auto checked = check_version(document.root()); !checked) return std::unexpected(checked.error());
    if (auto checked = check_lists(document.root(), warnings); !checked)
        return std::unexpected(checked.error());
    if (auto checked = check_extensions(document.root(), warnings); !checked)
        return std::unexpected(checked.error());
    if (const io::JsonValue cameras = document.root()["cameras"]; cameras.size() > 0)
        warnings.add("cameras_ignored", "the file's cameras are ignored; the view frames the whole model",
                     cameras.pointer());
    for (const std::string_view name : list_names)
        document.lists_.emplace_back(name, document.root()[name]);
    document.buffers_.resize(document.list("buffers").size());
    document.decompressed_.resize(document.list("bufferViews").size());
    document.accessors_.resize(document.list("accessors").size());
    return document;
}

io::JsonValue Document::list(std::string_view name) const
{
    const auto found = std::ranges::find(lists_, name, &std::pair<std::string_view, io::JsonValue>::first);
    return found == lists_.end() ? io::JsonValue() : found->second;
}

const LoadResult<Accessor>& Document::accessor(std::uint32_t index)
{
    std::unique_ptr<LoadResult<Accessor>>& known = accessors_[index];
    if (known == nullptr) known = std::make_unique<LoadResult<Accessor>>(find_accessor(*this, index));
    return *known;
}

void Document::set_accessor(std::uint32_t index, Accessor accessor, std::vector<std::byte> bytes)
{
    accessor.bytes = keep(std::move(bytes));
    accessor.has_view = true;
    accessors_[index] = std::make_unique<LoadResult<Accessor>>(std::move(accessor));
}

LoadResult<BufferView> Document::buffer_view(std::uint32_t index)
{
    const io::JsonValue view = list("bufferViews")[index];
    Fields fields(view);
    const std::uint64_t stride = fields.integer("byteStride", 0);
    if (fields.failed()) return fields.error();
    const io::JsonValue compression = meshopt_extension(view);
    const LoadResult<Bytes> bytes = compression.exists() ? decompressed(index, compression) : slice(view);
    if (!bytes) return std::unexpected(bytes.error());
    return BufferView{*bytes, stride};
}

// Returns the part of a buffer that `view` describes: a buffer view, or its compression extension.
LoadResult<Bytes> Document::slice(io::JsonValue view)
{
    Fields fields(view);
    const std::uint32_t buffer_index = fields.index("buffer", buffers_.size());
    const std::uint64_t offset = fields.integer("byteOffset", 0);
    const std::uint64_t length = fields.integer("byteLength");
    if (fields.failed()) return fields.error();
    const LoadResult<Bytes> bytes = buffer(buffer_index);
    if (!bytes) return bytes;
    if (offset > bytes->size() || length > bytes->size() - offset)
        return fail(LoadErrc::out_of_range, view.pointer(),
                    fmt::format("bytes {} to {} of a buffer of {}", offset, offset + length, bytes->size()));
    return bytes->subspan(offset, length);
}

LoadResult<Bytes> Document::decompressed(std::uint32_t view, io::JsonValue extension)
{
    if (decompressed_[view]) return *decompressed_[view];
    const LoadResult<MeshoptView> format = read_meshopt_view(extension);
    if (!format) return std::unexpected(format.error());
    const LoadResult<Bytes> compressed = slice(extension);
    if (!compressed) return compressed;
    auto bytes = decode_meshopt(*format, *compressed, *budget_, extension.pointer());
    if (!bytes) return std::unexpected(bytes.error());
    decompressed_[view] = keep(std::move(*bytes));
    return *decompressed_[view];
}

Bytes Document::keep(std::vector<std::byte> bytes)
{
    return *decoded_.emplace_back(std::make_unique<std::vector<std::byte>>(std::move(bytes)));
}

LoadResult<Bytes> Document::buffer(std::uint32_t index)
{
    if (!buffers_[index]) {
        const LoadResult<Bytes> loaded = load_buffer(index);
        if (!loaded) return loaded;
        buffers_[index] = *loaded;
    }
    return *buffers_[index];
}

LoadResult<Bytes> Document::load_buffer(std::uint32_t index)
{
    const io::JsonValue value = list("buffers")[index];
    Fields fields(value);
    const std::uint64_t length = fields.integer("byteLength");
    if (fields.failed()) return fields.error();
    Bytes bytes;
    if (value["uri"].exists()) {
        const LoadResult<Resource> resource = fetch(value["uri"], "buffer");
        if (!resource) return std::unexpected(resource.error());
        bytes = resource->bytes;
    } else if (glb_ && index == 0 && body_) {
        bytes = *body_;
    } else if (length > 0) {
        return fail(LoadErrc::malformed, value.pointer(),
                    "the buffer has no data: no uri and no binary chunk");
    }
    if (bytes.size() < length)
        warnings_->add("short_buffer",
                       fmt::format("the buffer declares {} bytes and has {}", length, bytes.size()),
                       value.pointer());
    return bytes.first(std::min<std::uint64_t>(bytes.size(), length));
}

LoadResult<Document::Resource> Document::fetch(io::JsonValue uri, std::string_view what)
{
    const std::optional<std::string_view> text = uri.string();
    if (!text) return fail(LoadErrc::malformed, uri.pointer(), "a string is expected");
    if (io::is_data_uri(*text)) {
        auto data = io::decode_data_uri(*text);
        if (!data)
            return fail(LoadErrc::malformed, uri.pointer(),
                        fmt::format("the data URI of the {} is invalid", what));
        return Resource{keep(std::move(data->bytes)), ""};
    }
    // Most files percent-encode names, some do not.
    std::optional<io::ResolvedName> found = io::resolve(*source_, io::percent_decode(*text));
    if (!found) found = io::resolve(*source_, *text);
    if (!found && what == "image") { // as for the other formats
        auto sibling = source_->find_in_sibling_folders(io::base_name(io::percent_decode(*text)));
        if (!sibling.empty()) found = io::ResolvedName{std::move(sibling), io::Match::elsewhere};
    }
    const std::optional<Bytes> bytes = found ? source_->open(found->name) : std::nullopt;
    if (!bytes)
        return fail(LoadErrc::missing_file, uri.pointer(),
                    fmt::format("the {} {} is missing", what, io::shown(*text)));
    if (found->match == io::Match::elsewhere)
        warnings_->add("found_elsewhere",
                       fmt::format("{} was found as {}", io::shown(*text), io::shown(found->name)),
                       uri.pointer());
    if (bytes->size() > budget_->limits().file_bytes)
        return io::limit_exceeded_error(uri.pointer(), fmt::format("the file of {} bytes", bytes->size()),
                                        "file_bytes", budget_->limits().file_bytes);
    if (auto taken = budget_->take_bytes(bytes->size(), uri.pointer()); !taken)
        return std::unexpected(taken.error());
    return Resource{*bytes, found->name};
}

} // namespace vitrine::gltf
