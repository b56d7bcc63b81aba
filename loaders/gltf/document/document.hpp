#pragma once
// An opened glTF file: its JSON and its buffers, which are read on first use.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "loaders/gltf/document/container.hpp"
#include "loaders/io/budget.hpp"
#include "loaders/io/json/json.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/attribution.hpp"

namespace vitrine::gltf {

struct Accessor;

struct BufferView {
    Bytes bytes;
    std::uint64_t stride = 0; // 0: tightly packed
};

class Document {
public:
    // Reads the main file and checks its version and required extensions. `source` must outlive the document.
    static LoadResult<Document> open(Source& source, io::Budget& budget, io::WarningLog& warnings);

    Document(Document&&) noexcept;
    ~Document();

    bool glb() const { return glb_; }
    // Returns whether the file uses KHR_mesh_quantization.
    bool quantized() const { return quantized_; }
    io::JsonValue root() const { return json_.root(); }
    // Returns a top-level array ("nodes"); absent when it is missing or not an array.
    io::JsonValue list(std::string_view name) const;

    // Decompresses views with EXT_meshopt_compression.
    LoadResult<BufferView> buffer_view(std::uint32_t index);
    // Returns the cached result of find_accessor(). Precondition: index < list("accessors").size().
    const LoadResult<Accessor>& accessor(std::uint32_t index);
    // Replaces accessor(index) by this one with tightly packed elements in `bytes`: data decoded from Draco.
    void set_accessor(std::uint32_t index, Accessor accessor, std::vector<std::byte> bytes);

    // The bytes of a URI: a data URI or a file of the source. `what` names them in messages.
    struct Resource {
        Bytes bytes;
        std::string name; // of the file; empty for a data URI
    };
    LoadResult<Resource> fetch(io::JsonValue uri, std::string_view what);

    Source& source() { return *source_; }
    io::Budget& budget() { return *budget_; }
    io::WarningLog& warnings() { return *warnings_; }

private:
    Document(io::JsonDocument json, Source& source, io::Budget& budget, io::WarningLog& warnings);
    LoadResult<Bytes> buffer(std::uint32_t index);
    LoadResult<Bytes> slice(io::JsonValue view);
    LoadResult<Bytes> decompressed(std::uint32_t view, io::JsonValue extension);
    Bytes keep(std::vector<std::byte> bytes);
    LoadResult<Bytes> load_buffer(std::uint32_t index);

    io::JsonDocument json_;
    Source* source_;
    io::Budget* budget_;
    io::WarningLog* warnings_;
    bool glb_ = false;
    bool quantized_ = false;
    std::optional<Bytes> body_;
    std::vector<std::optional<Bytes>> buffers_;
    std::vector<std::optional<Bytes>> decompressed_;               // by buffer view
    std::vector<std::unique_ptr<std::vector<std::byte>>> decoded_; // data URIs and decompressed data
    std::vector<std::unique_ptr<LoadResult<Accessor>>> accessors_; // created on first use
    std::vector<std::pair<std::string_view, io::JsonValue>> lists_;
};

// Who made the file, by its XMP packet (KHR_xmp_json_ld), else by `asset` and what exporters write into
// `asset.extras`. Anything else there is ignored.
scene::Attribution read_attribution(const Document& document);

} // namespace vitrine::gltf
