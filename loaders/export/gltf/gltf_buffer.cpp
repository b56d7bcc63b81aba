#include "loaders/export/gltf/gltf_buffer.hpp"

#include <algorithm>
#include <array>

#include <glm/gtc/type_ptr.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

namespace {

// Component types and buffer targets of glTF 2.0, 3.6.2.2 and 5.11.5.
constexpr std::uint32_t unsigned_short = 5123, unsigned_int = 5125, float32 = 5126;
constexpr std::uint32_t array_buffer = 34962, element_array_buffer = 34963;

std::pair<glm::vec3, glm::vec3> range_of(std::span<const glm::vec3> values)
{
    glm::vec3 low = values.empty() ? glm::vec3(0) : values[0], high = low;
    for (const auto& value : values) {
        low = glm::min(low, value);
        high = glm::max(high, value);
    }
    return {low, high};
}

std::span<const float, 3> three_floats(const glm::vec3& v)
{
    return std::span<const float, 3>(glm::value_ptr(v), 3);
}

} // namespace

GltfBuffer::GltfBuffer()
{
    views_.begin_array();
    accessors_.begin_array();
}

std::uint32_t GltfBuffer::view(std::span<const std::byte> bytes, std::optional<std::uint32_t> target)
{
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    views_.begin_object().member("buffer", 0u).member("byteOffset", std::uint64_t{bytes_.size()});
    views_.member("byteLength", std::uint64_t{bytes.size()});
    if (target) views_.member("target", *target);
    views_.end_object();
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return view_count_++;
}

void GltfBuffer::write_range(ComponentBounds range)
{
    if (!range.min.empty()) accessors_.member("min", range.min).member("max", range.max);
}

std::uint32_t GltfBuffer::accessor(std::span<const std::byte> bytes, std::size_t count,
                                   std::uint32_t component, const char* type,
                                   std::optional<std::uint32_t> target, ComponentBounds range)
{
    accessors_.begin_object().member("bufferView", view(bytes, target)).member("componentType", component);
    accessors_.member("count", std::uint64_t{count}).member("type", type);
    write_range(range);
    accessors_.end_object();
    return accessor_count_++;
}

std::uint32_t GltfBuffer::positions(std::span<const glm::vec3> values)
{
    const auto [low, high] = range_of(values);
    return accessor(std::as_bytes(values), values.size(), float32, "VEC3", array_buffer,
                    {three_floats(low), three_floats(high)});
}

std::uint32_t GltfBuffer::scalars(std::span<const float> values)
{
    return accessor(std::as_bytes(values), values.size(), float32, "SCALAR", array_buffer);
}

std::uint32_t GltfBuffer::vec2s(std::span<const glm::vec2> values)
{
    return accessor(std::as_bytes(values), values.size(), float32, "VEC2", array_buffer);
}

std::uint32_t GltfBuffer::vec3s(std::span<const glm::vec3> values)
{
    return accessor(std::as_bytes(values), values.size(), float32, "VEC3", array_buffer);
}

std::uint32_t GltfBuffer::vec4s(std::span<const glm::vec4> values)
{
    return accessor(std::as_bytes(values), values.size(), float32, "VEC4", array_buffer);
}

std::uint32_t GltfBuffer::mat4s(std::span<const glm::mat4> values)
{
    return accessor(std::as_bytes(values), values.size(), float32, "MAT4", std::nullopt);
}

std::uint32_t GltfBuffer::joints(std::span<const glm::u16vec4> values)
{
    return accessor(std::as_bytes(values), values.size(), unsigned_short, "VEC4", array_buffer);
}

std::uint32_t GltfBuffer::indices(std::span<const std::uint32_t> values)
{
    if (std::ranges::any_of(values, [](std::uint32_t index) { return index >= 0xffff; }))
        return accessor(std::as_bytes(values), values.size(), unsigned_int, "SCALAR", element_array_buffer);
    std::vector<std::uint16_t> narrow(values.size());
    std::ranges::transform(values, narrow.begin(),
                           [](std::uint32_t index) { return static_cast<std::uint16_t>(index); });
    return accessor(std::as_bytes(std::span(narrow)), narrow.size(), unsigned_short, "SCALAR",
                    element_array_buffer);
}

std::uint32_t GltfBuffer::times(std::span<const float> values)
{
    for (const auto& [known, index] : known_times_)
        if (std::ranges::equal(known, values)) return index;
    const auto range = values.empty() ? ComponentBounds{} : ComponentBounds{values.first(1), values.last(1)};
    const auto index = accessor(std::as_bytes(values), values.size(), float32, "SCALAR", std::nullopt, range);
    if (known_times_.size() < 64) known_times_.emplace_back(std::vector(values.begin(), values.end()), index);
    return index;
}

std::uint32_t GltfBuffer::key_values(std::span<const float> values, std::uint32_t components)
{
    const char* type = components == 1 ? "SCALAR" : components == 3 ? "VEC3" : "VEC4";
    return accessor(std::as_bytes(values), values.size() / components, float32, type, std::nullopt);
}

std::uint32_t GltfBuffer::zeros(std::uint32_t count, const char* type)
{
    accessors_.begin_object().member("componentType", float32).member("count", count).member("type", type);
    accessors_.end_object();
    return accessor_count_++;
}

std::uint32_t GltfBuffer::sparse(std::uint32_t count, std::span<const std::uint32_t> places,
                                 std::span<const std::byte> values, const char* type, ComponentBounds range)
{
    accessors_.begin_object().member("componentType", float32).member("count", count).member("type", type);
    write_range(range);
    if (!places.empty()) {
        accessors_.key("sparse").begin_object().member("count", std::uint64_t{places.size()});
        accessors_.key("indices").begin_object().member("bufferView", view(std::as_bytes(places)));
        accessors_.member("componentType", unsigned_int).end_object();
        accessors_.key("values").begin_object().member("bufferView", view(values)).end_object();
        accessors_.end_object();
    }
    accessors_.end_object();
    return accessor_count_++;
}

std::uint32_t GltfBuffer::sparse(std::uint32_t count, std::span<const std::uint32_t> places,
                                 std::span<const glm::vec3> values, bool with_range)
{
    if (places.size() * (sizeof(std::uint32_t) + sizeof(glm::vec3)) >= count * sizeof(glm::vec3)) {
        std::vector<glm::vec3> all(count, glm::vec3(0.0f));
        for (std::size_t i = 0; i < places.size(); ++i)
            all[places[i]] = values[i];
        return with_range ? positions(all) : vec3s(all);
    }
    auto [low, high] = range_of(values);
    low = glm::min(low, glm::vec3(0));
    high = glm::max(high, glm::vec3(0));
    return sparse(count, places, std::as_bytes(values), "VEC3",
                  with_range ? ComponentBounds{three_floats(low), three_floats(high)} : ComponentBounds{});
}

std::uint32_t GltfBuffer::sparse(std::span<const float> values)
{
    if (values.size() > std::size_t{scene::none}) return key_values(values, 1);
    SparseValues there;
    for (std::size_t i = 0; i < values.size(); ++i)
        there.add(i, values[i]);
    there.count = values.size();
    return 2 * there.places.size() < values.size() ? sparse(there) : key_values(values, 1);
}

std::uint32_t GltfBuffer::sparse(const SparseValues& values)
{
    if (2 * values.places.size() < values.count)
        return sparse(static_cast<std::uint32_t>(values.count), values.places,
                      std::as_bytes(std::span(values.values)), "SCALAR", {});
    std::vector<float> all(values.count, 0.0f);
    for (std::size_t i = 0; i < values.places.size(); ++i)
        all[values.places[i]] = values.values[i];
    return key_values(all, 1);
}

std::string GltfBuffer::take_accessors()
{
    return accessors_.end_array().take();
}

std::string GltfBuffer::take_views()
{
    return views_.end_array().take();
}

} // namespace vitrine::exporting
