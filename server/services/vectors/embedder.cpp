#include "server/services/vectors/embedder.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "loaders/io/base64.hpp"
#include "server/http_client/http_client.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

json::object request_of(const EmbedderSettings& settings, json::value input)
{
    return {
        {"model", settings.model}, {"input", json::array{std::move(input)}}, {"encoding_format", "float"}};
}

// Those by which a server says that it does not take this input.
bool is_rejection(int status)
{
    return status == 400 || status == 413 || status == 415 || status == 422;
}

const json::value* find_embedding(const json::value& response)
{
    boost::system::error_code error;
    return response.find_pointer("/data/0/embedding", error);
}

} // namespace

std::expected<UnitVector, std::string> parse_embedding(std::string_view text)
{
    boost::system::error_code error;
    const auto response = json::parse(text, error);
    if (error) return std::unexpected("is not JSON");
    const auto* const embedding = find_embedding(response);
    if (embedding == nullptr || !embedding->is_array())
        return std::unexpected("has no array data[0].embedding");
    const auto& items = embedding->get_array();
    if (items.size() < min_dimensions || items.size() > max_dimensions)
        return std::unexpected(fmt::format("has a vector of {} numbers; {} to {} are allowed", items.size(),
                                           min_dimensions, max_dimensions));
    std::vector<float> numbers;
    for (const auto& item : items) {
        const double number = item.to_number<double>(error);
        if (error) return std::unexpected("has a vector with a value that is not a number");
        numbers.push_back(static_cast<float>(number));
    }
    auto vector = UnitVector::make(std::move(numbers));
    if (!vector) return std::unexpected("has a vector without a direction");
    return *std::move(vector);
}

Embedder::Embedder(EmbedderSettings settings) : settings_(std::move(settings)) {}

Embedder::Vector Embedder::embed_text(std::string_view text, const std::stop_token& stop) const
{
    return send(json::serialize(request_of(settings_, json::string(text))), stop);
}

Embedder::Vector Embedder::embed_picture(std::span<const std::byte> png, const std::stop_token& stop) const
{
    const auto base64 = io::encode_base64({reinterpret_cast<const char*>(png.data()), png.size()});
    if (settings_.shape == PictureShape::objects)
        return send(json::serialize(request_of(settings_, json::object{{"image", base64}})), stop);
    auto request = request_of(settings_, json::string("data:image/png;base64," + base64));
    request["modality"] = "image";
    return send(json::serialize(request), stop);
}

Embedder::Vector Embedder::send(std::string body, const std::stop_token& stop) const
{
    HttpCall call{.url = settings_.url, .headers = {"Content-Type: application/json"}};
    call.body = std::move(body);
    call.connect_time = call.total_time = settings_.timeout;
    call.stop = stop;
    if (!settings_.token.empty()) call.headers.push_back("Authorization: Bearer " + settings_.token);
    HttpAnswer answer;
    try {
        answer = send_call(call);
    } catch (const std::runtime_error& error) {
        return std::unexpected(EmbedFailure{error.what()});
    }
    if (answer.status == 0) return std::unexpected(EmbedFailure{"cannot be reached: " + answer.failure});
    if (answer.status != 200)
        return std::unexpected(
            EmbedFailure{fmt::format("responds with status {}", answer.status), is_rejection(answer.status)});
    auto vector = parse_embedding(answer.body);
    if (!vector) return std::unexpected(EmbedFailure{"sends a response that " + vector.error()});
    return *std::move(vector);
}

} // namespace vitrine::server
