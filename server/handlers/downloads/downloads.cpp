// Several assets as one zip archive, which is made while it is sent.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ranges>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "loaders/base/ascii.hpp"
#include "server/handlers/downloads/download_routes.hpp"
#include "server/handlers/downloads/export_members.hpp"
#include "server/net/async.hpp"
#include "server/routing/context.hpp"
#include "server/routing/fields/trace_context.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/downloads/zip_source.hpp"
#include "server/tracing/trace_scope.hpp"

namespace vitrine::server {
namespace {

constexpr std::chrono::milliseconds busy_pause{100};             // while the queue of the pool is full
constexpr std::uint64_t held_bytes = 2 * zip_source_piece_bytes; // the piece that is sent, and its chunk

// Reads on the pool of exports, whose other requests take as long.
class ZipBody final : public EventStreamBody {
public:
    ZipBody(WorkPool& pool, ZipSource source, const Request& request)
        : pool_(pool), state_(std::make_shared<State>(std::move(source))), request_(request.id),
          trace_(trace_id_of(request.headers))
    {
    }

    asio::awaitable<std::string> next() override
    {
        while (!stopped_) {
            if (auto piece = co_await read()) co_return std::move(*piece);
            asio::steady_timer timer(co_await asio::this_coro::executor, busy_pause);
            co_await timer.async_wait(as_result);
        }
        co_return std::string();
    }

    void stop() override { stopped_ = true; }
    bool is_complete() const override { return is_complete_; }

private:
    struct State {
        explicit State(ZipSource source_) : source(std::move(source_)) {}
        ZipSource source;
    };

    // Empty optional: the pool is busy. Empty text: the end, complete or not.
    asio::awaitable<std::optional<std::string>> read()
    {
        Result<std::string> piece;
        try {
            piece = co_await run_on_pool(pool_, [state = state_, trace = trace_]() -> Result<std::string> {
                const TraceScope scope(trace);
                try {
                    return state->source.next();
                } catch (const StorageError& error) {
                    return make_error(Errc::unavailable, "storage_failed", error.what());
                } catch (const PeerDisconnected& left) {
                    return make_error(Errc::unavailable, "time_limit_exceeded", left.what());
                }
            });
        } catch (const PoolBusy&) {
            co_return std::nullopt;
        }
        if (!piece) {
            const TraceScope trace(trace_);
            spdlog::warn("msg=\"download ends early\" request={} error={:?}", request_, piece.error().detail);
            co_return std::string();
        }
        is_complete_ = piece->empty();
        co_return std::move(*piece);
    }

    WorkPool& pool_;
    const std::shared_ptr<State> state_; // also of a task of the pool
    const std::string request_;          // id
    const std::string trace_;
    bool stopped_ = false;
    bool is_complete_ = false;
};

struct DownloadSelection {
    std::vector<std::string> assets{};
    std::string name{}; // of the archive, without its ending
    DownloadContent content = DownloadContent::originals;
};

Result<DownloadSelection> select_collection(const std::string& id, bool with_descendants, Services& services)
{
    const auto collection = services.collections.find(id);
    if (!collection) return std::unexpected(collection.error());
    auto assets = assets_of_collection(services.catalog, id, with_descendants);
    if (!assets) return std::unexpected(assets.error());
    return DownloadSelection{.assets = std::move(*assets), .name = collection->name};
}

std::expected<DownloadSelection, api::Problem> read_selection(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto list = reader.text("assets");
    const auto collection = reader.text("collection");
    const bool with_descendants = reader.flag("descendants").value_or(false);
    const auto content = reader.choice<DownloadContent>("format", {{"original", DownloadContent::originals},
                                                                   {"glb", DownloadContent::exports},
                                                                   {"both", DownloadContent::both}});
    if (list.has_value() == collection.has_value())
        reader.reject("assets", "must be given, or a collection instead");
    DownloadSelection selection{.name = "models", .content = content.value_or(DownloadContent::originals)};
    for (const auto id : std::views::split(list.value_or(""), ','))
        selection.assets.emplace_back(std::string_view(id));
    if (list && (list->empty() || std::ranges::any_of(selection.assets, &std::string::empty)))
        reader.reject("assets", "must be ids separated by commas");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    if (!collection) return selection;
    auto found = select_collection(*collection, with_descendants, context.services);
    if (!found) return problem(found.error());
    found->content = selection.content;
    return std::move(*found);
}

} // namespace

HandlerResult download_assets(const Request& request, Context& context)
{
    const auto selection = read_selection(request, context);
    if (!selection) return std::unexpected(selection.error());
    auto& services = context.services;
    auto members = plan_download(services.catalog, *services.blobs, selection->assets, selection->content);
    if (!members) return problem(members.error());
    Response response;
    response.hold = context.responses.reserve(held_bytes + memory_bytes_of(*members));
    response.headers.add("Content-Type", "application/zip");
    response.headers.add("Cache-Control", "private, no-store");
    response.headers.add("Content-Disposition",
                         fmt::format("attachment; filename*=UTF-8''{}.zip", percent_encode(selection->name)));
    ZipSource source(*services.blobs, std::move(*members), make_exports(request, context));
    response.body = std::make_unique<ZipBody>(context.exports_pool, std::move(source), request);
    return response;
}

// The body of a form has the parameters.
HandlerResult download_posted_assets(const Request& request, Context& context)
{
    const auto type = ascii::lower(request.headers.find("Content-Type").value_or(""));
    if (!type.starts_with("application/x-www-form-urlencoded"))
        return problem(415, "unsupported_media_type", "The body must be application/x-www-form-urlencoded.");
    const auto target = parse_target("/?" + request.body);
    if (!target) return problem(400, "bad_body", "The body is no valid form.");
    auto asked = request;
    asked.target.query = target->query;
    return download_assets(asked, context);
}

} // namespace vitrine::server
