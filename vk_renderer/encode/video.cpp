#include "vk_renderer/encode/video.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <libyuv/convert.h>
#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>

#include "vk_renderer/encode/codecs.hpp"

namespace vitrine::render {
namespace {

// Quantizer limits (0 .. 63) and speed. With min_quantizer, the PSNR equals JPEG quality 85 if the bit rate
// suffices; with max_quantizer it equals JPEG quality 60.
struct CodecTuning {
    unsigned min_quantizer, max_quantizer;
    int speed;
};
constexpr CodecTuning vp8_tuning{.min_quantizer = 16,
                                 .max_quantizer = 40,
                                 .speed = -12}; // negative: a fixed speed, independent of the time available
constexpr CodecTuning vp9_tuning{.min_quantizer = 20, .max_quantizer = 48, .speed = 8};

constexpr int static_threshold = 500;  // blocks that differ by less are not coded: the backdrop has no noise
constexpr int key_frame_percent = 900; // of the bits of an average inter frame
constexpr unsigned long frame_us = 16'667; // initial frame duration; later taken from the presentation times

const CodecTuning& codec_tuning(VideoCodec codec)
{
    return codec == VideoCodec::vp9 ? vp9_tuning : vp8_tuning;
}

// The bit rate grows by a factor of about 2.8 for four times the pixels: flat areas cost little, edges much.
unsigned kilobits_per_second(double pixels)
{
    constexpr double reference_pixels = 512.0 * 512.0;
    constexpr double reference_kilobits = 4'700.0;
    return static_cast<unsigned>(std::ceil(reference_kilobits * std::pow(pixels / reference_pixels, 0.75)));
}

vpx_codec_enc_cfg_t configuration(VideoCodec codec, vpx_codec_iface_t* interface, const Frame& frame)
{
    vpx_codec_enc_cfg_t config;
    if (vpx_codec_enc_config_default(interface, &config, 0) != VPX_CODEC_OK)
        throw std::runtime_error("the video encoder has no default configuration");
    config.g_w = frame.width;
    config.g_h = frame.height;
    config.g_timebase = {.num = 1, .den = 1'000'000};
    config.g_threads = 1; // many viewers are encoded in parallel
    config.g_lag_in_frames = 0;
    config.rc_end_usage = VPX_CBR;
    config.rc_target_bitrate = kilobits_per_second(static_cast<double>(frame.width) * frame.height);
    config.rc_min_quantizer = codec_tuning(codec).min_quantizer;
    config.rc_max_quantizer = codec_tuning(codec).max_quantizer;
    config.rc_dropframe_thresh = 0; // every requested frame yields a packet
    config.rc_buf_sz = 1'000;       // milliseconds
    config.rc_buf_initial_sz = 500;
    config.rc_buf_optimal_sz = 600;
    config.kf_mode = VPX_KF_DISABLED; // the viewer requests key frames
    return config;
}

} // namespace

class VideoEncoder::Stream {
public:
    Stream(VideoCodec codec, const Frame& frame)
        : image_(vpx_img_alloc(nullptr, VPX_IMG_FMT_I420, frame.width, frame.height, 32))
    {
        if (!image_) throw std::runtime_error("the video encoder cannot allocate an image of this size");
        auto* interface = codec == VideoCodec::vp9 ? vpx_codec_vp9_cx() : vpx_codec_vp8_cx();
        const auto config = configuration(codec, interface, frame);
        check(vpx_codec_enc_init(&storage_, interface, &config, 0), "could not be initialized");
        context_.reset(&storage_);
        set(VP8E_SET_CPUUSED, codec_tuning(codec).speed);
        set(VP8E_SET_STATIC_THRESHOLD, static_threshold);
        set(VP8E_SET_MAX_INTRA_BITRATE_PCT, key_frame_percent);
        if (codec == VideoCodec::vp8) return;
        set(VP9E_SET_COLOR_SPACE, VPX_CS_BT_601);
        set(VP9E_SET_AQ_MODE, 0);
    }

    bool fits(const Frame& frame) const { return frame.width == image_->d_w && frame.height == image_->d_h; }

    VideoPacket encode(const Frame& frame, std::chrono::microseconds at, bool key_frame)
    {
        convert(frame);
        if (!first_) first_ = at;
        const auto time = std::max<vpx_codec_pts_t>((at - *first_).count(), next_time_);
        next_time_ = time + 1;
        check(vpx_codec_encode(context_.get(), image_.get(), time, frame_us,
                               key_frame ? VPX_EFLAG_FORCE_KF : 0, VPX_DL_REALTIME),
              "failed");
        return packet();
    }

private:
    struct Free {
        void operator()(vpx_codec_ctx_t* context) const { vpx_codec_destroy(context); }
        void operator()(vpx_image_t* image) const { vpx_img_free(image); }
    };

    void check(vpx_codec_err_t error, std::string_view what)
    {
        if (error == VPX_CODEC_OK) return;
        const char* detail = vpx_codec_error_detail(&storage_);
        throw std::runtime_error(std::string("the video encoder ").append(what) + ": " +
                                 (detail != nullptr ? detail : vpx_codec_err_to_string(error)));
    }

    void set(int control, int value)
    {
        check(vpx_codec_control_(context_.get(), control, value), "rejected a setting");
    }

    void convert(const Frame& frame)
    {
        auto** planes = image_->planes;
        const auto* stride = image_->stride;
        // libyuv names pixel formats by 32-bit word, Frame by byte order.
        if (libyuv::ABGRToI420(frame.pixels.data(), static_cast<int>(frame.width) * 4, planes[VPX_PLANE_Y],
                               stride[VPX_PLANE_Y], planes[VPX_PLANE_U], stride[VPX_PLANE_U],
                               planes[VPX_PLANE_V], stride[VPX_PLANE_V], static_cast<int>(frame.width),
                               static_cast<int>(frame.height)) != 0)
            throw std::runtime_error("the image could not be converted for video");
    }

    VideoPacket packet()
    {
        vpx_codec_iter_t next = nullptr;
        while (const auto* found = vpx_codec_get_cx_data(context_.get(), &next)) {
            if (found->kind != VPX_CODEC_CX_FRAME_PKT) continue;
            const auto& frame = found->data.frame;
            const auto* bytes = static_cast<const std::byte*>(frame.buf);
            return {.bytes = {bytes, bytes + frame.sz}, .key_frame = (frame.flags & VPX_FRAME_IS_KEY) != 0};
        }
        throw std::runtime_error("the video encoder returned no packet");
    }

    vpx_codec_ctx_t storage_{};
    std::unique_ptr<vpx_codec_ctx_t, Free> context_; // storage_, once it is initialized
    std::unique_ptr<vpx_image_t, Free> image_;
    std::optional<std::chrono::microseconds> first_;
    vpx_codec_pts_t next_time_ = 0; // microseconds from the first frame
};

VideoEncoder::VideoEncoder(VideoCodec codec) : codec_(codec) {}
VideoEncoder::~VideoEncoder() = default;
VideoEncoder::VideoEncoder(VideoEncoder&&) noexcept = default;
VideoEncoder& VideoEncoder::operator=(VideoEncoder&&) noexcept = default;

VideoPacket VideoEncoder::encode(const Frame& frame, std::chrono::microseconds at, bool key_frame)
{
    require_pixels(frame);
    // A change of size creates a new encoder: it uses less memory, and libvpx's own resizing has had bugs.
    if (stream_ && !stream_->fits(frame)) stream_.reset();
    auto stream = stream_ ? std::move(stream_) : std::make_unique<Stream>(codec_, frame);
    auto packet = stream->encode(frame, at, key_frame);
    stream_ = std::move(stream); // not after a failure: the decoder's reference frames would be uncertain
    return packet;
}

} // namespace vitrine::render
