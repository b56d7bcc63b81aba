// Encoders on 1 to all threads, which share nothing.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "server/samples/models.hpp"
#include "tests/bench/gpu/parts.hpp"
#include "tests/bench/timing.hpp"
#include "vk_renderer/encode/encode.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {
namespace {

namespace json = boost::json;

struct Encoder {
    const char* name;
    render::ImageFormat format;
};
constexpr Encoder encoders[] = {{"JPEG q85", render::ImageFormat::jpeg},
                                {"WebP q85", render::ImageFormat::webp},
                                {"PNG", render::ImageFormat::png}};

struct EncodedImages {
    double per_second = 0.0;
    double bytes_each = 0.0;
};

// Every thread encodes at least once.
EncodedImages encode_on(unsigned threads, double seconds, const render::Frame& frame,
                        render::ImageFormat format)
{
    std::atomic<std::uint64_t> images = 0, bytes = 0;
    const auto start = Clock::now();
    {
        std::vector<std::jthread> workers;
        for (unsigned i = 0; i < threads; ++i)
            workers.emplace_back([&] {
                do {
                    bytes += render::encode(frame, format).size();
                    ++images;
                } while (seconds_since(start) < seconds);
            });
    }
    const auto count = static_cast<double>(images);
    return {count / seconds_since(start), static_cast<double>(bytes) / count};
}

// 1, 2, 4, ... and all.
std::vector<unsigned> thread_counts()
{
    const unsigned all = std::max(1u, std::thread::hardware_concurrency());
    std::vector<unsigned> counts;
    for (unsigned count = 1; count < all; count *= 2)
        counts.push_back(count);
    counts.push_back(all);
    return counts;
}

} // namespace

json::value measure_encoders(const PartInput& input)
{
    render::Renderer renderer(input.options);
    const auto scene = std::make_shared<const scene::Scene>(samples::make_robot());
    const render::ClipTime clip_time{0, 0.3};
    const auto frame = renderer.render(scene, {.width = 512, .height = 512}, {&clip_time, 1}).at(0);
    const auto counts = thread_counts();
    const double seconds = input.seconds / static_cast<double>(std::size(encoders) * counts.size() + 1);
    json::array rows;
    for (const auto& encoder : encoders)
        for (const unsigned threads : counts) {
            const auto encoded = encode_on(threads, seconds, frame, encoder.format);
            rows.push_back(json::object{{"format", encoder.name},
                                        {"side", frame.width},
                                        {"threads", threads},
                                        {"imagesPerSecond", encoded.per_second},
                                        {"bytesEach", encoded.bytes_each}});
        }
    return json::object{{"rows", std::move(rows)}};
}

} // namespace vitrine::bench
