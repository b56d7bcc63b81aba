#pragma once
// A model whose surface names a shader of a script.

#include <gtest/gtest.h>

#include "tests/support/tga.hpp"
#include "tests/unit/md3/samples.hpp"

namespace vitrine::test {

// A model whose surface names `shader`, next to a script and images with these names; each image's gray value
// is its position in the list, from 1 on.
inline scene::Scene with_script(const std::string& script, const std::vector<std::string>& pictures,
                                const std::string& shader = "models/a/fur")
{
    Md3Model model;
    model.surfaces[0].shaders = {shader};
    std::map<std::string, std::string> files{{"models/a/a.md3", model.write()},
                                             {"scripts/animals.shader", script}};
    for (std::size_t i = 0; i < pictures.size(); ++i)
        files[pictures[i]] = pixel(static_cast<std::uint8_t>(i + 1), 100);
    return valid(load_md3_files("models/a/a.md3", std::move(files)));
}

// A shader of a script.
inline std::string shader(const std::string& body, const std::string& name = "models/a/fur")
{
    return name + "\n{\n" + body + "\n}\n";
}

} // namespace vitrine::test
