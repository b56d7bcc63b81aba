// Which test programs script/mutations.mjs runs after a change in server/.

// The programs that test each folder, the cheapest first; the first row that matches is used. tests/architecture compares
// the unit programs with the tests that they consist of.
const programs = [
  ["server/services/rendering/", ["unit_services", "unit_handlers", "integration_http", "integration_preview", "integration_device_loss"]],
  ["server/services/response_jobs/", ["unit_services", "unit_handlers"]],
  ["server/services/s3/", ["unit_s3", "unit_handlers", "integration_s3"]],
  ["server/services/moves/", ["unit_moves", "integration_moves"]],
  ["server/services/downloads/", ["unit_downloads", "unit_handlers"]],
  ["server/services/libraries/", ["unit_libraries", "integration_libraries"]],
  ["server/services/catalog/", ["unit_find", "unit_services", "unit_moves", "unit_handlers", "integration_durability", "integration_http", "integration_moves"]],
  ["server/services/vectors/", ["unit_vectors", "unit_services"]],
  ["server/services/notes/", ["unit_find", "unit_handlers"]],
  ["server/services/organization/", ["unit_services", "unit_find", "unit_handlers", "integration_http"]],
  ["server/services/schema/", ["unit_services", "unit_moves", "unit_handlers", "integration_durability", "integration_http", "integration_moves"]],
  ["server/services/database/", ["unit_services", "unit_moves", "unit_handlers", "integration_durability", "integration_http", "integration_moves"]],
  ["server/services/storage/", ["unit_shared_derived", "unit_services", "unit_handlers", "integration_durability", "integration_http", "integration_limits"]],
  ["server/services/oidc/", ["unit_oidc"]],
  ["server/services/", ["unit_services", "unit_handlers", "integration_durability", "integration_http", "integration_limits"]],
  ["server/render_process/", ["unit_render_process", "integration_render_process", "gpu_process"]],
  ["server/util/", ["unit_log_writer", "unit_free_memory", "unit_net", "unit_services", "unit_handlers", "integration_http", "integration_cli"]],
  ["server/http_client/", ["unit_oidc"]],
  ["server/tracing/", ["unit_net", "unit_services", "unit_handlers"]],
  ["server/net/transport/", ["unit_transport", "unit_net", "unit_link", "integration_http", "integration_limits", "integration_stop", "integration_preview"]],
  ["server/net/", ["unit_net", "unit_handlers", "integration_http", "integration_limits", "integration_stop", "integration_preview"]],
  ["server/routing/", ["unit_net", "unit_api_contract", "unit_handlers", "integration_http", "integration_limits"]],
  ["server/link/", ["unit_link", "unit_handlers"]],
  ["server/handlers/", ["unit_handlers", "unit_api_contract", "integration_http", "integration_limits", "integration_preview"]],
  ["server/preview/", ["unit_preview", "integration_preview"]],
  ["server/access/", ["unit_services", "unit_net", "unit_handlers", "integration_http"]],
  ["server/cli/moves/", ["integration_moves"]],
  ["server/cli/", ["unit_cli", "integration_cli", "integration_watch"]],
  ["server/", ["unit_handlers", "integration_stop", "integration_http", "integration_cli"]],
];

export const programsOf = (file) => programs.find(([folder]) => file.startsWith(folder))[1];
export const allPrograms = () => [...new Set(programs.flatMap(([, names]) => names))];
