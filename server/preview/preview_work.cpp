// What a preview runs on other threads: rendering, picking, encoding, loading of variants.
#include <exception>
#include <new>
#include <utility>

#include <boost/asio/post.hpp>

#include <fmt/format.h>

#include "server/preview/preview_driver.hpp"
#include "server/services/rendering/image_service.hpp"

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds busy_retry{100};

std::shared_ptr<const render::LodIndices> build_lod_if_affordable(const scene::Scene& scene)
{
    try {
        return render::build_lod(scene, render::lod_triangle_count(scene));
    } catch (const std::bad_alloc&) {
        return nullptr; // then all triangles are drawn
    }
}

Result<ShownScene> load_if_it_fits(const LoadShownScene& load, const SceneChoice& choice)
{
    try {
        return load(choice);
    } catch (const std::bad_alloc&) {
        return make_error(Errc::busy, "no_memory", "not enough memory for another scene", 5);
    }
}

// What all viewers of one view see: everything but the time, the size and the quality of single frames.
std::string view_key(const std::string& content_hash, const PreviewSession& session)
{
    const RenderParams params{.clip = session.clip(),
                              .layers = session.layers(),
                              .variant = session.scene_choice().variant.value_or(scene::none),
                              .view = session.view()};
    return content_hash + " " + params.canonical();
}

std::string frame_key(const std::string& view, const RenderTask& task)
{
    const auto& box = task.view.framing;
    const auto framing = box ? scene::triple_text(box->min) + " " + scene::triple_text(box->max) : "fitted";
    return fmt::format("{} {} {}x{} {} {} {} {}", view, task.clip_time.time, task.view.width,
                       task.view.height, static_cast<int>(task.codec), task.quality,
                       task.view.lod ? "lod" : "all", framing);
}

// The framing of the task's `measured`: that of a small image of it.
std::optional<render::Framing> measure_framing(RenderDevice& device, const SharedScene& scene,
                                               const RenderTask& task)
{
    constexpr std::uint32_t side = 16; // pixels
    if (!task.measured) return std::nullopt;
    auto view = task.view;
    view.width = view.height = side;
    view.framing.reset();
    view.ghosts = {};
    return device.render(scene, view, std::span(&*task.measured, 1)).at(0).framing;
}

// Precondition: the codec is a video codec.
render::VideoCodec video_codec(FrameCodec codec)
{
    return codec == FrameCodec::vp9 ? render::VideoCodec::vp9 : render::VideoCodec::vp8;
}

} // namespace

// A GPU draws a million triangles within its latency; only software devices need a LOD.
void PreviewDriver::start_lod_build()
{
    if (!software_ || lod_started_) return;
    lod_started_ = context_.scenes_pool.post([weak = weak_from_this(), strand = strand_, scene = scene_] {
        asio::post(strand, [weak, scene, lod = build_lod_if_affordable(*scene)] {
            auto self = weak.lock();
            if (self && self->scene_ == scene) self->lod_ = lod;
        });
    });
}

void PreviewDriver::begin_scene(const SceneChoice& choice)
{
    const bool posted =
        context_.scenes_pool.post([weak = weak_from_this(), strand = strand_, load = load_scene_, choice] {
            asio::post(strand, [weak, shown = load_if_it_fits(load, choice)] {
                if (auto self = weak.lock()) self->scene_loaded(shown);
            });
        });
    if (!posted) session_.scene_failed("the server is too busy to prepare the scene", Clock::now());
}

void PreviewDriver::scene_loaded(const Result<ShownScene>& shown)
{
    if (shown) {
        if (scene_ != shown->scene) {
            lod_.reset();
            lod_started_ = false;
        }
        scene_ = shown->scene;
        content_hash_ = shown->content_hash;
        other_clips_ = shown->clips;
        row_ = shown->row;
        session_.scene_loaded(Clock::now());
        if (row_) session_.row_shown(row_->duration_s, row_->places);
    } else {
        session_.scene_failed(shown.error().detail, Clock::now());
    }
    pump();
}

void PreviewDriver::join_view(PreviewTime now)
{
    const auto& view = session_.view();
    if (session_.revision() != 0 && joined_revision_ != session_.revision()) {
        joined_revision_ = session_.revision();
        viewer_ = {context_.preview_frames, view_key(content_hash_, session_)};
    }
    session_.share(viewer_.pace(static_cast<double>(view.width) * view.height, session_.moving(now)));
}

void PreviewDriver::draw(RenderTask task)
{
    if (task.lod) {
        start_lod_build();
        task.view.lod = lod_;
    }
    if (!task.shared) return draw_alone(task, nullptr);
    auto ready = [weak = weak_from_this(), strand = strand_, task](const SharedFramePtr& frame) {
        asio::post(strand, [weak, task, frame] {
            if (auto self = weak.lock()) self->shared(task, frame);
        });
    };
    auto claim = context_.preview_frames.claim(frame_key(viewer_.view(), task), ready);
    if (claim.frame) return ready(claim.frame);
    if (claim.ticket) draw_alone(task, std::move(claim.ticket));
}

void PreviewDriver::shared(const RenderTask& task, const SharedFramePtr& frame)
{
    if (frame) {
        session_.rendered(task);
        queue_frame(task, frame->drawn, frame->payload);
    } else {
        session_.failed(task, "", Clock::now()); // this viewer draws it
    }
    pump();
}

void PreviewDriver::draw_alone(const RenderTask& task, std::shared_ptr<SharedFrames::Ticket> ticket)
{
    auto drawing = std::make_shared<Drawing>(Drawing{task, take_spare(), std::move(ticket), {}});
    auto work = [drawing, scene = scene_](RenderDevice& device) {
        device.render(scene, drawing->task.view, {&drawing->task.clip_time, 1}, drawing->frames);
        drawing->measured = measure_framing(device, scene, drawing->task);
    };
    auto done = [weak = weak_from_this(), strand = strand_, drawing](const std::exception_ptr& error) {
        asio::post(strand, [weak, drawing, error] {
            if (auto self = weak.lock()) self->drawn(*drawing, error);
        });
    };
    auto posted = context_.services.renders.post({RenderPriority::interactive, content_hash_},
                                                 std::move(work), std::move(done));
    if (posted) return;
    if (posted.error().kind == Errc::busy)
        session_.failed(task, "", Clock::now() + busy_retry);
    else
        session_.failed(task, posted.error().detail, std::nullopt);
}

void PreviewDriver::start_pick(const PickTask& task)
{
    const auto& layers = task.clip_time.layers;
    if (layers && !scene::layers_fit(*scene_, *layers)) // of a scene that has been replaced
        return session_.pick_failed("the scene has changed since this image");
    auto hit = std::make_shared<std::optional<scene::Hit>>();
    auto work = [task, hit, scene = scene_](RenderDevice& device) {
        *hit = device.pick(scene, task.view, task.clip_time, task.x, task.y);
    };
    auto done = [weak = weak_from_this(), strand = strand_, task, hit](const std::exception_ptr& error) {
        asio::post(strand, [weak, task, hit, failed = error != nullptr] {
            if (auto self = weak.lock()) self->pick_done(task, *hit, failed);
        });
    };
    const auto posted =
        context_.services.renders.post({RenderPriority::interactive, content_hash_}, work, done);
    if (!posted) session_.pick_failed(posted.error().detail);
}

void PreviewDriver::pick_done(const PickTask& task, const std::optional<scene::Hit>& hit, bool failed)
{
    if (failed)
        session_.pick_failed("this image cannot be picked");
    else if (row_)
        session_.picked_in_row(task, row_->describe_hit(hit));
    else
        session_.picked(task, *scene_, hit);
    pump();
}

void PreviewDriver::drawn(Drawing& drawing, const std::exception_ptr& error)
{
    if (error) {
        draw_failed(drawing.task, error);
    } else {
        if (drawing.measured) session_.measured(drawing.task, *drawing.measured);
        session_.rendered(drawing.task);
        to_encode_.push_back(std::make_shared<PendingEncoding>(
            PendingEncoding{drawing.task, std::move(drawing.frames), {}, std::move(drawing.ticket), {}, {}}));
        encode_next();
    }
    pump();
}

void PreviewDriver::draw_failed(const RenderTask& task, const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const ModelQuarantined& rejected) {
        session_.failed(task, rejected.what(), std::nullopt);
    } catch (const render::DeviceLost&) {
        close(1011, "the device was lost twice");
    } catch (const render::RenderError& rejected) {
        session_.failed(task, rejected.what(), std::nullopt);
    } catch (const std::exception&) {
        close(1011, "drawing failed");
    }
}

// Encodes one frame at a time and in order, because a video frame depends on the previous one. Sends the
// result.
void PreviewDriver::encode_next()
{
    while (!encoding_ && !to_encode_.empty()) {
        auto encoding = std::move(to_encode_.front());
        to_encode_.pop_front();
        if (is_video(encoding->task.codec)) encoding->video = encoder_of(encoding->task.codec);
        encoding_ = context_.preview_pool.post([weak = weak_from_this(), strand = strand_, encoding] {
            encode_frame(*encoding);
            if (encoding->ticket && encoding->payload)
                encoding->ticket->finish(std::make_shared<SharedFrame>(encoding->drawn, encoding->payload));
            encoding->ticket.reset();
            asio::post(strand, [weak, encoding] {
                if (auto self = weak.lock()) self->encoded(*encoding);
            });
        });
        if (!encoding_) session_.failed(encoding->task, "", Clock::now() + busy_retry);
    }
}

std::shared_ptr<render::VideoEncoder> PreviewDriver::encoder_of(FrameCodec codec)
{
    auto selected_codec = video_codec(codec);
    if (!video_ || video_->codec() != selected_codec)
        video_ = std::make_shared<render::VideoEncoder>(selected_codec);
    return video_;
}

FrameBuffer PreviewDriver::take_spare()
{
    if (spare_.empty()) return {};
    auto frames = std::move(spare_.back());
    spare_.pop_back();
    return frames;
}

void PreviewDriver::encoded(PendingEncoding& encoding)
{
    encoding_ = false;
    for (auto& frame : encoding.frames)
        frame.pixels.leave_memory();
    spare_.push_back(std::move(encoding.frames));
    if (!encoding.payload) {
        session_.failed(encoding.task, "the image could not be encoded", std::nullopt);
    } else {
        if (encoding.task.shared) viewer_.record(encoding.task, encoding.drawn, Clock::now());
        queue_frame(encoding.task, encoding.drawn, encoding.payload);
    }
    encode_next();
    pump();
}

void PreviewDriver::queue_frame(const RenderTask& task, const DrawnFrame& drawn, SharedBytes payload)
{
    if (closing_) return;
    auto head = std::make_shared<const std::vector<std::byte>>(session_.encoded(task, drawn, Clock::now()));
    if (session_.uses_lod()) start_lod_build(); // before the next motion
    if (auto framing = session_.take_framing()) outbox_.emplace_back(WebSocketText{std::move(*framing)});
    outbox_.emplace_back(WebSocketBinary{std::move(head), std::move(payload)});
}

} // namespace vitrine::server
