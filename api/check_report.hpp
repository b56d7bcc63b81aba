#pragma once
// Findings of checks as JSON, SARIF 2.1.0, JUnit and text.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "loaders/scene/checks/checks.hpp"

namespace vitrine::api {

// One file or asset. `failure`: why it could not be read; empty: it was.
struct CheckedModel {
    std::string name;
    std::vector<scene::Finding> findings{};
    std::string failure_code{};
    std::string failure{};
};

// Returns {rule, severity, path, value, limit, message}.
boost::json::object finding_json(const scene::Finding& finding);
// Returns {profile, counts: {error, warning, note}, items: [finding_json()]}.
boost::json::object findings_json(std::string_view profile, std::span<const scene::Finding> findings);
// Returns {profile, files: [{file, counts, items} or {file, problem: {code, detail}}]}.
boost::json::object check_json(std::string_view profile, std::span<const CheckedModel> models);
// SARIF 2.1.0 (OASIS standard, sections 3.13 to 3.54): one run; files that could not be read are
// notifications.
boost::json::object sarif_json(std::string_view version, std::span<const CheckedModel> models);
// JUnit XML: one suite per file with one case per rule that has a finding of at least this severity, or one
// that succeeded.
std::string junit_text(std::span<const CheckedModel> models, scene::Severity least);
// One line per finding of at least this severity.
std::string check_text(std::span<const CheckedModel> models, scene::Severity least);

} // namespace vitrine::api
