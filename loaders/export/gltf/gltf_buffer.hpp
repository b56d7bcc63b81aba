#pragma once
// The binary data of a glTF document: one buffer, and its views and accessors as JSON.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/export/gltf/json_writer.hpp"

namespace vitrine::exporting {

// Zeros, except values[i] at places[i]; places ascend.
struct SparseValues {
    std::uint64_t count = 0; // total number, including zeros
    std::vector<std::uint32_t> places{};
    std::vector<float> values{};

    // Appends at `offset` relative to `count`.
    void add(std::uint64_t offset, float value)
    {
        if (value == 0.0f) return;
        places.push_back(static_cast<std::uint32_t>(count + offset));
        values.push_back(value);
    }
};

class GltfBuffer {
public:
    GltfBuffer();

    // Each function returns the accessor's index. Positions and times have min and max, as the specification
    // requires.
    std::uint32_t positions(std::span<const glm::vec3> values);
    std::uint32_t scalars(std::span<const float> values); // one per vertex
    std::uint32_t vec2s(std::span<const glm::vec2> values);
    std::uint32_t vec3s(std::span<const glm::vec3> values);
    std::uint32_t vec4s(std::span<const glm::vec4> values);
    std::uint32_t mat4s(std::span<const glm::mat4> values);
    std::uint32_t joints(std::span<const glm::u16vec4> values);
    std::uint32_t indices(std::span<const std::uint32_t> values); // 16 bits where sufficient
    std::uint32_t times(std::span<const float> values);           // equal times share one accessor
    std::uint32_t key_values(std::span<const float> values, std::uint32_t components); // 1: SCALAR, 3, 4
    // Adds `count` elements of zeros.
    std::uint32_t zeros(std::uint32_t count, const char* type);
    // Zeros, except values[i] at the ascending places[i]; a dense accessor when that is smaller.
    std::uint32_t sparse(std::uint32_t count, std::span<const std::uint32_t> places,
                         std::span<const glm::vec3> values, bool with_range);
    std::uint32_t sparse(std::span<const float> values);
    std::uint32_t sparse(const SparseValues& values);
    // Adds a buffer view without an accessor (an image).
    std::uint32_t view(std::span<const std::byte> bytes, std::optional<std::uint32_t> target = std::nullopt);

    // The buffer must not be used afterwards.
    bool has_accessors() const { return accessor_count_ > 0; }
    bool has_views() const { return view_count_ > 0; }
    std::string take_accessors();
    std::string take_views();
    std::vector<std::byte> take_bytes() { return std::move(bytes_); }
    std::size_t size() const { return bytes_.size(); }

private:
    struct ComponentBounds {
        std::span<const float> min, max;
    };
    std::uint32_t accessor(std::span<const std::byte> bytes, std::size_t count, std::uint32_t component,
                           const char* type, std::optional<std::uint32_t> target, ComponentBounds range = {});
    void write_range(ComponentBounds range);
    std::uint32_t sparse(std::uint32_t count, std::span<const std::uint32_t> places,
                         std::span<const std::byte> values, const char* type, ComponentBounds range);

    std::vector<std::byte> bytes_;
    JsonWriter views_;
    JsonWriter accessors_;
    std::uint32_t view_count_ = 0;
    std::uint32_t accessor_count_ = 0;
    std::vector<std::pair<std::vector<float>, std::uint32_t>> known_times_;
};

} // namespace vitrine::exporting
