#pragma once
// Builds small glTF documents: JSON from text, binary data from values.

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "loaders/gltf/gltf.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {

template <class T>
std::string to_bytes(const std::vector<T>& values)
{
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
constexpr int component_type()
{
    if constexpr (std::is_same_v<T, float>) return 5126;
    if constexpr (std::is_same_v<T, std::int8_t>) return 5120;
    if constexpr (std::is_same_v<T, std::uint8_t>) return 5121;
    if constexpr (std::is_same_v<T, std::int16_t>) return 5122;
    if constexpr (std::is_same_v<T, std::uint16_t>) return 5123;
    if constexpr (std::is_same_v<T, std::uint32_t>) return 5125;
}

class GltfBuilder {
public:
    // Each function returns the index of what it adds. `json` is an object's text.
    int add(const std::string& list, std::string json);
    int view(const std::string& bytes, int stride = 0);
    // Appends bytes to the buffer and returns the members that refer to them ("buffer":0,"byteOffset":...).
    std::string slice(const std::string& bytes);
    // `more` are further members: ",\"normalized\":true".
    // Floats have min and max.
    template <class T>
    int accessor(const std::vector<T>& values, std::string_view type, const std::string& more = {})
    {
        std::string bounds;
        if constexpr (std::is_same_v<T, float>) bounds = bounds_of(values, components(type));
        return accessor_in(view(to_bytes(values)), values.size() / components(type), component_type<T>(),
                           type, more + bounds);
    }
    int accessor_in(int view, std::size_t count, int component, std::string_view type,
                    const std::string& more = {});

    // A mesh of one primitive of these attributes ("\"POSITION\":0"), with further members of the primitive.
    int mesh(const std::string& attributes, const std::string& more = {});
    // A member of the root: "\"scene\":1".
    void root(const std::string& member) { root_.push_back(member); }
    void file(const std::string& name, std::string bytes) { files_[name] = std::move(bytes); }

    std::string json(bool glb) const;
    std::string glb() const;
    LoadResult<scene::Scene> load_glb(const Limits& limits = {}) const;
    LoadResult<scene::Scene> load_gltf(const Limits& limits = {}) const;

    static std::size_t components(std::string_view type);

private:
    static std::string bounds_of(const std::vector<float>& values, std::size_t components);

    std::map<std::string, std::vector<std::string>> lists_;
    std::vector<std::string> root_;
    std::map<std::string, std::string> files_;
    std::string body_;
};

// A document with one triangle (0,0,0) (1,0,0) (0,1,0) facing +Z: accessor 0 positions, 1 normals; mesh 0,
// node 0.
GltfBuilder triangle();

LoadResult<scene::Scene> load_text(const std::string& json, std::map<std::string, std::string> files = {},
                                   const Limits& limits = {});

const scene::Node& node_named(const scene::Scene& scene, std::string_view name);
bool warned(const scene::Scene& scene, std::string_view code);

} // namespace vitrine::test
