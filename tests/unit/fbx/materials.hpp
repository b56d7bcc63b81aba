#pragma once
// FBX files with one material from short texts, and their conversion.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "loaders/fbx/materials/materials.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/unit/obj/samples.hpp"

namespace vitrine::fbx {

inline const std::string red = test::tga(1, 1, {255, 0, 0, 255});
inline const std::string gray_ramp = test::tga(2, 1, {0, 0, 0, 255, 128, 128, 128, 255});

struct LoadedMaterial {
    std::shared_ptr<const std::string> text; // names in the map are views into it
    scene::Scene scene;
    MaterialMap map;
    std::vector<scene::Warning> warnings;
    std::vector<std::string> codes; // of the warnings
    const scene::Material& material() const { return scene.materials.at(0); }
};

inline LoadedMaterial load_material_text(const std::string& file,
                                         std::map<std::string, std::string> files = {},
                                         const Limits& limits = {})
{
    LoadedMaterial out;
    out.text = std::make_shared<const std::string>(file);
    const auto& text = *out.text;
    io::WarningLog warnings;
    const auto document = Document::parse(std::as_bytes(std::span(text)), {}, warnings);
    EXPECT_TRUE(document) << document.error().where << document.error().detail;
    if (!document) return out;
    files["model.fbx"] = text;
    test::MemorySource source("model.fbx", std::move(files));
    const LoadContext context{*document, source, limits, warnings, out.scene};
    auto map = add_materials(context);
    EXPECT_TRUE(map);
    if (map) out.map = std::move(*map);
    out.warnings = warnings.take();
    for (const auto& warning : out.warnings)
        out.codes.push_back(warning.code);
    return out;
}

// A material with these properties, textures and connections (1: the material, 2 ..: textures).
inline LoadedMaterial load_material(const std::string& properties, const std::string& textures = {},
                                    const std::string& connections = {},
                                    std::map<std::string, std::string> files = {}, const Limits& limits = {})
{
    return load_material_text(
        "; FBX 7.4.0 project file\nObjects: { Material: 1, \"Material::m\", \"\" { Properties70: {\n" +
            properties + "} }\n" + textures + "}\nConnections: {\n" + connections + "}\n",
        std::move(files), limits);
}

inline std::string texture(int id, const std::string& file, const std::string& properties = {})
{
    return "Texture: " + std::to_string(id) + ", \"Texture::t\", \"\" { RelativeFilename: \"" + file +
           "\"\nProperties70: {\n" + properties + "} }\n";
}

inline std::string connect(int texture, const std::string& property)
{
    return "C: \"OP\"," + std::to_string(texture) + ",1, \"" + property + "\"\n";
}

inline std::string property(const std::string& name, const char* type, const std::string& value)
{
    return fmt::format("P: \"{}\", {},{}\n", name, type, value);
}

inline std::string number(const std::string& name, const std::string& value)
{
    return property(name, R"("Number", "", "A")", value);
}

inline std::string color(const std::string& name, const std::string& value)
{
    return property(name, R"("Color", "", "A")", value);
}

} // namespace vitrine::fbx
