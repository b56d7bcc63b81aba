#include <array>
#include <cstring>
#include <optional>
#include <type_traits>

#include "loaders/scene/blob.hpp"
#include "loaders/scene/blob_fields.hpp"
#include "loaders/scene/blob_layout.hpp"

namespace vitrine::scene {
namespace {

// Collects small fields in one text and refers to large arrays where they are.
class SceneWriter {
public:
    explicit SceneWriter(BlobPieces& out) : out_(out) {}

    std::size_t size() const { return at_; }

    template <class... Fields>
    void operator()(const Fields&... fields)
    {
        (write(fields), ...);
    }

private:
    static constexpr std::size_t min_piece_bytes = 64 * 1024;

    template <class T>
    void write(const T& value)
    {
        if constexpr (std::is_same_v<T, bool>)
            write(std::uint8_t{value});
        else if constexpr (std::is_enum_v<T>)
            write(static_cast<std::underlying_type_t<T>>(value));
        else if constexpr (is_plain<T>)
            put(&value, sizeof value);
        else
            describe(*this, value);
    }

    void write(const std::string& text)
    {
        write(std::uint64_t{text.size()});
        put(text.data(), text.size());
    }

    template <class T>
    void write(const std::optional<T>& value)
    {
        write(value.has_value());
        if (value) write(*value);
    }

    template <class T>
    void write(const std::vector<T>& values)
    {
        if constexpr (is_plain<T>) {
            write_plain(std::span(values));
        } else {
            write(std::uint64_t{values.size()});
            for (const T& value : values)
                write(value);
        }
    }

    template <class T>
    void write(const Array<T>& values)
    {
        write_plain(std::span(values));
    }

    template <class T>
    void write_plain(std::span<const T> values)
    {
        write(std::uint64_t{values.size()});
        if (values.empty()) return;
        pad();
        if (values.size_bytes() < min_piece_bytes) return put(values.data(), values.size_bytes());
        out_.arrays.push_back({out_.fields.size(), std::as_bytes(values)});
        at_ += values.size_bytes();
    }

    void pad()
    {
        static constexpr std::array<std::byte, blob_alignment> zeros{};
        put(zeros.data(), (blob_alignment - at_ % blob_alignment) % blob_alignment);
    }

    void put(const void* data, std::size_t size)
    {
        out_.fields.append(static_cast<const char*>(data), size);
        at_ += size;
    }

    BlobPieces& out_;
    std::size_t at_ = sizeof(BlobHeader);
};

} // namespace

BlobPieces encode_blob_pieces(const Scene& scene)
{
    BlobPieces out;
    out.fields.resize(sizeof(BlobHeader));
    SceneWriter writer(out);
    writer(scene);
    BlobHeader header;
    header.size_bytes = writer.size();
    std::memcpy(out.fields.data(), &header, sizeof header);
    return out;
}

} // namespace vitrine::scene
