#include "loaders/scene/blob.hpp"

#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "loaders/base/utf8.hpp"
#include "loaders/scene/blob_fields.hpp"
#include "loaders/scene/blob_layout.hpp"

namespace vitrine::scene {
namespace {

// Failure is sticky: after the first failure nothing is read and every list stays empty.
class SceneReader {
public:
    SceneReader(std::span<std::byte> bytes, std::shared_ptr<const void> owner)
        : bytes_(bytes), owner_(std::move(owner))
    {
    }

    template <class... Fields>
    void operator()(Fields&... fields)
    {
        (read(fields), ...);
    }

    LoadResult<void> finish()
    {
        if (!error_ && at_ != bytes_.size())
            set_error(LoadErrc::malformed, "the blob has unused bytes after the scene");
        if (error_) return std::unexpected(*error_);
        return {};
    }

private:
    template <class T>
    void read(T& value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = 0;
            read(byte);
            value = byte != 0;
        } else if constexpr (std::is_enum_v<T>) {
            std::underlying_type_t<T> number{};
            read(number);
            value = static_cast<T>(number);
        } else if constexpr (is_plain<T>) {
            take(&value, sizeof value);
        } else {
            describe(*this, value);
        }
    }

    void read(std::string& text)
    {
        const std::size_t size = read_count(1);
        text.resize(size);
        take(text.data(), size);
        if (!is_utf8(text)) set_error(LoadErrc::malformed, "a text is not UTF-8");
    }

    template <class T>
    void read(std::optional<T>& value)
    {
        bool present = false;
        read(present);
        if (present && !error_) read(value.emplace());
    }

    template <class T>
    void read(std::vector<T>& values)
    {
        if constexpr (is_plain<T>) {
            const std::span<T> elements = skip_elements<T>();
            values.assign(elements.begin(), elements.end());
        } else {
            // Appended one by one: each element consumes bytes, so memory grows with the data, not with the
            // declared count.
            const std::size_t count = read_count(1);
            for (std::size_t i = 0; i < count && !error_; ++i)
                read(values.emplace_back());
        }
    }

    template <class T>
    void read(Array<T>& values)
    {
        if (const std::span<T> elements = skip_elements<T>(); !elements.empty())
            values = Array<T>(elements, owner_);
    }

    // Reads the count of an array and moves behind its elements, which are returned.
    template <class T>
    std::span<T> skip_elements()
    {
        const std::size_t count = read_count(sizeof(T));
        if (count == 0) return {};
        skip_padding(count * sizeof(T));
        if (error_) return {};
        std::byte* const at = bytes_.data() + at_;
        at_ += count * sizeof(T);
        return {reinterpret_cast<T*>(at), count};
    }

    // Reads a count of elements with at least `element_bytes` each; 0 if the remaining bytes are too few.
    std::size_t read_count(std::size_t element_bytes)
    {
        std::uint64_t count = 0;
        take(&count, sizeof count);
        if (error_ || count <= (bytes_.size() - at_) / element_bytes) return error_ ? 0 : count;
        set_error(LoadErrc::out_of_range, "a count exceeds the remaining bytes");
        return 0;
    }

    void skip_padding(std::size_t following)
    {
        const std::size_t padding = (blob_alignment - at_ % blob_alignment) % blob_alignment;
        if (following > bytes_.size() - at_ || padding > bytes_.size() - at_ - following)
            return set_error(LoadErrc::out_of_range, "an array ends after the end of the blob");
        at_ += padding;
    }

    void take(void* out, std::size_t size)
    {
        if (error_ || size == 0) return;
        if (size > bytes_.size() - at_) return set_error(LoadErrc::truncated, "the blob ends within a field");
        std::memcpy(out, bytes_.data() + at_, size);
        at_ += size;
    }

    void set_error(LoadErrc code, const char* detail)
    {
        if (!error_) error_ = LoadError{code, "byte " + std::to_string(at_), detail};
    }

    std::span<std::byte> bytes_;
    std::shared_ptr<const void> owner_;
    std::size_t at_ = sizeof(BlobHeader);
    std::optional<LoadError> error_;
};

LoadResult<void> check_header(std::span<const std::byte> bytes)
{
    BlobHeader header;
    if (bytes.size() < sizeof header)
        return fail(LoadErrc::truncated, "byte 0", "the blob is shorter than its header");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic != BlobHeader{}.magic)
        return fail(LoadErrc::malformed, "byte 0", "this is not a scene blob");
    if (header.version != blob_version)
        return fail(LoadErrc::unsupported, "byte 8",
                    "the blob has version " + std::to_string(header.version));
    if (header.size_bytes > bytes.size())
        return fail(LoadErrc::truncated, "byte 16", "the blob is shorter than its declared size");
    if (header.size_bytes < bytes.size())
        return fail(LoadErrc::malformed, "byte 16", "the blob is longer than its declared size");
    return {};
}

} // namespace

LoadResult<Scene> decode_blob_in_place(std::span<std::byte> bytes, std::shared_ptr<const void> owner)
{
    if (auto ok = check_header(bytes); !ok) return std::unexpected(ok.error());
    Scene scene;
    SceneReader reader(bytes, std::move(owner));
    reader(scene);
    if (auto ok = reader.finish(); !ok) return std::unexpected(ok.error());
    return scene;
}

} // namespace vitrine::scene
