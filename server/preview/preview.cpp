#include "server/preview/preview.hpp"

#include <utility>

#include <fmt/format.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/parts/levels.hpp"
#include "server/preview/pose_fade.hpp"
#include "server/preview/preview_driver.hpp"
#include "server/services/catalog/append_user_clips.hpp"
#include "server/services/rendering/image_service.hpp"
#include "server/tracing/trace_scope.hpp"
#include "vk_renderer/camera/best_view.hpp"

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;

class Preview final : public WebSocketSession {
public:
    explicit Preview(std::shared_ptr<PreviewDriver> driver) : driver_(std::move(driver)) {}
    std::string_view protocol() const override { return api::preview_protocol; }
    void start(asio::any_io_executor strand) override { driver_->start(strand); }
    void receive(std::string_view text) override { driver_->receive(text); }
    void receive_binary(std::string_view) override
    {
        driver_->close(1008, "binary messages are not part of the protocol");
    }
    asio::awaitable<WebSocketMessage> next() override { return driver_->next(); }
    void stop() override { driver_->close(1001, "the server is stopping"); }
    void disconnect() override { driver_->close(1001, ""); }

private:
    std::shared_ptr<PreviewDriver> driver_;
};

std::expected<MadeLayers, std::string>
make_layers(const scene::Scene& scene, const std::map<std::string, scene::FoundClip, std::less<>>& others,
            const api::PreviewMotion& motion, const scene::AnimationTexts& texts)
{
    const auto find = [&](std::string_view text) -> std::expected<scene::FoundClip, std::string> {
        if (const auto other = others.find(text); other != others.end()) return other->second;
        const auto found = scene::find_clip(scene, text, scene::ClipLookup::exact);
        if (found) return scene::FoundClip{.clip = *found};
        if (auto range = scene::find_frame_range(scene, text)) return std::move(*range);
        return std::unexpected(scene::no_clip_message(scene, text));
    };
    scene::FoundClip base{.clip = motion.clip};
    if (!motion.text.empty()) {
        auto found = find(motion.text);
        if (!found) return std::unexpected("clip: " + found.error());
        base = std::move(*found);
    }
    const auto layers = scene::make_layers(scene, base, texts, find);
    if (!layers)
        return std::unexpected(fmt::format("{}: {}", layers.error().parameter, layers.error().message));
    return MadeLayers{*layers, scene::duration_of(scene, **layers)};
}

// All models play at once, or are in their static poses.
MadeLayers make_row_layers(const ShownRow& row, const api::PreviewMotion& motion)
{
    return motion.text.empty() ? MadeLayers{} : MadeLayers{row.together, row.duration_s};
}

std::optional<scene::HeldPose> hold_pose(const scene::Scene& scene, const render::ClipTime& shown)
{
    if (shown.layers) return scene::hold_pose(scene, *shown.layers, shown.time);
    scene::AnimationLayers layers;
    if (shown.clip != scene::none) layers.layers.push_back({.clip = shown.clip});
    return scene::hold_pose(scene, layers, shown.time);
}

// Keeps the times of the keys of the clip that it stepped last: there may be millions, and steps are
// messages.
class ClipStepper {
public:
    SteppedTime step(const SharedScene& scene, const scene::PoseLayer& layer, double time,
                     const StepRequest& request)
    {
        if (!layer.bound_clip && layer.clip >= scene->clips.size()) return {.time = time};
        const auto& clip = scene::clip_of(*scene, layer);
        if (scene != scene_ || layer.clip != layer_.clip || layer.bound_clip != layer_.bound_clip) {
            times_ = scene::key_times(*scene, clip);
            scene_ = scene;
            layer_ = {.clip = layer.clip, .bound_clip = layer.bound_clip};
        }
        SteppedTime stepped{.time = request.unit == StepRequest::Unit::key
                                        ? scene::step_keys(times_, time, request.steps)
                                        : scene::step_frames(clip, time, request.steps)};
        stepped.place = scene::place_among_keys(*scene, clip, times_, stepped.time);
        return stepped;
    }

private:
    SharedScene scene_;
    scene::PoseLayer layer_;
    std::vector<double> times_;
};

} // namespace

std::optional<ViewerPlace> ViewerPlace::take(std::atomic<std::size_t>& viewers, std::size_t limit)
{
    if (viewers.fetch_add(1) < limit) return ViewerPlace(viewers);
    --viewers;
    return std::nullopt;
}

PreviewDriver::PreviewDriver(PreviewSource source, const PreviewLimits& limits, Context& context)
    : place_(std::move(source.place)), scene_(std::move(source.shown.scene)),
      row_(std::move(source.shown.row)), load_scene_(std::move(source.load_scene)),
      content_hash_(std::move(source.shown.content_hash)), software_(source.info.software),
      trace_(std::move(source.trace)), session_(std::move(source.info), limits, Clock::now()),
      context_(context)
{
}

void PreviewDriver::start(const asio::any_io_executor& strand)
{
    strand_ = strand;
    connect_session();
    if (row_) session_.row_shown(row_->duration_s, row_->places);
    wake_signal_.emplace(strand);
    timer_.emplace(strand);
    pump();
}

void PreviewDriver::connect_session()
{
    session_.set_make_layers([this](const api::PreviewMotion& base, const scene::AnimationTexts& texts) {
        return row_ ? make_row_layers(*row_, base) : make_layers(*scene_, other_clips_, base, texts);
    });
    session_.set_hold_pose([this](const render::ClipTime& shown) { return hold_pose(*scene_, shown); });
    session_.set_step_time([this, stepper = ClipStepper()](const scene::PoseLayer& layer, double time,
                                                           const StepRequest& request) mutable {
        return stepper.step(scene_, layer, time, request);
    });
}

void PreviewDriver::receive(std::string_view text)
{
    if (!session_.receive(text, Clock::now())) return close(1008, "too many messages");
    pump();
}

asio::awaitable<WebSocketMessage> PreviewDriver::next()
{
    auto self = shared_from_this();
    for (;;) {
        if (closing_) co_return *closing_;
        if (outbox_.empty()) pull_texts();
        if (!outbox_.empty()) {
            auto message = std::move(outbox_.front());
            outbox_.pop_front();
            if (std::holds_alternative<WebSocketBinary>(message)) session_.sending();
            co_return message;
        }
        co_await wake_signal_->wait(PreviewTime::max());
    }
}

void PreviewDriver::close(std::uint16_t code, std::string reason)
{
    if (closing_) return;
    closing_ = WebSocketClose{code, std::move(reason)};
    outbox_.clear();
    if (timer_) timer_->cancel();
    if (wake_signal_) wake_signal_->notify();
}

// Texts stay in the session, which limits their number, until the peer has read the earlier ones.
void PreviewDriver::pull_texts()
{
    for (auto& text : session_.take_texts())
        outbox_.emplace_back(WebSocketText{std::move(text)});
}

// Called after every event: starts rendering if possible, wakes the writer, schedules the next call.
void PreviewDriver::pump()
{
    if (closing_ || !wake_signal_) return;
    const TraceScope trace(trace_); // of what is posted below
    auto now = Clock::now();
    if (auto choice = session_.next_scene()) begin_scene(*choice);
    join_view(now);
    if (auto task = session_.next_render(now)) draw(*task);
    if (auto task = session_.next_pick()) start_pick(*task);
    if (!session_.keeps_encoder()) video_.reset();
    wake_signal_->notify();
    plan_wake();
}

// Schedules the next pump() at the session's wake time.
void PreviewDriver::plan_wake()
{
    auto wake = session_.next_wake(Clock::now());
    if (wake == planned_ && wake) return;
    planned_ = wake;
    timer_->cancel();
    if (!wake) return;
    timer_->expires_at(*wake);
    timer_->async_wait([weak = weak_from_this()](boost::system::error_code cancelled) {
        auto self = weak.lock();
        if (cancelled || !self) return;
        self->planned_.reset();
        self->pump();
    });
}

api::PreviewInfo describe_preview(const AssetRecord& asset, const scene::Scene& scene,
                                  const render::DeviceInfo& device)
{
    const auto thumbnail = thumbnail_still(scene, 512, {count_file_clips(scene, asset)});
    const render::ClipTime clip_time{thumbnail.clip, thumbnail.time};
    const auto camera = render::with_best_view(scene, thumbnail.view, clip_time).camera;
    api::PreviewInfo info{.asset = asset.id,
                          .device = device.name,
                          .software = device.software,
                          .clips = {},
                          .variants = scene.variants,
                          .levels = scene::level_count(scene),
                          .frames = scene::count_file_frames(scene),
                          .bounds = scene::static_bounds(scene),
                          .yaw = camera.yaw,
                          .pitch = camera.pitch,
                          .front_yaw = render::front_yaw(scene, clip_time)};
    for (const auto& clip : scene.clips)
        info.clips.push_back({clip.name, clip.duration, clip.frame_rate});
    return info;
}

api::PreviewInfo describe_row_preview(std::string query, const ShownScene& shown,
                                      const render::DeviceInfo& device)
{
    const auto& scene = *shown.scene;
    render::View view;
    view.camera.automatic = true;
    const auto camera = render::with_best_view(scene, view, {scene::none, 0.0, shown.row->together}).camera;
    return {.row = std::move(query),
            .device = device.name,
            .software = device.software,
            .clips = {},
            .bounds = scene::static_bounds(scene),
            .yaw = camera.yaw,
            .pitch = camera.pitch};
}

std::unique_ptr<WebSocketSession> make_preview(PreviewSource source, const PreviewLimits& limits,
                                               Context& context)
{
    return std::make_unique<Preview>(std::make_shared<PreviewDriver>(std::move(source), limits, context));
}

} // namespace vitrine::server
