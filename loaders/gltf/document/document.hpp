#pragma once
// A glTF file opened: its JSON and the bytes of its buffers, which are fetched when first asked for.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "loaders/gltf/document/container.hpp"
#include "loaders/io/budget.hpp"
#include "loaders/io/json/json.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::gltf {

struct Accessor;

struct BufferView {
    Bytes bytes;
    std::uint64_t stride = 0; // 0: packed
};

class Document {
public:
    // Reads the main file and accepts its version and required extensions. `source` must outlive the
    // document.
    static LoadResult<Document> open(Source& source, io::Budget& budget, io::WarningLog& warnings);

    Document(Document&&) noexcept;
    ~Document();

    bool glb() const { return glb_; }
    // Whether the file says that it uses KHR_mesh_quantization.
    bool quantised() const { return quantised_; }
    io::JsonValue root() const { return json_.root(); }
    // A top-level array ("nodes"); absent when it is missing or something else.
    io::JsonValue list(std::string_view name) const;

    // Decompressed where EXT_meshopt_compression says so.
    LoadResult<BufferView> buffer_view(std::uint32_t index);
    // What find_accessor() found; asked again, it is the same. Precondition: index <
    // list("accessors").size().
    const LoadResult<Accessor>& accessor(std::uint32_t index);
    // From now on accessor(index) answers this one, whose elements are `bytes`, packed: what Draco held.
    void set_accessor(std::uint32_t index, Accessor accessor, std::vector<std::byte> bytes);

    // Bytes named by a URI: a data URI or a file of the source. `what` names them in the sentence.
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
    bool quantised_ = false;
    std::optional<Bytes> body_;
    std::vector<std::optional<Bytes>> buffers_;
    std::vector<std::optional<Bytes>> decompressed_;               // by buffer view
    std::vector<std::unique_ptr<std::vector<std::byte>>> decoded_; // data URIs and decompressed data
    std::vector<std::unique_ptr<LoadResult<Accessor>>> accessors_; // once they have been asked for
    std::vector<std::pair<std::string_view, io::JsonValue>> lists_;
};

} // namespace vitrine::gltf
