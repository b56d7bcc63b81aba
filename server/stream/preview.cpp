#include "server/stream/preview.hpp"

#include <deque>

#include <boost/asio/post.hpp>

#include "server/net/async.hpp"
#include "server/stream/frame_encoding.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds busy_retry{100};

struct Drawing {
    RenderTask task;
    Frames frames;
};

std::shared_ptr<const render::LodScene> build_lod_if_affordable(const scene::Scene& scene)
{
    try {
        return render::build_lod(scene, render::lod_triangles_of(scene));
    } catch (const std::bad_alloc&) {
        return nullptr; // then all triangles are drawn
    }
}

Result<SharedScene> load_if_it_fits(const LoadVariant& load, std::optional<std::uint32_t> variant)
{
    try {
        return load(variant);
    } catch (const std::bad_alloc&) {
        return refuse(Errc::busy, "no_memory", "not enough memory for another material variant", 5);
    }
}

// Shared with tasks on other threads, which detect by it that the viewer has disconnected.
class PreviewCore final : public std::enable_shared_from_this<PreviewCore> {
public:
    PreviewCore(SharedScene scene, LoadVariant load_variant, std::string model, StreamInfo info,
                const StreamLimits& limits, Context& context)
        : scene_(std::move(scene)), load_variant_(std::move(load_variant)), model_(std::move(model)),
          software_(info.software), session_(std::move(info), limits, Clock::now()), context_(context)
    {
        ++context_.viewers;
    }
    ~PreviewCore() { --context_.viewers; }
    PreviewCore(const PreviewCore&) = delete;
    PreviewCore& operator=(const PreviewCore&) = delete;

    void start(const asio::any_io_executor& strand)
    {
        strand_ = strand;
        wake_signal_.emplace(strand);
        timer_.emplace(strand);
        pump();
    }

    void receive(std::string_view text)
    {
        if (!session_.receive(text, Clock::now())) return close(1008, "too many messages");
        pump();
    }

    void receive_binary() { close(1008, "binary messages are not part of the protocol"); }
    void stop() { close(1001, "the server is stopping"); }
    void disconnect() { close(1001, ""); }

    asio::awaitable<SocketMessage> next()
    {
        auto self = shared_from_this();
        for (;;) {
            if (closing_) co_return *closing_;
            if (outbox_.empty()) pull_texts();
            if (!outbox_.empty()) {
                auto message = std::move(outbox_.front());
                outbox_.pop_front();
                if (std::holds_alternative<SocketBinary>(message)) session_.sending();
                co_return message;
            }
            co_await wake_signal_->wait(StreamTime::max());
        }
    }

private:
    void close(std::uint16_t code, std::string reason)
    {
        if (closing_) return;
        closing_ = SocketClose{code, std::move(reason)};
        outbox_.clear();
        if (timer_) timer_->cancel();
        if (wake_signal_) wake_signal_->notify();
    }

    // Texts stay in the session, which limits their number, until the peer has read the earlier ones.
    void pull_texts()
    {
        for (auto& text : session_.take_texts())
            outbox_.emplace_back(SocketText{std::move(text)});
    }

    // Called after every event: starts rendering if possible, wakes the writer, schedules the next call.
    void pump()
    {
        if (closing_ || !wake_signal_) return;
        auto now = Clock::now();
        if (auto variant = session_.next_variant()) begin_variant(*variant);
        if (auto task = session_.next_render(now)) draw(*task);
        if (auto task = session_.next_pick()) start_pick(*task);
        if (!session_.keeps_encoder()) video_.reset();
        wake_signal_->notify();
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

    // A GPU draws a million triangles within its latency; only software devices need a LOD.
    void start_lod_build()
    {
        if (!software_ || lod_started_) return;
        lod_started_ = context_.slow.post([weak = weak_from_this(), strand = strand_, scene = scene_] {
            asio::post(strand, [weak, scene, lod = build_lod_if_affordable(*scene)] {
                auto self = weak.lock();
                if (self && self->scene_ == scene) self->lod_ = lod;
            });
        });
    }

    void begin_variant(std::optional<std::uint32_t> variant)
    {
        const bool posted =
            context_.slow.post([weak = weak_from_this(), strand = strand_, load = load_variant_, variant] {
                asio::post(strand, [weak, scene = load_if_it_fits(load, variant)] {
                    if (auto self = weak.lock()) self->variant_loaded(scene);
                });
            });
        if (!posted) session_.variant_failed("the server is too busy to prepare the material variant");
    }

    void variant_loaded(const Result<SharedScene>& scene)
    {
        if (scene) {
            scene_ = *scene;
            lod_.reset();
            lod_started_ = false;
            session_.variant_loaded();
        } else {
            session_.variant_failed(scene.error().detail);
        }
        pump();
    }

    void draw(RenderTask task)
    {
        if (task.lod) {
            start_lod_build();
            task.view.lod = lod_;
        }
        auto drawing = std::make_shared<Drawing>(Drawing{task, take_spare()});
        auto work = [drawing, scene = scene_](RenderDevice& device) {
            std::span moment(&drawing->task.moment, 1);
            device.render_into(scene, drawing->task.view, moment, drawing->frames);
        };
        auto done = [weak = weak_from_this(), strand = strand_, drawing](const std::exception_ptr& error) {
            asio::post(strand, [weak, drawing, error] {
                if (auto self = weak.lock()) self->drawn(*drawing, error);
            });
        };
        auto posted = context_.services.renders.post({RenderPriority::interactive, model_}, std::move(work),
                                                     std::move(done));
        if (posted) return;
        if (posted.error().kind == Errc::busy)
            session_.failed(task, "", Clock::now() + busy_retry);
        else
            session_.failed(task, posted.error().detail, std::nullopt);
    }

    void start_pick(const PickTask& task)
    {
        auto hit = std::make_shared<std::optional<scene::Hit>>();
        auto work = [task, hit, scene = scene_](RenderDevice& device) {
            *hit = device.pick(scene, task.view, task.moment, task.x, task.y);
        };
        auto done = [weak = weak_from_this(), strand = strand_, task, hit](const std::exception_ptr& error) {
            asio::post(strand, [weak, task, hit, failed = error != nullptr] {
                if (auto self = weak.lock()) self->pick_done(task, *hit, failed);
            });
        };
        auto posted = context_.services.renders.post({RenderPriority::interactive, model_}, std::move(work),
                                                     std::move(done));
        if (!posted) session_.pick_failed(posted.error().detail);
    }

    void pick_done(const PickTask& task, const std::optional<scene::Hit>& hit, bool failed)
    {
        if (failed)
            session_.pick_failed("this image cannot be picked");
        else
            session_.picked(task, *scene_, hit);
        pump();
    }

    void drawn(Drawing& drawing, const std::exception_ptr& error)
    {
        if (error) {
            draw_failed(drawing.task, error);
        } else {
            session_.rendered(drawing.task);
            to_encode_.push_back(
                std::make_shared<Encoding>(Encoding{drawing.task, std::move(drawing.frames), {}, {}, {}}));
            encode_next();
        }
        pump();
    }

    void draw_failed(const RenderTask& task, const std::exception_ptr& error)
    {
        try {
            std::rethrow_exception(error);
        } catch (const ModelQuarantined& refused) {
            session_.failed(task, refused.what(), std::nullopt);
        } catch (const render::DeviceLost&) {
            close(1011, "the device was lost twice");
        } catch (const render::RenderError& refused) {
            session_.failed(task, refused.what(), std::nullopt);
        } catch (const std::exception&) {
            close(1011, "drawing failed");
        }
    }

    // Encodes one frame at a time and in order, because a video frame depends on the previous one. Sends the
    // result.
    void encode_next()
    {
        while (!encoding_ && !to_encode_.empty()) {
            auto encoding = std::move(to_encode_.front());
            to_encode_.pop_front();
            if (is_video(encoding->task.codec)) encoding->video = encoder_of(encoding->task.codec);
            encoding_ = context_.stream.post([weak = weak_from_this(), strand = strand_, encoding] {
                encode_frame(*encoding);
                asio::post(strand, [weak, encoding] {
                    if (auto self = weak.lock()) self->encoded(*encoding);
                });
            });
            if (!encoding_) session_.failed(encoding->task, "", Clock::now() + busy_retry);
        }
    }

    std::shared_ptr<render::VideoEncoder> encoder_of(FrameCodec codec)
    {
        auto selected_codec = video_codec(codec);
        if (!video_ || video_->codec() != selected_codec)
            video_ = std::make_shared<render::VideoEncoder>(selected_codec);
        return video_;
    }

    Frames take_spare()
    {
        if (spare_.empty()) return {};
        auto frames = std::move(spare_.back());
        spare_.pop_back();
        return frames;
    }

    void encoded(Encoding& encoding)
    {
        encoding_ = false;
        spare_.push_back(std::move(encoding.frames));
        if (!encoding.payload) {
            session_.failed(encoding.task, "the image could not be encoded", std::nullopt);
        } else if (!closing_) {
            auto header = session_.encoded(encoding.task, encoding.drawn, Clock::now());
            auto head = std::make_shared<const std::vector<std::byte>>(std::move(header));
            if (auto framing = session_.take_framing()) outbox_.emplace_back(SocketText{std::move(*framing)});
            outbox_.emplace_back(SocketBinary{std::move(head), encoding.payload});
        }
        encode_next();
        pump();
    }

    SharedScene scene_; // with the materials of the shown variant
    LoadVariant load_variant_;
    std::string model_;
    bool software_; // the device renders on the CPU
    bool lod_started_ = false;
    std::shared_ptr<const render::LodScene> lod_; // decimated scene for motion, when rendering is too slow
    StreamSession session_;
    Context& context_;
    asio::any_io_executor strand_;
    std::optional<Signal> wake_signal_;
    std::optional<asio::steady_timer> timer_;
    std::optional<StreamTime> planned_;
    std::deque<std::shared_ptr<Encoding>> to_encode_;
    bool encoding_ = false;
    std::shared_ptr<render::VideoEncoder> video_; // used by the running encoding
    std::vector<Frames> spare_;                   // at most as many as frames in flight
    std::deque<SocketMessage> outbox_;            // texts, and at most two frames with their framing messages
    std::optional<SocketClose> closing_;
};

class Preview final : public SocketSession {
public:
    explicit Preview(std::shared_ptr<PreviewCore> core) : core_(std::move(core)) {}
    std::string_view protocol() const override { return "vitrine.preview.v1"; }
    void start(asio::any_io_executor strand) override { core_->start(strand); }
    void receive(std::string_view text) override { core_->receive(text); }
    void receive_binary() override { core_->receive_binary(); }
    asio::awaitable<SocketMessage> next() override { return core_->next(); }
    void stop() override { core_->stop(); }
    void disconnect() override { core_->disconnect(); }

private:
    std::shared_ptr<PreviewCore> core_;
};

} // namespace

std::unique_ptr<SocketSession> make_preview(SharedScene scene, LoadVariant load_variant, std::string model,
                                            StreamInfo info, const StreamLimits& limits, Context& context)
{
    return std::make_unique<Preview>(std::make_shared<PreviewCore>(
        std::move(scene), std::move(load_variant), std::move(model), std::move(info), limits, context));
}

} // namespace vitrine::server
