#pragma once
// Requests to the whole server without sockets: routing, access checks and handlers over services with a fake
// loader and a fake device.

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>

#include "server/handlers/routes.hpp"
#include "server/preview/shared_frames.hpp"
#include "server/routing/dispatcher.hpp"
#include "server/routing/remote_image.hpp"
#include "server/routing/request_watch.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {

// A body that arrives in the given pieces.
class PiecesBody final : public BodySource {
public:
    explicit PiecesBody(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}
    asio::awaitable<std::span<const std::byte>> next() override
    {
        if (taken == pieces_.size()) co_return std::span<const std::byte>{};
        co_return bytes_of(pieces_[taken++]);
    }
    std::size_t taken = 0;

private:
    std::vector<std::string> pieces_;
};

struct Answered {
    std::shared_ptr<asio::io_context> io; // the body of an event stream has a timer in it
    Response response;
    std::size_t pieces = 0; // pieces of the body that were read

    int status() const { return response.status; }
    std::string header(std::string_view name) const
    {
        return std::string(response.headers.find(name).value_or(""));
    }
    boost::json::value json() const { return boost::json::parse(body_bytes(response.body).value()); }
    std::string code() const { return std::string(json().at("code").as_string()); }
};

class HandlerTest : public WholeServicesTest {
protected:
    using Fields = std::vector<std::pair<std::string, std::string>>;

    // `adjust` changes the configuration of the services; `guard`: who may use the server, everybody by
    // default.
    explicit HandlerTest(bool with_device = true, const std::function<void(ServicesConfig&)>& adjust = {},
                         GuardConfig guard = {})
        : services(config_with(with_device, adjust), registry), cookies(cookie_names_of(guard.token)),
          dispatcher(context, {all_routes(), page_route()}, Guard(std::move(guard), &services.tokens), 16,
                     [](const LogLine&) {})
    {
        services.start();
    }

    // `length`: value of the Content-Length field; npos: a chunked body.
    Answered ask(Method method, std::string_view target, const Fields& fields = {},
                 std::vector<std::string> pieces = {}, std::size_t length = std::string::npos)
    {
        PiecesBody body(std::move(pieces));
        Answered answered = ask(method, target, fields, body, length);
        answered.pieces = body.taken;
        return answered;
    }
    Answered ask(Method method, std::string_view target, const Fields& fields, BodySource& body,
                 std::size_t length = std::string::npos)
    {
        Request request;
        request.method = method;
        request.method_name = to_string(method);
        request.target = parse_target(target).value();
        request.headers.add("Host", "localhost");
        for (const auto& [name, value] : fields)
            request.headers.add(name, value);
        if (length != std::string::npos) request.content_length = length;
        request.id = "of-the-test";
        request.socket = peer;
        request.peer = sender;
        Answered answered;
        std::exception_ptr error;
        asio::io_context& io = *(answered.io = std::make_shared<asio::io_context>());
        asio::co_spawn(
            io, [&] { return dispatcher.handle(request, body); },
            [&](const std::exception_ptr& thrown, Response response) {
                error = thrown;
                answered.response = std::move(response);
            });
        io.run(); // until the threads of pools have released it
        if (error) std::rethrow_exception(error);
        return answered;
    }
    // A handshake; empty: it offers no protocol.
    static Fields websocket(std::string_view protocol = {})
    {
        Fields fields{{"Connection", "Upgrade"},
                      {"Upgrade", "websocket"},
                      {"Sec-WebSocket-Version", "13"},
                      {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
        if (!protocol.empty()) fields.emplace_back("Sec-WebSocket-Protocol", protocol);
        return fields;
    }
    Answered get(std::string_view target, const Fields& fields = {})
    {
        return ask(Method::get, target, fields);
    }

    static std::shared_ptr<const Peer> peer_at(const char* address)
    {
        return std::make_shared<Peer>(Peer{asio::ip::make_address(address), address});
    }

    // Returns the id of an asset whose import has ended.
    std::string imported(const std::string& name)
    {
        const auto created = upload(services, name);
        EXPECT_EQ(wait_for(services, created.job.id).state, JobState::succeeded);
        return created.asset.id;
    }

    ServicesConfig config_with(bool device, const std::function<void(ServicesConfig&)>& adjust)
    {
        gpu.absent = !device;
        auto made = config();
        if (adjust) adjust(made);
        return made;
    }

    std::shared_ptr<const PeerSocket> peer; // of ask()
    std::shared_ptr<const Peer> sender;     // the same
    Services services;
    const CookieNames cookies;
    SharedFrames preview_frames{1 << 20, registry};
    WorkPool catalog_pool{1, 64}, scenes_pool{1, 64}, exports_pool{1, 64}, uploads_pool{1, 64},
        preview_pool{1, 64}, passwords_pool{1, 4}, sign_on_pool{1, 4};
    std::atomic<bool> stopping = false;
    std::atomic<std::size_t> viewers = 0;
    ResponseBudget responses{folder() / "data/tmp", {}, registry};
    ResponseCache response_cache{16 << 20, registry};
    RequestWatch request_watch{std::chrono::seconds(60), registry};
    ImageWaits image_waits{ImageWaitLimits{.stills = 4, .others = 1, .queued = 2}};
    Context context{.services = services,
                    .registry = registry,
                    .catalog_pool = catalog_pool,
                    .scenes_pool = scenes_pool,
                    .exports_pool = exports_pool,
                    .uploads_pool = uploads_pool,
                    .preview_pool = preview_pool,
                    .passwords_pool = passwords_pool,
                    .sign_on_pool = sign_on_pool,
                    .preview_frames = preview_frames,
                    .responses = responses,
                    .response_cache = response_cache,
                    .request_watch = request_watch,
                    .image_waits = image_waits,
                    .limits = {.min_free_bytes = 0},
                    .data = folder() / "data",
                    .web = {},
                    .stopping = stopping,
                    .viewers = viewers,
                    .cookies = cookies};
    Dispatcher dispatcher;
};

} // namespace vitrine::server::testing
