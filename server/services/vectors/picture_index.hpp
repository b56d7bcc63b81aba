#pragma once
// Vectors of the pictures of assets in the database, and the nearest ones to a vector. The codes of all
// vectors of a model are in memory, where each search reads them all (32 or 128 bytes of each), follows the
// database, and compares the vectors of the nearest max_candidates. Any thread, blocking. Throws
// StorageError.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/services/database/database_connections.hpp"
#include "server/services/vectors/unit_vector.hpp"

namespace vitrine::server {

// Whose vectors: of the descriptor, or of an embedder.
struct VectorModel {
    std::string name;
    std::size_t bits = 256; // of the codes
};

struct PictureVector {
    std::string asset; // id
    std::uint32_t version = 1;
    std::optional<UnitVector> vector{}; // empty: the picture shows nothing
};

struct NearPicture {
    std::int64_t seq = 0; // of the asset: order of creation
    std::string asset;    // id
    std::string name;
    double cosine = 0.0;
};
struct NearPictures {
    std::vector<NearPicture> items{}; // the nearest first
    std::size_t compared = 0;         // vectors
    bool is_complete = true;          // else only the nearest by their codes were compared
};

// An asset in the version that requests read.
struct PictureOwner {
    std::string asset; // id
    std::uint32_t version = 1;
};

class PictureIndex {
public:
    static constexpr std::size_t max_candidates = 1'000;
    static constexpr std::size_t max_codes = 4'000'000; // in memory; further vectors are not found

    explicit PictureIndex(DatabaseConnections& database);
    ~PictureIndex();
    PictureIndex(const PictureIndex&) = delete;
    PictureIndex& operator=(const PictureIndex&) = delete;

    // Replaces the vectors of these versions. Not synced: they are computed again when they are lost.
    void store(const VectorModel& model, const std::vector<PictureVector>& vectors);
    // Empty: there is none, or the picture shows nothing.
    std::optional<UnitVector> find(const std::string& model, const std::string& asset,
                                   std::uint32_t version) const;
    // Dimensions of the vectors of the model; empty: there is none.
    std::optional<std::size_t> dimensions(const std::string& model) const;
    // Of assets outside the trash, in the version that requests read.
    NearPictures nearest(const VectorModel& model, const UnitVector& vector);

    // Assets with a thumbnail and without a vector of the model, of those whose number is in the range.
    std::vector<PictureOwner> missing(const std::string& model, std::int64_t from, std::int64_t to) const;
    std::int64_t last_asset() const; // the number of the newest; 0: there is none

private:
    struct Codes;
    std::vector<long long> find_candidates(const VectorModel& model, const UnitVector& vector, bool& is_all);
    bool read_codes(Codes& codes, const VectorModel& model) const;

    DatabaseConnections& database_;
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<Codes>> codes_; // by model
};

} // namespace vitrine::server
