#include "server/mcp/tool_calls.hpp"

#include <array>
#include <cstddef>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::size_t max_image_bytes = 100'000; // of an image for a model

struct SheetSize {
    int divisor; // of the sides
    int quality;
};

// Drawn one after the other until the image is small enough.
constexpr std::array<SheetSize, 4> smaller_sizes{{{1, 80}, {1, 55}, {2, 70}, {2, 40}}};

// Repeats the request with less quality and fewer pixels. `with_size`: the parameters of a size.
template <class WithSize>
std::expected<std::string, api::Problem> small_image(const RestApi& api, const std::string& path,
                                                     const WithSize& with_size)
{
    std::expected<std::string, api::Problem> image;
    for (const auto& size : smaller_sizes) {
        image = body_of(api(path, with_size(size), "image/jpeg"));
        if (!image || image->size() <= max_image_bytes) return image;
    }
    return std::unexpected(
        api::Problem{.status = 413,
                     .code = "limit_exceeded",
                     .detail = "The image has more than 100 kB: ask for fewer poses, views or pixels."});
}

std::expected<int, api::Problem> whole_argument(const json::object& arguments, std::string_view name,
                                                int least, int most, int otherwise)
{
    const auto* const value = arguments.if_contains(name);
    if (value == nullptr || value->is_null()) return otherwise;
    const auto* const number = value->if_int64();
    if (number == nullptr || *number < least || *number > most)
        return bad_argument(name, fmt::format("must be a whole number from {} to {}", least, most));
    return static_cast<int>(*number);
}

struct LookQuery {
    std::string path; // of the asset
    Query query;      // without size and quality
    int side = 0;
    std::string views;
};

constexpr std::string_view automatic_view = "auto";

std::expected<LookQuery, api::Problem> read_look(const json::object& arguments)
{
    const auto asset = path_segment(arguments, "asset");
    if (!asset) return std::unexpected(asset.error());
    const auto poses = whole_argument(arguments, "poses", 1, 8, 4);
    if (!poses) return std::unexpected(poses.error());
    const auto side = whole_argument(arguments, "size", 64, 512, 192);
    if (!side) return std::unexpected(side.error());
    auto query = to_query(arguments, {"asset", "poses", "size"});
    if (!query) return std::unexpected(query.error());
    LookQuery look{.path = "/v1/assets/" + *asset, .query = std::move(*query), .side = *side};
    for (const auto& [name, value] : look.query)
        if (name == "view") look.views += (look.views.empty() ? "" : "; ") + value;
    if (look.views.empty()) {
        look.views = automatic_view;
        look.query.emplace_back("view", automatic_view);
    }
    look.query.emplace_back("frames", std::to_string(*poses));
    look.query.emplace_back("format", "jpeg");
    return look;
}

// The layout of a sheet in words.
std::string layout_text(const json::object& manifest, const LookQuery& look)
{
    const auto columns = manifest.at("columns").to_number<unsigned>();
    const auto duration = manifest.at("duration").to_number<double>();
    auto text = fmt::format("Rows from top to bottom, by view: {}. ", look.views);
    if (columns == 1) return text + "One column: a pose without motion.";
    text += "Columns from left to right, seconds of the motion:";
    for (unsigned i = 0; i < columns; ++i)
        text += fmt::format("{} {:.3g}", i == 0 ? "" : ",", duration * i / columns);
    return text + fmt::format(" of {:.4g}.", duration);
}

} // namespace

ToolResult look(const json::object& arguments, const RestApi& api)
{
    const auto look = read_look(arguments);
    if (!look) return std::unexpected(look.error());
    const auto manifest = get_json(api, look->path + "/sprite/manifest", look->query);
    if (!manifest) return std::unexpected(manifest.error());
    const auto image = small_image(api, look->path + "/sprite", [&](const SheetSize& size) {
        auto query = look->query;
        query.emplace_back("size", std::to_string(look->side / size.divisor));
        query.emplace_back("quality", std::to_string(size.quality));
        return query;
    });
    if (!image) return std::unexpected(image.error());
    return json::object{{"content", json::array{image_block(*image, "image/jpeg"),
                                                text_block(layout_text(*manifest, *look))}}};
}

ToolResult compare_assets(const json::object& arguments, const RestApi& api)
{
    const auto of_models = to_query(arguments, {"t", "view", "overlay"});
    if (!of_models) return std::unexpected(of_models.error());
    const auto of_image = to_query(arguments);
    if (!of_image) return std::unexpected(of_image.error());
    auto row = get_text(api, "/v1/lineup", *of_models);
    if (!row) return std::unexpected(row.error());
    const auto image = small_image(api, "/v1/render", [&](const SheetSize& size) {
        auto query = *of_image;
        query.emplace_back("w", std::to_string(1024 / size.divisor));
        query.emplace_back("h", std::to_string(512 / size.divisor));
        query.emplace_back("quality", std::to_string(size.quality));
        query.emplace_back("format", "jpeg");
        return query;
    });
    if (!image) return std::unexpected(image.error());
    return json::object{
        {"content", json::array{image_block(*image, "image/jpeg"), text_block(std::move(*row))}}};
}

} // namespace vitrine::server
