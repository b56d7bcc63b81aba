#pragma once
// What the thumbnails of assets look like: the vector of the descriptor, which the import stores, and with an
// embedder those of its model. One thread sends pictures to the embedder and computes what older versions of
// the program have not stored. Pictures are those without the cover that people have given. Any thread,
// blocking. Throws StorageError.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <prometheus/registry.h>

#include "server/services/catalog/catalog.hpp"
#include "server/services/rendering/image_service.hpp"
#include "server/services/vectors/embedder.hpp"
#include "server/services/vectors/picture_index.hpp"
#include "server/services/vectors/picture_walk.hpp"

namespace vitrine::server {

struct PictureOptions {
    std::optional<EmbedderSettings> embedder{};   // empty: the descriptor alone
    std::chrono::milliseconds first_pause{1'000}; // after a failure; it doubles, up to PictureWalk::max_pause
};

// Pictures that look like that of an asset.
struct SimilarPictures {
    NearPictures near{}; // without the asset itself
    std::string model{}; // whose vectors were compared
    bool is_embedding = false;
    std::string notice{}; // a sentence: why not those of the embedder; empty: there is none, or they were
};

class Pictures {
public:
    static constexpr std::size_t embedding_bits = 1024; // of codes

    Pictures(Catalog& catalog, ImageService& images, prometheus::Registry& registry,
             const PictureOptions& options);
    ~Pictures(); // calls stop()
    Pictures(const Pictures&) = delete;
    Pictures& operator=(const Pictures&) = delete;

    void start();     // of a process that draws
    void interrupt(); // does not wait
    void stop();

    // The import has rendered the thumbnail: stores its descriptor, and has it sent to the embedder later.
    void add_thumbnail(const AssetRecord& asset);

    // Errors: not_ready (no picture of the asset yet).
    Result<SimilarPictures> find_similar(const AssetRecord& asset);

    bool has_embedder() const { return embedder_.has_value(); }
    const std::string& embedder_model() const { return embedding_.name; }
    // The vector of a search, from the embedder; the last ones are kept. Not asked for a few seconds after it
    // has failed. Throws Stopped (loaders/base/stop.hpp) within a second after the work of this thread is
    // stopped. Precondition: has_embedder().
    Embedder::Vector embed_text(const std::string& text);
    NearPictures find_near(const UnitVector& text) { return index_.nearest(embedding_, text); }

    static double score(const SimilarPictures& found, double cosine);

private:
    struct Counters;
    using Made = std::expected<PictureVector, EmbedFailure>;

    Result<render::Frame> picture_of(const AssetRecord& asset);
    Result<PictureVector> describe(const AssetRecord& asset);
    Made embed(const AssetRecord& asset, const std::stop_token& stop);
    bool has_right_size(const UnitVector& vector);

    void run(const std::stop_token& stop);
    bool work(PictureWalk& walk, bool embeds, const std::stop_token& stop);
    bool make_vectors(std::vector<PictureOwner>& owners, bool embeds, const std::stop_token& stop);
    void make_descriptor(const AssetRecord& asset);
    PictureWalk::Work next_work(PictureWalk& walk);
    void report(const std::string& failure);

    Catalog& catalog_;
    ImageService& images_;
    const PictureOptions options_;
    PictureIndex index_;
    std::optional<Embedder> embedder_;
    const VectorModel embedding_; // of the embedder
    const std::unique_ptr<Counters> counters_;
    std::mutex mutex_; // guards the next ones
    std::condition_variable_any changed_;
    PictureWalk descriptors_, embeddings_;
    std::map<std::string, UnitVector> texts_;
    std::chrono::steady_clock::time_point next_text_{};
    bool embeds_text_ = false;
    std::string last_failure_{}; // reported once; empty: the last picture was embedded
    std::jthread thread_;        // last: ends before what it uses
};

} // namespace vitrine::server
