#pragma once
// Images of maps that cannot be used, and the warning about each.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

struct BrokenImage {
    std::string file;                         // as the model names it
    std::map<std::string, std::string> files; // beside the model
    std::string code;                         // of the warning
    std::string reason;                       // part of its message
};

// Missing, in a format that is not supported, without a known format, and truncated.
inline std::vector<BrokenImage> broken_images()
{
    using namespace std::string_literals;
    const std::string avif = "\0\0\0\x1C"
                             "ftypavif\0\0\0\0mif1miaf"s;
    return {
        {"gone.png", {}, "missing_image", ""},
        {"map.avif",
         {{"map.avif", avif}},
         "invalid_image",
         ": it is an AVIF image, a format that is not supported"},
        {"odd.png", {{"odd.png", "no picture"}}, "invalid_image", ": the bytes are not a known image format"},
        {"short.png", {{"short.png", "\x89PNG\r\n\x1a\n"}}, "invalid_image", ": PNG image: "}};
}

// Expects a warning with the code of the image whose single sentence has its file and reason.
inline void expect_named(const std::vector<scene::Warning>& warnings, const BrokenImage& image)
{
    const auto found = std::ranges::find(warnings, image.code, &scene::Warning::code);
    ASSERT_NE(found, warnings.end()) << image.file;
    EXPECT_TRUE(found->message.contains("the image '" + image.file + "' ")) << found->message;
    EXPECT_TRUE(found->message.contains(image.reason)) << found->message;
    EXPECT_FALSE(found->message.contains(". ")) << found->message;
}

} // namespace vitrine::test
