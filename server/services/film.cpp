#include "server/services/film.hpp"

#include <algorithm>
#include <chrono>
#include <deque>

#include "server/services/piece_size.hpp"
#include "server/services/render_answer.hpp"

namespace vitrine::server {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

struct DrawnPiece {
    std::vector<render::Frame> frames;
    nanoseconds time;
};

// Where a processor draws; a GPU is far faster, and shows it with the first piece.
nanoseconds guess_of(const render::Shot& shot)
{
    constexpr std::int64_t each = 20; // ns for a pixel, antialiased and shaded
    constexpr std::int64_t vertex_pixels = 16;
    std::int64_t vertices = 0;
    for (const auto& node : shot.scene->nodes)
        if (node.visible && node.mesh != scene::none)
            vertices += static_cast<std::int64_t>(shot.scene->meshes[node.mesh].positions.size());
    return nanoseconds(each * (std::int64_t{shot.view.width} * shot.view.height + vertex_pixels * vertices));
}

Result<std::future<DrawnPiece>> ask(RenderPool& renders, std::span<const render::Shot> piece,
                                    const RenderOrder& order)
{
    return renders.submit(order, [piece = std::vector(piece.begin(), piece.end())](RenderDevice& device) {
        const auto start = steady_clock::now();
        auto frames = device.render(piece);
        return DrawnPiece{std::move(frames), steady_clock::now() - start};
    });
}

} // namespace

// The next piece is asked for before this one is there, so that the device does not wait for it.
Result<void> draw_film(RenderPool& renders, std::span<const render::Shot> shots, const RenderOrder& order,
                       const std::function<void(render::Frame)>& take)
{
    PieceSize size(guess_of(shots.front()));
    std::deque<Result<std::future<DrawnPiece>>> asked;
    const auto ask_next = [&] {
        const auto& limits = renders.is_watched(order.priority) ? watched_piece : unwatched_piece;
        const auto count = std::min(size.next(limits), shots.size());
        asked.push_back(ask(renders, shots.first(count), order));
        shots = shots.subspan(count);
    };
    for (ask_next(); !asked.empty(); asked.pop_front()) {
        if (!shots.empty()) ask_next();
        auto drawn = answer_of(std::move(asked.front()));
        if (!drawn) return std::unexpected(drawn.error());
        size.measured(drawn->frames.size(), drawn->time);
        std::ranges::for_each(drawn->frames, [&](render::Frame& frame) { take(std::move(frame)); });
    }
    return {};
}

} // namespace vitrine::server
