#include "tests/pictures/injected_defects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "loaders/base/srgb.hpp"

namespace vitrine::test {
namespace {

using Rgba = std::array<std::uint8_t, 4>;

constexpr int square = 10;

struct Canvas {
    render::Frame frame;

    int width() const { return static_cast<int>(frame.width); }
    int height() const { return static_cast<int>(frame.height); }
    std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width()) + static_cast<std::size_t>(x);
    }
    Rgba at(int x, int y) const
    {
        const auto* p = &frame.pixels[index(x, y) * 4];
        return {p[0], p[1], p[2], p[3]};
    }
    void set(int x, int y, const Rgba& color)
    {
        std::ranges::copy(color, &frame.pixels.own()[index(x, y) * 4]);
    }
};

// The sum over the square with this upper left corner.
template <class Value>
double square_sum(const Canvas& canvas, int x, int y, Value value)
{
    double sum = 0.0;
    for (int j = y; j < y + square; ++j)
        for (int i = x; i < x + square; ++i)
            sum += static_cast<double>(value(canvas.index(i, j)));
    return sum;
}

std::vector<float> pixel_distances(const Appearance& a, const Appearance& b)
{
    std::vector<float> apart;
    for (std::size_t i = 0; i < a.colors.size(); ++i)
        apart.push_back(glm::distance(a.colors[i], b.colors[i]));
    return apart;
}

// Over the squares in the rectangle with the upper left corner (left, top).
double largest_square_distance(const Canvas& canvas, int left, int top, int width, int height,
                               const std::vector<float>& apart)
{
    double largest = 0.0;
    for (int y = top; y + square <= top + height; ++y)
        for (int x = left; x + square <= left + width; ++x)
            largest = std::max(largest, square_sum(canvas, x, y, [&](auto pixel) { return apart[pixel]; }));
    return largest / (square * square);
}

// Upper left corners of the squares covered by the model, or of the most covered squares if it is thin.
std::vector<std::array<int, 2>> squares_inside(const Canvas& canvas, const Coverage& model)
{
    std::map<int, std::vector<std::array<int, 2>>, std::greater<>> by_coverage; // in percent
    for (int y = 0; y + square <= canvas.height(); y += 2)
        for (int x = 0; x + square <= canvas.width(); x += 2) {
            const double sum = square_sum(canvas, x, y, [&](auto pixel) { return model[pixel]; });
            by_coverage[static_cast<int>(sum)].push_back({x, y});
        }
    std::vector<std::array<int, 2>> found;
    for (const auto& [coverage, corners] : by_coverage) {
        if (!found.empty() && coverage < 95) break;
        found.insert(found.end(), corners.begin(), corners.end());
    }
    return found;
}

Rgba mean_around(const Canvas& canvas, int x, int y)
{
    std::array<int, 4> sum{};
    int count = 0;
    for (int j = std::max(0, y - 1); j <= std::min(canvas.height() - 1, y + square); ++j)
        for (int i = std::max(0, x - 1); i <= std::min(canvas.width() - 1, x + square); ++i) {
            if (i >= x && i < x + square && j >= y && j < y + square) continue;
            const auto color = canvas.at(i, j);
            for (std::size_t c = 0; c < 4; ++c)
                sum[c] += color[c];
            ++count;
        }
    Rgba mean;
    for (std::size_t c = 0; c < 4; ++c)
        mean[c] = static_cast<std::uint8_t>(sum[c] / count);
    return mean;
}

// color_at(x, y) returns the color of the square with the upper left corner x, y.
template <class ColorAt>
std::optional<render::Frame> with_square(const Canvas& canvas, const Appearance& appearance,
                                         const Coverage& model, ColorAt color_at)
{
    constexpr double lost_by_blur = 1.6; // at the rim of the square
    double least = std::numeric_limits<double>::max();
    std::array<int, 2> chosen{};
    for (const auto& [x, y] : squares_inside(canvas, model)) {
        const auto colors = colors_of_surface(color_at(x, y));
        const auto distance = square_sum(canvas, x, y, [&](std::size_t pixel) {
            const auto light = ((pixel % canvas.frame.width / 8) ^ (pixel / canvas.frame.width / 8)) & 1;
            return glm::distance(appearance.colors[pixel], colors[light]);
        });
        if (distance < lost_by_blur * visible_distance * square * square || distance >= least) continue;
        least = distance;
        chosen = {x, y};
    }
    if (least == std::numeric_limits<double>::max()) return std::nullopt;
    auto planted = canvas;
    const Rgba color = color_at(chosen[0], chosen[1]);
    for (int j = 0; j < square; ++j)
        for (int i = 0; i < square; ++i)
            planted.set(chosen[0] + i, chosen[1] + j, color);
    return std::move(planted.frame);
}

std::uint8_t scaled_in_linear_light(std::uint8_t value, float factor)
{
    const float linear = factor * linear_from_byte(value);
    return static_cast<std::uint8_t>(std::lround(255.0f * srgb_from_linear(linear)));
}

render::Frame darkened(const render::Frame& frame, const Coverage& model)
{
    auto planted = frame;
    for (std::size_t i = 0; i < model.size(); ++i)
        for (std::size_t c = 0; c < 3 && model[i] > 0.0f; ++c)
            planted.pixels.own()[4 * i + c] =
                scaled_in_linear_light(planted.pixels[4 * i + c], 1.0f - 0.1f * model[i]);
    return planted;
}

render::Frame recolored(const render::Frame& frame, const Coverage& model)
{
    const auto step_of = [&](std::size_t pixel) {
        const auto* p = &frame.pixels[4 * pixel];
        return std::array{p[0] / 32, p[1] / 32, p[2] / 32};
    };
    std::map<std::array<int, 3>, std::size_t> count;
    for (std::size_t i = 0; i < model.size(); ++i)
        if (model[i] > 0.9f) ++count[step_of(i)];
    auto planted = frame;
    if (count.empty()) return planted;
    const auto most =
        std::ranges::max_element(count, {}, [](const auto& entry) { return entry.second; })->first;
    for (std::size_t i = 0; i < model.size(); ++i) {
        if (model[i] <= 0.9f || step_of(i) != most) continue;
        auto* p = &planted.pixels.own()[4 * i];
        auto* strongest = std::max_element(p, p + 3);
        *strongest = scaled_in_linear_light(*strongest, 0.6f);
    }
    return planted;
}

// Examines tiles at every twelfth pixel.
std::optional<render::Frame> shifted(const Canvas& canvas, const Appearance& appearance)
{
    constexpr int tile = 24, shift = 2;
    auto all = canvas;
    for (int y = 0; y < canvas.height(); ++y)
        for (int x = shift; x < canvas.width(); ++x)
            all.set(x, y, canvas.at(x - shift, y));
    const auto apart = pixel_distances(appearance, appearance_of(all.frame));
    double least = std::numeric_limits<double>::max();
    std::array<int, 2> chosen{};
    for (int y = 0; y + tile <= canvas.height(); y += tile / 2)
        for (int x = 0; x + shift + tile <= canvas.width(); x += tile / 2) {
            const double distance = largest_square_distance(canvas, x + shift, y, tile, tile, apart);
            if (distance < visible_distance || distance >= least) continue;
            least = distance;
            chosen = {x + shift, y};
        }
    if (least == std::numeric_limits<double>::max()) return std::nullopt;
    auto planted = canvas;
    for (int y = chosen[1]; y < chosen[1] + tile; ++y)
        for (int x = chosen[0]; x < chosen[0] + tile; ++x)
            planted.set(x, y, all.at(x, y));
    return std::move(planted.frame);
}

} // namespace

double largest_square_distance(const Appearance& a, const Appearance& b)
{
    Canvas canvas;
    canvas.frame.width = a.width;
    canvas.frame.height = a.height;
    return largest_square_distance(canvas, 0, 0, canvas.width(), canvas.height(), pixel_distances(a, b));
}

std::vector<PlantedDefect> plant_defects(const render::Frame& frame, const Appearance& appearance,
                                         const Coverage& model)
{
    const Canvas canvas{frame};
    std::vector<PlantedDefect> defects;
    auto darker = darkened(frame, model);
    auto darker_appearance = appearance_of(darker);
    defects.push_back({"darker", std::move(darker), std::move(darker_appearance)});
    const auto add = [&](const char* name, std::optional<render::Frame> planted) {
        if (!planted) return;
        auto seen = appearance_of(*planted);
        if (largest_square_distance(appearance, seen) >= visible_distance)
            defects.push_back({name, std::move(*planted), std::move(seen)});
    };
    const auto left_border = [&](int, int y) { return canvas.at(0, y + square / 2); };
    const auto around = [&](int x, int y) { return mean_around(canvas, x, y); };
    const auto black = [](int, int) { return Rgba{0, 0, 0, 255}; };
    const auto white = [](int, int) { return Rgba{255, 255, 255, 255}; };
    add("hole", with_square(canvas, appearance, model, left_border));
    if (defects.size() == 1) add("hole", with_square(canvas, appearance, model, black));
    if (defects.size() == 1) add("hole", with_square(canvas, appearance, model, white));
    add("painted", with_square(canvas, appearance, model, around));
    add("recolored", recolored(frame, model));
    add("shifted", shifted(canvas, appearance));
    return defects;
}

} // namespace vitrine::test
