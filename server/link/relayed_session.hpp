#pragma once
// A live preview of a worker as the session of a viewer's WebSocket in an API process.

#include <functional>
#include <memory>

#include <boost/asio/any_io_executor.hpp>

#include "server/link/link_client.hpp"
#include "server/link/link_pool.hpp"

namespace vitrine::server {

// Opens the preview over the link; calls `done` once. On the executor of the link, which is `executor`.
void open_relayed(const asio::any_io_executor& executor, const std::shared_ptr<LinkClient>& link,
                  StreamOpen open, std::move_only_function<void(RelayedPreview)> done);

} // namespace vitrine::server
