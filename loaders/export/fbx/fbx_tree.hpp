#pragma once
// Elements of an FBX file, and its two containers. The binary container deflates arrays of more than a few
// numbers.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "loaders/export/named_file.hpp"

namespace vitrine::exporting {

struct FbxRaw { // binary data such as images; omitted in the text container
    std::vector<std::byte> bytes;
};

using FbxValue =
    std::variant<std::int32_t, std::int64_t, double, std::string, FbxRaw, std::vector<std::int32_t>,
                 std::vector<std::int64_t>, std::vector<float>, std::vector<double>>;

struct FbxElement {
    std::string name;
    std::vector<FbxValue> values;
    std::vector<FbxElement> children;

    FbxElement& add(std::string child, std::vector<FbxValue> child_values = {})
    {
        return children.emplace_back(std::move(child), std::move(child_values));
    }
    // Adds a property to a Properties70 element.
    void property(std::string_view property_name, std::string_view type, std::string_view label,
                  std::string_view flags, std::vector<FbxValue> property_values);
};

enum class FbxContainer : std::uint8_t { binary, text };

// `root` contains the top-level elements. Object names have the form "Class::name".
std::vector<std::byte> write_fbx_tree(const FbxElement& root, FbxContainer container);

} // namespace vitrine::exporting
