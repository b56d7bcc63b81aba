#pragma once
// The server's log: lines of key=value or of JSON on stderr, written by a thread of its own
// (util/log_writer.hpp).

#include <memory>
#include <string>

#include <prometheus/registry.h>
#include <spdlog/spdlog.h>

#include "server/log_format.hpp"

namespace vitrine::server {

// Returns the logger and makes it spdlog's default logger, which services use. `level`: a level of spdlog.
// `registry` gets the counter of dropped lines and outlives every use of the logger.
std::shared_ptr<spdlog::logger> make_logger(const std::string& level, LogFormat format,
                                            prometheus::Registry& registry);

} // namespace vitrine::server
