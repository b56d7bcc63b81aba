#include "server/handlers/view_params.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "vk_renderer/view_words.hpp"

namespace vitrine::server {
namespace {

constexpr double max_metres = 1e9;

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (;;) {
        auto end = std::min(text.find(separator), text.size());
        parts.emplace_back(text.substr(0, end));
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string_view trim(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

// The weight of one entry of Accept for one type; negative: it is another type. An exact type counts before
// "image/*" before "*/*".
struct Weight {
    double q = -1.0;
    int precision = -1;
};

Weight weigh(std::string_view entry, std::string_view type)
{
    auto parts = split(entry, ';');
    auto name = trim(parts.front());
    int precision = name == type ? 2 : name == "image/*" ? 1 : name == "*/*" ? 0 : -1;
    if (precision < 0) return {};
    double q = 1.0;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        auto parameter = trim(parts[i]);
        if (parameter.starts_with("q=")) q = parse_number(parameter.substr(2)).value_or(0.0);
    }
    return {q, precision};
}

double quality_of(std::string_view accept, std::string_view type)
{
    Weight best;
    for (const auto& entry : split(accept, ',')) {
        auto weight = weigh(entry, type);
        if (weight.precision > best.precision) best = weight;
    }
    return best.q;
}

} // namespace

render::View read_view(QueryReader& reader, std::uint32_t largest_side)
{
    render::View view;
    view.width = static_cast<std::uint32_t>(reader.integer("w", 1, largest_side).value_or(512));
    view.height = static_cast<std::uint32_t>(reader.integer("h", 1, largest_side).value_or(512));
    if (auto camera = render::parse_camera(reader.text("view").value_or("three-quarter"))) {
        view.camera = *camera;
    } else {
        reader.refuse("view", "must be " + render::camera_words());
    }
    if (auto target = reader.numbers("target", 3, 3)) {
        bool far =
            std::any_of(target->begin(), target->end(), [](double x) { return std::abs(x) > max_metres; });
        if (far) reader.refuse("target", "is out of range");
        view.camera.target = glm::vec3((*target)[0], (*target)[1], (*target)[2]);
    }
    view.camera.vertical_fov = static_cast<float>(reader.number("fov", 1.0, 170.0).value_or(45.0));
    view.camera.orthographic = reader.flag("ortho").value_or(false);
    if (!render::parse_background(reader.text("background").value_or("studio"), view.background))
        reader.refuse("background", fmt::format("must be {}", render::background_words));
    auto overlays = render::parse_overlays(reader.text("overlay").value_or(""));
    if (!overlays) reader.refuse("overlay", fmt::format("takes {}", render::overlay_words));
    view.overlays = overlays.value_or(render::Overlays{});
    view.light = reader
                     .choice<render::Light>("light", {{"studio", render::Light::studio},
                                                      {"reference", render::Light::reference}})
                     .value_or(render::Light::studio);
    return view;
}

std::optional<render::ImageFormat> negotiate_image(std::optional<std::string_view> accept)
{
    using render::ImageFormat;
    if (!accept || accept->empty()) return ImageFormat::png;
    std::optional<ImageFormat> best;
    double best_q = 0.0;
    constexpr std::array<std::pair<ImageFormat, std::string_view>, 3> types{
        {{ImageFormat::png, "image/png"},
         {ImageFormat::webp, "image/webp"},
         {ImageFormat::jpeg, "image/jpeg"}}};
    for (auto [format, type] : types) {
        double q = quality_of(*accept, type);
        if (q > best_q) {
            best = format;
            best_q = q;
        }
    }
    return best;
}

} // namespace vitrine::server
