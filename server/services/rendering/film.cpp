#include "server/services/rendering/film.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "server/services/rendering/piece_size.hpp"
#include "server/services/rendering/render_answer.hpp"

namespace vitrine::server {
namespace {

using std::chrono::steady_clock;

struct DrawnPiece {
    std::size_t first = 0;
    std::vector<render::Frame> frames;
};

// The frames that are left, and how many of them are drawn at once. Whoever waits for the film and the render
// threads share it.
class Film {
public:
    Film(RenderPool& renders, std::span<const render::Shot> shots, const RenderOrder& order)
        : renders_(renders), shots_(shots.begin(), shots.end()), order_(order)
    {
    }

    bool is_all_taken() const
    {
        const std::lock_guard lock(mutex_);
        return next_ == shots_.size();
    }

    std::span<const render::Shot> take(const RenderDevice& device)
    {
        const std::lock_guard lock(mutex_);
        if (next_ == shots_.size()) return {};
        const bool watched = renders_.is_watched(order_);
        size_.expect(device.expected_time(shots_[next_]));
        const auto count =
            std::min(size_.next(watched ? watched_piece : unwatched_piece), shots_.size() - next_);
        const auto piece = std::span(shots_).subspan(next_, count);
        next_ += count;
        return piece;
    }

    void measured(std::size_t pictures, std::chrono::nanoseconds time)
    {
        const std::lock_guard lock(mutex_);
        size_.measured(pictures, time);
    }

    DrawnPiece draw(RenderDevice& device, std::span<const render::Shot> piece)
    {
        const auto start = steady_clock::now();
        DrawnPiece drawn{static_cast<std::size_t>(piece.data() - shots_.data()), device.render(piece)};
        measured(piece.size(), steady_clock::now() - start);
        return drawn;
    }

    // What lost a device may have been too much at once.
    DrawnPiece draw_singly(RenderDevice& device, std::span<const render::Shot> piece)
    {
        DrawnPiece drawn{static_cast<std::size_t>(piece.data() - shots_.data()), {}};
        for (const auto& shot : piece)
            drawn.frames.push_back(std::move(device.render({&shot, 1}).at(0)));
        return drawn;
    }

private:
    RenderPool& renders_;
    const std::vector<render::Shot> shots_;
    const RenderOrder order_;
    mutable std::mutex mutex_; // guards what follows
    std::size_t next_ = 0;
    PieceSize size_;
};

// How much it draws is decided when its turn has come.
Result<std::future<DrawnPiece>> ask(RenderPool& renders, const std::shared_ptr<Film>& film,
                                    const RenderOrder& order)
{
    return renders.submit(
        order, [film, piece = std::optional<std::span<const render::Shot>>()](RenderDevice& device) mutable {
            if (piece) return film->draw_singly(device, *piece);
            piece = film->take(device);
            return piece->empty() ? DrawnPiece{} : film->draw(device, *piece);
        });
}

} // namespace

// The next piece is asked for before this one is there, so that the device does not wait for it.
Result<void> draw_film(RenderPool& renders, std::span<const render::Shot> shots, const RenderOrder& order,
                       const std::function<void(render::Frame)>& take)
{
    const auto film = std::make_shared<Film>(renders, shots, order);
    std::deque<Result<std::future<DrawnPiece>>> asked;
    std::map<std::size_t, std::vector<render::Frame>> drawn; // by their first; a fresh device may be late
    std::size_t taken = 0;
    for (asked.push_back(ask(renders, film, order)); !asked.empty(); asked.pop_front()) {
        if (!film->is_all_taken()) asked.push_back(ask(renders, film, order));
        auto piece = answer_of(std::move(asked.front()));
        if (!piece) return std::unexpected(piece.error());
        if (!piece->frames.empty()) drawn.emplace(piece->first, std::move(piece->frames));
        for (auto next = drawn.find(taken); next != drawn.end(); next = drawn.find(taken)) {
            taken += next->second.size();
            std::ranges::for_each(next->second, [&](render::Frame& frame) { take(std::move(frame)); });
            drawn.erase(next);
        }
    }
    return {};
}

} // namespace vitrine::server
