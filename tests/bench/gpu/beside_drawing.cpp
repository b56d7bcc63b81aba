// Copies between host and device while another device of this process draws on the same card.

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "tests/bench/gpu/parts.hpp"
#include "tests/bench/gpu/transfers.hpp"
#include "tests/bench/timing.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {
namespace {

namespace json = boost::json;

// Draws until it is destroyed. An exception of the renderer ends the drawing; the rates show it.
class Drawing {
public:
    Drawing(const render::Options& options, int batch)
        : thread_([this, options, batch](const std::stop_token& stop) {
              try {
                  draw(options, batch, stop);
              } catch (const std::exception&) {
                  ended_ = true;
              }
          })
    {
        while (pictures_ == 0 && !ended_) // the first one compiles the shaders
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    double rate_since_last()
    {
        const double seconds = seconds_since(std::exchange(last_, Clock::now()));
        return static_cast<double>(pictures_.exchange(0)) / seconds;
    }

private:
    void draw(const render::Options& options, int batch, const std::stop_token& stop)
    {
        render::Renderer renderer(options);
        const auto scene = std::make_shared<const scene::Scene>(test::tube(200, 100, 80, 4));
        std::vector<render::FrameRequest> requests;
        for (int i = 0; i < batch; ++i)
            requests.push_back({scene, {.width = 512, .height = 512}, {0, 2.0 * i / batch}});
        std::vector<render::Frame> frames;
        while (!stop.stop_requested()) {
            renderer.render(requests, frames);
            pictures_ += batch;
        }
    }

    std::atomic<int> pictures_ = 0;
    std::atomic<bool> ended_ = false;
    Clock::time_point last_ = Clock::now();
    std::jthread thread_;
};

struct Copy {
    const char* name;
    Rate (Transfers::*run)(double seconds);
};
constexpr Copy copies[] = {{"uploads of the renderer", &Transfers::upload},
                           {"system memory to device, by the device", &Transfers::copy_to_device},
                           {"device to system memory, by the device", &Transfers::copy_to_host},
                           {"host reads readback memory", &Transfers::read_readback}};

} // namespace

json::value measure_beside_drawing(const PartInput& input)
{
    const double seconds = input.seconds / 11;
    Transfers transfers(input.options, input.software ? 32u << 20 : 256u << 20);
    std::vector<double> alone;
    for (const auto& copy : copies)
        alone.push_back((transfers.*copy.run)(seconds).bytes_per_second);
    Drawing drawing(input.options, input.software ? 1 : 16);
    drawing.rate_since_last();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const double drawn_alone = drawing.rate_since_last();
    json::array rows;
    for (std::size_t i = 0; i < std::size(copies); ++i) {
        const auto beside = (transfers.*copies[i].run)(seconds);
        rows.push_back(json::object{{"what", copies[i].name},
                                    {"aloneGBs", alone[i] / 1e9},
                                    {"besideGBs", beside.bytes_per_second / 1e9},
                                    {"picturesPerSecond", drawing.rate_since_last()}});
    }
    return json::object{{"picturesPerSecondAlone", drawn_alone}, {"rows", std::move(rows)}};
}

} // namespace vitrine::bench
