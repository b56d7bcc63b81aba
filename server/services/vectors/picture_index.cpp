#include "server/services/vectors/picture_index.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loaders/io/base64.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

// Rows that other processes write get their numbers before they are visible: so many of the last numbers are
// read again.
constexpr long long repeated_rows = 1'000;

void replace_vector(DatabaseConnection& sql, const VectorModel& model, const PictureVector& picture)
{
    const long long version = picture.version;
    const std::string code = picture.vector ? code_text(*picture.vector, model.bits) : std::string();
    const std::string vector = picture.vector ? to_text(*picture.vector) : std::string();
    sql << "DELETE FROM picture_vectors WHERE asset = :asset AND version = :version AND model = :model",
        use(picture.asset), use(version), use(model.name);
    sql << "INSERT INTO picture_vectors (asset, version, model, code, vector) SELECT v.asset, v.number, "
           ":model, :code, :vector FROM versions v WHERE v.asset = :asset AND v.number = :version "
           "ON CONFLICT (asset, version, model) DO NOTHING", // another process was first
        use(model.name), use(code), use(vector), use(picture.asset), use(version);
}

} // namespace

struct PictureIndex::Codes {
    std::vector<long long> rows;     // their numbers
    std::vector<std::uint8_t> bytes; // their codes
    std::set<long long> last_rows;   // those of `rows` that are read again
    long long last = 0;

    bool add(long long row, const std::string& text, std::size_t bits);
};

PictureIndex::PictureIndex(DatabaseConnections& database) : database_(database) {}

PictureIndex::~PictureIndex() = default;

void PictureIndex::store(const VectorModel& model, const std::vector<PictureVector>& vectors)
{
    if (vectors.empty()) return;
    database_.write_unsynced([&](DatabaseConnection& sql) {
        for (const auto& picture : vectors)
            replace_vector(sql, model, picture);
    });
}

std::optional<UnitVector> PictureIndex::find(const std::string& model, const std::string& asset,
                                             std::uint32_t version) const
{
    return database_.read([&](DatabaseConnection& sql) -> std::optional<UnitVector> {
        const long long number = version;
        std::string text;
        sql << "SELECT vector FROM picture_vectors WHERE asset = :asset AND version = :version AND "
               "model = :model",
            into(text), use(asset), use(number), use(model);
        return sql.got_data() ? parse_unit_vector(text) : std::nullopt;
    });
}

std::optional<std::size_t> PictureIndex::dimensions(const std::string& model) const
{
    return database_.read([&](DatabaseConnection& sql) -> std::optional<std::size_t> {
        std::string text;
        sql << "SELECT vector FROM picture_vectors WHERE model = :model AND code <> '' ORDER BY seq LIMIT 1",
            into(text), use(model);
        const auto vector = sql.got_data() ? parse_unit_vector(text) : std::nullopt;
        return vector ? std::optional(vector->size()) : std::nullopt;
    });
}

bool PictureIndex::Codes::add(long long row, const std::string& text, std::size_t bits)
{
    const auto code = io::decode_base64(text);
    if (!code || code->size() * 8 != bits || !last_rows.insert(row).second) return false;
    rows.push_back(row);
    for (const auto byte : *code)
        bytes.push_back(static_cast<std::uint8_t>(byte));
    last = std::max(last, row);
    while (*last_rows.begin() <= last - repeated_rows)
        last_rows.erase(last_rows.begin());
    return true;
}

// Returns whether there may be more. Under the mutex. Rows that were replaced or removed stay, and are not
// found in the database later.
bool PictureIndex::read_codes(Codes& codes, const VectorModel& model) const
{
    constexpr long long max_rows = 50'000;
    if (codes.rows.size() >= max_codes) return false;
    return database_.read([&](DatabaseConnection& sql) {
        const long long from = codes.last - repeated_rows;
        long long row = 0, read = 0;
        std::string code;
        PreparedStatement rows =
            (sql.prepare << "SELECT seq, code FROM picture_vectors WHERE model = :model AND seq > :from AND "
                            "code <> '' ORDER BY seq LIMIT :most",
             into(row), into(code), use(model.name), use(from), use(max_rows));
        for (rows.execute(); rows.fetch(); ++read)
            codes.add(row, code, model.bits);
        return read == max_rows && codes.rows.size() < max_codes;
    });
}

std::vector<long long> PictureIndex::find_candidates(const VectorModel& model, const UnitVector& vector,
                                                     bool& is_all)
{
    const CodeScorer scorer(vector, model.bits);
    const std::lock_guard lock(mutex_);
    auto& codes = codes_[model.name];
    if (!codes) codes = std::make_unique<Codes>();
    while (read_codes(*codes, model)) {
    }
    std::vector<std::pair<float, long long>> scored;
    scored.reserve(codes->rows.size());
    for (std::size_t i = 0; i < codes->rows.size(); ++i)
        scored.emplace_back(-scorer.score(codes->bytes.data() + i * model.bits / 8), codes->rows[i]);
    is_all = scored.size() <= max_candidates;
    if (!is_all) {
        std::ranges::nth_element(scored, scored.begin() + max_candidates);
        scored.resize(max_candidates);
    }
    std::vector<long long> rows;
    for (const auto& [score, row] : scored)
        rows.push_back(row);
    return rows;
}

NearPictures PictureIndex::nearest(const VectorModel& model, const UnitVector& vector)
{
    NearPictures near;
    const auto candidates = find_candidates(model, vector, near.is_complete);
    if (candidates.empty()) return near;
    const auto text =
        fmt::format("SELECT a.seq, a.id, a.name, p.vector FROM picture_vectors p JOIN assets a ON "
                    "a.id = p.asset AND a.version = p.version AND a.deleted = 0 WHERE p.seq IN ({}){}",
                    fmt::join(candidates, ","), and_visible_asset("a.id"));
    database_.read([&](DatabaseConnection& sql) {
        near.items.clear();
        long long seq = 0;
        NearPicture item;
        std::string stored;
        PreparedStatement rows =
            (sql.prepare << text, into(seq), into(item.asset), into(item.name), into(stored));
        for (rows.execute(); rows.fetch();) {
            const auto other = parse_unit_vector(stored);
            if (!other || other->size() != vector.size()) continue;
            item.seq = seq;
            item.cosine = cosine(vector, *other);
            near.items.push_back(item);
        }
    });
    near.compared = near.items.size();
    if (sees_everything() &&
        near.compared * 2 < candidates.size()) { // most have been replaced or removed since
        const std::lock_guard lock(mutex_);
        codes_.erase(model.name);
    }
    std::ranges::sort(near.items, [](const NearPicture& a, const NearPicture& b) {
        return std::pair(-a.cosine, -a.seq) < std::pair(-b.cosine, -b.seq);
    });
    return near;
}

std::vector<PictureOwner> PictureIndex::missing(const std::string& model, std::int64_t from,
                                                std::int64_t to) const
{
    return database_.read([&](DatabaseConnection& sql) {
        const long long first = from, last = to;
        std::vector<PictureOwner> owners;
        std::string asset;
        long long version = 0;
        PreparedStatement rows =
            (sql.prepare << "SELECT a.id, a.version FROM assets a JOIN versions v ON v.asset = a.id AND "
                            "v.number = a.version WHERE a.seq >= :first AND a.seq <= :last AND "
                            "a.deleted = 0 AND v.thumbnail = 1 AND NOT EXISTS (SELECT 1 FROM "
                            "picture_vectors p WHERE p.asset = a.id AND p.version = a.version AND "
                            "p.model = :model) ORDER BY a.seq",
             into(asset), into(version), use(first), use(last), use(model));
        for (rows.execute(); rows.fetch();)
            owners.push_back({asset, static_cast<std::uint32_t>(version)});
        return owners;
    });
}

std::int64_t PictureIndex::last_asset() const
{
    return database_.read([](DatabaseConnection& sql) {
        long long last = 0;
        sql << "SELECT COALESCE(MAX(seq), 0) FROM assets", into(last);
        return static_cast<std::int64_t>(last);
    });
}

} // namespace vitrine::server
