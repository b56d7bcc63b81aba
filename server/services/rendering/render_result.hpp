#pragma once
// Maps the exceptions of a render thread to service errors.

#include <future>

#include "server/services/rendering/render_request.hpp"
#include "server/util/error.hpp"
#include "vk_renderer/base/options.hpp"

namespace vitrine::server {

// The device is not available, or has given up the work; a later request may succeed.
inline std::unexpected<ServiceError> render_failed(std::string_view why)
{
    return make_error(Errc::unavailable, "not_drawn", std::string(why), 5);
}

// Waits at most `render_timeout`. Not on a render thread.
template <class Value>
Result<Value> await_result(Result<std::future<Value>> future)
{
    if (!future) return std::unexpected(future.error());
    if (future->wait_for(render_timeout) != std::future_status::ready)
        return render_failed("the renderer does not respond");
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
