#pragma once
// Maps the exceptions of a render thread to service errors.

#include <chrono>
#include <future>

#include "loaders/base/stop.hpp"
#include "server/services/rendering/render_request.hpp"
#include "server/util/error.hpp"
#include "vk_renderer/base/options.hpp"

namespace vitrine::server {

// The device is not available, or has given up the work; a later request may succeed.
inline std::unexpected<ServiceError> render_failed(std::string_view why)
{
    return make_error(Errc::unavailable, "not_drawn", std::string(why), 5);
}

// Waits at most `render_timeout`, or until the work of this thread is stopped, which throws Stopped. Not on a
// render thread.
template <class Value>
Result<Value> await_result(Result<std::future<Value>> future)
{
    if (!future) return std::unexpected(future.error());
    constexpr std::chrono::milliseconds stop_interval{50};
    const auto end = std::chrono::steady_clock::now() + render_timeout;
    while (future->wait_for(stop_interval) != std::future_status::ready) {
        check_stop();
        if (std::chrono::steady_clock::now() >= end) return render_failed("the renderer does not respond");
    }
    try {
        return future->get();
    } catch (const render::Undrawable& error) {
        return make_error(Errc::unprocessable, "not_drawable", error.what());
    } catch (const render::TooLargeForDevice& error) {
        return make_error(Errc::unprocessable, "too_large_for_device", error.what());
    } catch (const render::RenderError& error) {
        return render_failed(error.what());
    } catch (const ModelQuarantined& error) {
        return make_error(Errc::unprocessable, "render_quarantined", error.what());
    } catch (const render::DeviceLost& error) {
        return render_failed(error.what());
    }
}

} // namespace vitrine::server
