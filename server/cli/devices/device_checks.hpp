#pragma once
// What `vitrine doctor` checks of graphics cards, drivers and devices.

#include <string>

#include "server/deployment_checks.hpp"

namespace vitrine::cli {

using server::CheckResult;

CheckResult check_devices();
CheckResult check_drivers();
CheckResult check_nvidia_cards();
// Starts a renderer on the device of --gpu.
CheckResult check_renderer(const std::string& gpu);

} // namespace vitrine::cli
