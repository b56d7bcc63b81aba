#pragma once
// A document that draws geometry "g".

#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {

// Node "n" draws it.
inline std::string with(const std::string& geometries)
{
    return Document{.libraries = library("geometries", geometries),
                    .nodes = "<node id='n'><instance_geometry url='#g'/></node>"}
        .text();
}

// The vertices of geometry `g` as an input of a primitive.
inline std::string input(const std::string& g)
{
    return "<input semantic='VERTEX' source='#" + g + "-v' offset='0'/>";
}

} // namespace vitrine::dae::test
