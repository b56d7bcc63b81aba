#pragma once
// What the parts of Catalog share.

#include "server/services/catalog/catalog.hpp"
#include "server/services/catalog/session.hpp"

namespace vitrine::server {

struct Catalog::Impl {
    Impl(const std::filesystem::path& file, unsigned readers) : sessions(file, readers) {}
    Sessions sessions;
    std::uint64_t claims = 0; // asked for by this process; written by the guarded writer alone
};

// `name` as lists sort it: ASCII in lower case.
std::string name_key(std::string_view name);
// Rewrites what a search looks at: the asset's name and `found` (names inside the model, one a line).
void index_search(soci::session& sql, const std::string& asset, const std::string& name,
                  const std::string& found);
// Whether `held` still has its job.
bool holds(soci::session& sql, const Lease& held);
// The asset in the state that a change may be made in. Errors: not_found, precondition_failed.
Result<AssetRecord> find_to_change(soci::session& sql, const std::string& id, const std::string& if_match);
// Another revision, updated now.
void touch_asset(soci::session& sql, const std::string& id);
// What is known of a version, in place of what was.
void put_metadata(soci::session& sql, const std::string& asset, std::uint32_t version, const Metadata& found);
std::unexpected<ServiceError> no_asset(const std::string& id);

} // namespace vitrine::server
