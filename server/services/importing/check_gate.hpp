#pragma once
// Checks of uploads against a profile: what it finds with severity `error` marks the asset or fails the
// import.

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "loaders/scene/checks/checks.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

enum class GateAction : std::uint8_t {
    mark,   // findings are warnings of the asset, whose code is the rule
    reject, // the import fails with the code check_failed
};

struct CheckGate {
    std::shared_ptr<const scene::CheckProfile> profile{}; // null: nothing is checked
    GateAction action = GateAction::mark;
};

// `facts`: of all clips. At most 100 warnings.
std::vector<scene::Warning> gate_warnings(const CheckGate& gate, const scene::Scene& scene,
                                          const std::vector<scene::ClipFacts>& facts);
// Why the gate rejects the model; empty: it does not, or a stop is requested.
std::optional<ServiceError> find_rejection(const CheckGate& gate, const scene::Scene& scene,
                                           const std::stop_token& stop = {});

} // namespace vitrine::server
