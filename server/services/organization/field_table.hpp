#pragma once
// Custom fields of collections and their values. Any thread, blocking. A write is durable when the call
// returns. Throws StorageError.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "server/services/catalog/records.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/organization/collection_field.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

struct FieldChange {
    std::optional<std::string> name{}, description{}, unit{};
    std::optional<FieldType> type{};
    std::optional<std::vector<std::string>> options{};
    std::optional<std::uint64_t> position{}; // among those of the collection
    bool discard = false;                    // removes values that the new type or options do not have
    std::string if_match{};                  // etag(); empty: any revision
};

// A field that an asset may have.
struct AssetField {
    CollectionField field;
    std::optional<std::string> value{}; // text of FieldValue
};

struct FieldValueChange {
    std::string field;        // id, or name
    boost::json::value value; // null: none
};

inline constexpr std::size_t max_changed_values = 100; // in one request

class FieldTable {
public:
    static constexpr std::size_t max_fields = 100; // of one collection

    // `database` outlives the object.
    explicit FieldTable(DatabaseConnections& database) : database_(database) {}

    // In their order; `inherited`: those of the collections above come first. Errors: not_found.
    Result<std::vector<CollectionField>> list(const std::string& collection, bool inherited) const;
    Result<CollectionField> find(const std::string& collection, const std::string& id) const;
    // The last one without a position. Errors: not_found, conflict ("field_exists", "too_many_fields").
    Result<CollectionField> create(const CollectionField& wanted, std::optional<std::uint64_t> position);
    // Values are converted to another type. Errors: also invalid ("bad_options"), precondition_failed,
    // conflict ("field_values_unfit": values that cannot be converted, and not `discard`).
    Result<CollectionField> change(const std::string& collection, const std::string& id,
                                   const FieldChange& change);
    // With its values.
    Result<void> remove(const std::string& collection, const std::string& id, const std::string& if_match);

    // Errors: not_found.
    Result<std::vector<AssetField>> values(const std::string& asset) const;
    // All or none. Errors: as write_field_values(), not_found, precondition_failed.
    Result<std::vector<AssetField>> set_values(const std::string& asset,
                                               const std::vector<FieldValueChange>& changes,
                                               const std::string& if_match);

private:
    DatabaseConnections& database_;
};

boost::json::object to_json(const AssetField& field);

} // namespace vitrine::server
