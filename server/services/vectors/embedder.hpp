#pragma once
// Vectors of texts and pictures from a server with the API of OpenAI for embeddings (POST .../embeddings).
// The operator names it, so that its address may be private. Any thread, blocking.
//
//   {"model": M, "input": ["a text"], "encoding_format": "float"}
//   {"model": M, "input": ["data:image/png;base64,..."], "modality": "image", "encoding_format": "float"}
//   {"model": M, "input": [{"image": "BASE64"}], "encoding_format": "float"}   with PictureShape::objects
//   response: {"data": [{"embedding": [0.1, ...]}]}

#include <chrono>
#include <cstddef>
#include <expected>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/services/vectors/unit_vector.hpp"

namespace vitrine::server {

enum class PictureShape : std::uint8_t {
    modality, // a data URI, and "modality": "image", as the server `infinity` reads it
    objects,  // an object with the picture in base64, as Jina's servers read it
};

struct EmbedderSettings {
    std::string url;     // of the endpoint, with its path; http or https
    std::string model{}; // named in requests, and beside the vectors
    std::string token{}; // sent as Authorization: Bearer; empty: none
    PictureShape shape = PictureShape::modality;
    std::chrono::milliseconds timeout{10'000};
};

struct EmbedFailure {
    std::string detail;       // the end of a sentence
    bool is_of_input = false; // the server works, but not with this text or picture
};

class Embedder {
public:
    explicit Embedder(EmbedderSettings settings);

    using Vector = std::expected<UnitVector, EmbedFailure>;
    Vector embed_text(std::string_view text, const std::stop_token& stop = {}) const;
    Vector embed_picture(std::span<const std::byte> png, const std::stop_token& stop = {}) const;

    const EmbedderSettings& settings() const { return settings_; }

private:
    Vector send(std::string body, const std::stop_token& stop) const;

    const EmbedderSettings settings_;
};

// The vector of a response. Errors: no JSON of this shape, too few or too many numbers, or one that is not
// finite.
std::expected<UnitVector, std::string> parse_embedding(std::string_view json);

} // namespace vitrine::server
