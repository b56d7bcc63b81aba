#include "server/services/pictures/pictures.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <prometheus/counter.h>
#include <spdlog/spdlog.h>

#include "loaders/base/stop.hpp"
#include "server/services/vectors/picture_descriptor.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr std::uint32_t picture_size = 256; // pixels: that of the thumbnails that imports render
constexpr auto text_pause = 5s;             // in which a failed embedder is not asked for texts
constexpr std::size_t max_texts = 1'000;    // whose vectors are kept

const VectorModel& descriptor()
{
    static const VectorModel model{std::string(descriptor_model), descriptor_bits};
    return model;
}

prometheus::Counter& pictures_counter(prometheus::Registry& registry, const char* outcome)
{
    return prometheus::BuildCounter()
        .Name("vitrine_embedded_pictures_total")
        .Help("Pictures sent to the embedder by outcome; rejected: it takes others")
        .Register(registry)
        .Add({{"outcome", outcome}});
}

// As the embedder reads it: over white, since few models know transparency.
std::vector<std::byte> to_png(render::Frame picture)
{
    auto& pixels = picture.pixels.own();
    for (std::size_t i = 0; i < pixels.size(); i += 4) {
        const unsigned alpha = pixels[i + 3];
        for (std::size_t c = i; c < i + 3; ++c)
            pixels[c] = static_cast<std::uint8_t>((pixels[c] * alpha + 255 * (255 - alpha)) / 255);
        pixels[i + 3] = 255;
    }
    return render::encode(picture, render::ImageFormat::png);
}

} // namespace

struct Pictures::Counters {
    explicit Counters(prometheus::Registry& registry)
        : embedded(pictures_counter(registry, "embedded")), rejected(pictures_counter(registry, "rejected")),
          failed(pictures_counter(registry, "failed"))
    {
    }
    prometheus::Counter &embedded, &rejected, &failed;
};

Pictures::Pictures(Catalog& catalog, ImageService& images, prometheus::Registry& registry,
                   const PictureOptions& options)
    : catalog_(catalog), images_(images), options_(options), index_(catalog.connections()),
      embedding_{options.embedder ? options.embedder->model : std::string(), embedding_bits},
      counters_(std::make_unique<Counters>(registry)), descriptors_(options.first_pause),
      embeddings_(options.first_pause)
{
    if (options.embedder) embedder_.emplace(*options.embedder);
}

Pictures::~Pictures()
{
    stop();
}

void Pictures::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Pictures::interrupt()
{
    thread_.request_stop();
}

void Pictures::stop()
{
    interrupt();
    if (thread_.joinable()) thread_.join();
}

// Errors: those of ImageService::thumbnail.
Result<render::Frame> Pictures::picture_of(const AssetRecord& asset)
{
    auto plain = asset;
    plain.cover.clear();
    const auto image = images_.thumbnail(plain, {.size = picture_size});
    if (!image) return std::unexpected(image.error());
    auto picture = render::decode_webp(*image->bytes);
    if (!picture) return make_error(Errc::unavailable, "no_picture", "the thumbnail cannot be decoded");
    return *std::move(picture);
}

Result<PictureVector> Pictures::describe(const AssetRecord& asset)
{
    const auto picture = picture_of(asset);
    if (!picture) return std::unexpected(picture.error());
    return PictureVector{asset.id, asset.version, describe_picture(*picture)};
}

void Pictures::add_thumbnail(const AssetRecord& asset)
{
    if (auto picture = describe(asset)) index_.store(descriptor(), {*std::move(picture)});
    if (!embedder_) return;
    {
        const std::lock_guard lock(mutex_);
        embeddings_.want({asset.id, asset.version});
    }
    changed_.notify_one();
}

// The vectors of one model have one size.
bool Pictures::has_right_size(const UnitVector& vector)
{
    const auto known = index_.dimensions(embedding_.name);
    return !known || *known == vector.size();
}

Pictures::Made Pictures::embed(const AssetRecord& asset, const std::stop_token& stop)
{
    auto picture = picture_of(asset);
    if (!picture)
        return std::unexpected(EmbedFailure{"has got no picture: " + picture.error().detail,
                                            picture.error().kind != Errc::busy});
    auto vector = embedder_->embed_picture(to_png(*std::move(picture)), stop);
    if (!vector) return std::unexpected(vector.error());
    if (!has_right_size(*vector))
        return std::unexpected(EmbedFailure{
            fmt::format("sends vectors of {} numbers, unlike before under this name", vector->size())});
    return PictureVector{asset.id, asset.version, *std::move(vector)};
}

void Pictures::report(const std::string& failure)
{
    if (failure != last_failure_ && !failure.empty())
        spdlog::warn("msg=\"pictures are not embedded now\" url={:?} why={:?}",
                     std::string_view(embedder_->settings().url), std::string_view(failure));
    last_failure_ = failure;
}

void Pictures::make_descriptor(const AssetRecord& asset)
{
    if (auto picture = describe(asset)) index_.store(descriptor(), {*std::move(picture)});
}

// Returns false if the rest should be made later: the embedder does not work, or all ends.
bool Pictures::make_vectors(std::vector<PictureOwner>& owners, bool embeds, const std::stop_token& stop)
{
    constexpr std::size_t max_rejected = 8; // one after the other: it rejects all
    for (std::size_t rejected = 0; !owners.empty(); owners.pop_back()) {
        if (stop.stop_requested()) return false;
        const auto asset = catalog_.find_version(owners.back().asset, owners.back().version);
        if (!asset) continue; // purged
        if (!embeds) {
            make_descriptor(*asset);
            continue;
        }
        auto made = embed(*asset, stop);
        if (made) {
            index_.store(embedding_, {*std::move(made)});
            counters_->embedded.Increment();
            report({});
            rejected = 0;
            continue;
        }
        const bool is_rejected = made.error().is_of_input;
        (is_rejected ? counters_->rejected : counters_->failed).Increment();
        if (is_rejected && ++rejected < max_rejected) continue;
        report(made.error().detail);
        return false;
    }
    return true;
}

PictureWalk::Work Pictures::next_work(PictureWalk& walk)
{
    const std::lock_guard lock(mutex_);
    return walk.next(steady_clock::now(), [this] { return index_.last_asset(); });
}

// Returns whether there was something to do.
bool Pictures::work(PictureWalk& walk, bool embeds, const std::stop_token& stop)
{
    PictureWalk::Work work;
    std::vector<PictureOwner> owners;
    bool is_wanted = false, is_done = true;
    try {
        work = next_work(walk); // asks the database, as all below
        is_wanted = !work.owners.empty();
        owners = work.owners;
        for (const auto& part : work.parts)
            owners = index_.missing(embeds ? embedding_.name : descriptor().name, part.first, part.last);
        is_done = make_vectors(owners, embeds, stop);
    } catch (const std::exception& error) { // the database, or a thumbnail that cannot be read
        spdlog::warn("msg=\"pictures are not described now\" error={:?}", std::string_view(error.what()));
        is_done = false;
    }
    if (is_wanted) work.owners = owners; // those that are left
    const std::lock_guard lock(mutex_);
    if (!is_done)
        walk.fail(steady_clock::now(), work);
    else if (is_wanted || !work.parts.empty())
        walk.succeed();
    return is_done && (is_wanted || !work.parts.empty());
}

void Pictures::run(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        bool worked = work(descriptors_, false, stop);
        if (embedder_) worked = work(embeddings_, true, stop) || worked;
        if (worked) continue;
        std::unique_lock lock(mutex_);
        const auto due = [this] {
            return embedder_ ? std::min(descriptors_.next_time(), embeddings_.next_time())
                             : descriptors_.next_time();
        };
        changed_.wait_until(lock, stop, due(), [&] { return due() <= steady_clock::now(); });
    }
}

Result<SimilarPictures> Pictures::find_similar(const AssetRecord& asset)
{
    SimilarPictures found{.model = descriptor().name};
    auto vector = embedder_ ? index_.find(embedding_.name, asset.id, asset.version) : std::nullopt;
    if (vector) {
        found.model = embedding_.name;
        found.is_embedding = true;
    } else {
        if (embedder_)
            found.notice =
                "The embedder has not processed the picture of this asset yet: outlines, shading and "
                "colors were compared.";
        vector = index_.find(descriptor().name, asset.id, asset.version);
        if (!vector && asset.has_thumbnail) { // of an older version of the program
            auto made = describe(asset);
            if (!made) return std::unexpected(made.error());
            vector = made->vector;
        }
    }
    if (!vector) return found; // it shows nothing
    found.near = index_.nearest(found.is_embedding ? embedding_ : descriptor(), *vector);
    std::erase_if(found.near.items, [&](const NearPicture& item) { return item.asset == asset.id; });
    return found;
}

double Pictures::score(const SimilarPictures& found, double cosine)
{
    return found.is_embedding ? std::clamp(cosine, 0.0, 1.0) : descriptor_score(cosine);
}

Embedder::Vector Pictures::embed_text(const std::string& text)
{
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = texts_.find(text); known != texts_.end()) return known->second;
        if (steady_clock::now() < next_text_) return std::unexpected(EmbedFailure{"has just failed"});
        // Each waits on a thread of the catalog's pool.
        if (embeds_text_) return std::unexpected(EmbedFailure{"is busy"});
        embeds_text_ = true;
    }
    const auto stop = thread_stop_token();
    auto vector = embedder_->embed_text(text, stop);
    if (vector && !has_right_size(*vector))
        vector = std::unexpected(EmbedFailure{"sends vectors of another size than for pictures"});
    const std::lock_guard lock(mutex_);
    embeds_text_ = false;
    if (!vector && stop.stop_requested()) throw Stopped(); // which says nothing about the embedder
    if (!vector) {
        if (!vector.error().is_of_input) next_text_ = steady_clock::now() + text_pause;
        return vector;
    }
    if (texts_.size() >= max_texts) texts_.clear();
    texts_.emplace(text, *vector);
    return vector;
}

} // namespace vitrine::server
