#pragma once
// What an image of several models side by side shows.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loaders/images/image.hpp"
#include "tests/integration/http_support.hpp"

namespace vitrine::test {

// Columns of an image that show something: the first and the last of each run, and the highest pixel. A thin
// bone may miss the centers of a few pixels.
struct Shape {
    std::size_t first = 0, last = 0, height = 0;
};

inline std::vector<Shape> shapes_of(const std::string& bytes)
{
    const auto image = images::decode_image(std::as_bytes(std::span(bytes)), "", Limits{});
    std::vector<Shape> shapes;
    if (!image) return shapes;
    for (std::size_t x = 0; x < image->width; ++x) {
        std::size_t height = 0;
        for (std::size_t y = 0; y < image->height; ++y)
            if (image->pixels[4 * (y * image->width + x) + 3] > 127)
                height = std::max(height, image->height - y);
        if (height == 0) continue;
        if (shapes.empty() || shapes.back().last + 4 < x) shapes.push_back({.first = x});
        shapes.back().last = x;
        shapes.back().height = std::max(shapes.back().height, height);
    }
    return shapes;
}

// Of an image of 400x200 pixels from the front; `query`: the assets and what they play.
inline std::vector<Shape> draw_row(int port, const std::string& query)
{
    const auto reply = get(port, "/v1/render?w=400&h=200&view=front&ortho=true&background=transparent&"
                                 "light=reference&format=png&" +
                                     query);
    EXPECT_EQ(reply.status, 200) << query << " " << reply.body.substr(0, 500);
    return shapes_of(reply.body);
}

inline double number_of(const boost::json::value& value, std::string_view pointer)
{
    return value.at_pointer(pointer).to_number<double>();
}

} // namespace vitrine::test
