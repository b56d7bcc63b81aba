// Options of `vitrine serve` about the embedder, a server that makes vectors of pictures and texts.

#include <algorithm>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include "server/config_numbers.hpp"
#include "server/option_declarer.hpp"
#include "server/util/token_file.hpp"

namespace vitrine::server {
namespace {

bool is_http_url(std::string_view url)
{
    const bool is_text = std::ranges::all_of(url, [](char c) { return c > ' ' && c < '\x7f' && c != '@'; });
    for (const std::string_view scheme : {"http://", "https://"})
        if (is_text && url.starts_with(scheme) && url.size() > scheme.size() && url[scheme.size()] != '/')
            return true;
    return false;
}

} // namespace

void declare_embedder(CLI::App& app, Config& config)
{
    const auto option = option_declarer(app, "Search by pictures");
    auto& embedder = config.embedder;
    option("--embedder-url", embedder.url, "VITRINE_EMBEDDER_URL",
           "Endpoint (OpenAI's POST .../v1/embeddings) that makes vectors of thumbnails and searched texts; "
           "it may be in a private network");
    option("--embedder-model", embedder.model, "VITRINE_EMBEDDER_MODEL",
           "Its model, which must take pictures and texts (CLIP, SigLIP); another one: all pictures are sent "
           "again");
    option("--embedder-token-file", config.embedder_token_file, "VITRINE_EMBEDDER_TOKEN_FILE",
           "File with a token that is sent to it");
    option(
        "--embedder-pictures", config.embedder_pictures, "VITRINE_EMBEDDER_PICTURES",
        "How pictures are sent: modality (data URIs with \"modality\": \"image\", as infinity reads them) or "
        "objects ({\"image\": base64}, as Jina's servers read them)")
        ->check(CLI::IsMember({"modality", "objects"}))
        ->capture_default_str();
    option("--embedder-seconds", config.embedder_seconds, "VITRINE_EMBEDDER_SECONDS",
           "Time limit of a request to it; a search waits as long at most")
        ->check(CLI::Range(1, 120))
        ->capture_default_str();
}

std::string finish_embedder(Config& config)
{
    auto& embedder = config.embedder;
    if (embedder.url.empty())
        return embedder.model.empty() && config.embedder_token_file.empty()
                   ? ""
                   : "the options --embedder-... require --embedder-url";
    if (!is_http_url(embedder.url)) return "--embedder-url " + embedder.url + " must be an http or https URL";
    constexpr std::size_t max_model_bytes = 200;
    if (embedder.model.empty() || embedder.model.size() > max_model_bytes ||
        embedder.model.starts_with("vitrine."))
        return "--embedder-url requires --embedder-model, a name of at most 200 bytes that does not begin "
               "with "
               "vitrine.";
    if (!config.embedder_token_file.empty()) {
        auto token = read_secret(config.embedder_token_file);
        if (!token)
            return "--embedder-token-file " + config.embedder_token_file.string() +
                   " cannot be read, or is empty";
        embedder.token = *std::move(token);
    }
    embedder.shape = config.embedder_pictures == "objects" ? PictureShape::objects : PictureShape::modality;
    embedder.timeout = std::chrono::seconds(config.embedder_seconds);
    return {};
}

boost::json::object embedder_json(const Config& config)
{
    return {{"url", config.embedder.url},
            {"model", config.embedder.model},
            {"tokenFile", config.embedder_token_file.string()},
            {"pictures", config.embedder_pictures},
            {"seconds", config.embedder_seconds}};
}

} // namespace vitrine::server
