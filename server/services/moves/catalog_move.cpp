#include "server/services/moves/catalog_move.hpp"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <thread>

#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/schema/schema.hpp"
#include "server/util/clock.hpp"
#include "server/util/ids.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

constexpr auto disconnect_timeout = 3s; // for connections of other processes to end
constexpr std::uint64_t batch_rows = 20'000;
constexpr std::uint64_t batch_bytes = 32 << 20;
constexpr std::uint64_t progress_rows = 1000; // between two reports

[[noreturn]] void reject_move(const std::string& sentence)
{
    throw MoveError(StorageError::Kind::failed, sentence);
}

// "3:abc2:de": the values of a key with their lengths.
std::string key_text(const std::vector<std::string>& key)
{
    std::string text;
    for (const auto& value : key)
        text += fmt::format("{}:{}", value.size(), value);
    return text;
}

std::vector<std::string> parse_key(std::string_view text)
{
    std::vector<std::string> key;
    while (!text.empty()) {
        const auto colon = text.find(':');
        const auto size = parse_whole<std::size_t>(text.substr(0, colon));
        if (colon == text.npos || !size || *size >= text.size() - colon)
            reject_move("the progress of the move is damaged");
        key.emplace_back(text.substr(colon + 1, *size));
        text.remove_prefix(colon + 1 + *size);
    }
    return key;
}

std::string recall(MoveEnd& end, const std::string& name)
{
    std::string value;
    end.sql() << fmt::format("SELECT COALESCE(MAX(value), '') FROM {} WHERE name = :name", progress_table),
        soci::into(value), soci::use(name);
    return value;
}

void note(MoveEnd& end, const std::string& name, const std::string& value)
{
    end.sql() << fmt::format("DELETE FROM {} WHERE name = :name", progress_table), soci::use(name);
    end.sql() << fmt::format("INSERT INTO {} (name, value) VALUES (:name, :value)", progress_table),
        soci::use(name), soci::use(value);
}

} // namespace

// Writes rows of one table in transactions, each with the place that it has reached.
class CatalogMove::Batches {
public:
    Batches(MoveEnd& target, const BulkTable& table) : target_(target), table_(table)
    {
        for (const auto& column : table.key)
            key_at_.push_back(static_cast<std::size_t>(
                std::ranges::find(table.columns, column, &BulkColumn::name) - table.columns.begin()));
    }

    void write(BulkRow row)
    {
        if (!writer_) begin();
        writer_->write(row);
        ++rows_;
        for (const auto& value : row)
            bytes_ += value ? value->size() : 0;
        key_.clear();
        for (const auto at : key_at_)
            key_.emplace_back(row[at].value_or(""));
        if (rows_ >= batch_rows || bytes_ >= batch_bytes) end();
    }

    void end()
    {
        if (!writer_) return;
        writer_->finish();
        writer_.reset();
        note(target_, table_.name, key_text(key_));
        transaction_->commit();
        transaction_.reset();
        rows_ = bytes_ = 0;
    }

private:
    void begin()
    {
        transaction_.emplace(target_.sql(), Durability::later);
        writer_ = target_.rows().write(table_);
    }

    MoveEnd& target_;
    const BulkTable& table_;
    std::vector<std::size_t> key_at_; // positions of the key in a row
    std::vector<std::string> key_;    // of the last row
    std::optional<Transaction> transaction_;
    std::unique_ptr<BulkWriter> writer_; // ends before its transaction
    std::uint64_t rows_ = 0, bytes_ = 0; // of the transaction
};

CatalogMove::CatalogMove(const std::string& source, const std::string& target)
    : source_(source), target_(target)
{
    source_.run([&] { migrate(source_.sql()); });
}

// The connections of a process that was just killed end when the database has noticed.
void CatalogMove::reject_connections()
{
    const auto until = std::chrono::steady_clock::now() + disconnect_timeout;
    for (auto* const end : {&source_, &target_})
        for (long long others = -1; others != 0; std::this_thread::sleep_for(others > 0 ? 100ms : 0ms)) {
            end->run([&] { others = end->rows().other_connections(); });
            if (others > 0 && std::chrono::steady_clock::now() > until)
                reject_move(fmt::format("{}: {} connections of other Vitrine processes; stop the servers, or "
                                        "use --force",
                                        end->name(), others));
        }
}

bool CatalogMove::begin(const CatalogMoveOptions& options)
{
    if (!options.force) reject_connections();
    bool continued = false;
    target_.run([&] {
        if (target_.has_table(progress_table)) continued = continue_move(options);
        if (continued) return;
        migrate(target_.sql());
        if (const auto assets = target_.count("assets"); assets > 0)
            reject_move(fmt::format("{} has {} assets of another origin; a move needs an empty catalog",
                                    target_.name(), assets));
        Transaction transaction(target_.sql(), Durability::full);
        empty_target();
        target_.sql() << fmt::format("CREATE TABLE {} (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
                                     progress_table);
        note(target_, "origin", source_.name());
        target_.sql() << "INSERT INTO migrations (number, applied) VALUES (:n, :t)",
            soci::use(unfinished_move), soci::use(static_cast<long long>(now()));
        transaction.commit();
    });
    return continued;
}

// Returns false after the target was emptied for a new beginning.
bool CatalogMove::continue_move(const CatalogMoveOptions& options)
{
    const auto origin = recall(target_, "origin");
    long long version = 0;
    target_.sql() << "SELECT COALESCE(MAX(number), 0) FROM migrations WHERE number <> :n",
        soci::into(version), soci::use(unfinished_move);
    if (!options.restart) {
        if (origin != source_.name())
            reject_move(
                fmt::format("{} has an unfinished move from {}; end that one, or use --restart to forget it",
                            target_.name(), origin));
        if (version != static_cast<long long>(migrations(target_.sql().dialect).size()))
            reject_move(
                fmt::format("{} has an unfinished move by another version of Vitrine; end it with that one, "
                            "or use --restart to begin anew",
                            target_.name()));
        return true;
    }
    Transaction transaction(target_.sql(), Durability::full);
    empty_target();
    target_.sql() << fmt::format("DROP TABLE {}", progress_table);
    target_.sql() << "DELETE FROM migrations WHERE number = :n", soci::use(unfinished_move);
    transaction.commit();
    return false;
}

void CatalogMove::empty_target()
{
    for (const auto& moved : moved_tables() | std::views::reverse)
        if (target_.has_table(moved.name)) target_.sql() << fmt::format("DELETE FROM {}", moved.name);
}

void CatalogMove::copy(const OnMoveProgress& progress)
{
    for (const auto& moved : moved_tables())
        copy_table(moved, progress);
    target_.run([&] { target_.rows().analyze(); });
}

void CatalogMove::copy_table(const MovedTable& moved, const OnMoveProgress& progress)
{
    const std::string name(moved.name);
    const auto table = source_.describe(moved);
    if (table.columns != target_.describe(moved).columns)
        reject_move(
            fmt::format("the columns of {} in {} and {} differ", name, source_.name(), target_.name()));
    const auto total = counts_[name] = source_.count(name);
    auto done = target_.count(name);
    const auto what = fmt::format("copying {}", name);
    progress({what, done, total});
    std::vector<std::string> after;
    target_.run([&] { after = parse_key(recall(target_, name)); });
    source_.run([&] {
        target_.run([&] {
            Batches batches(target_, table);
            source_.rows().read(table, after, [&](BulkRow row) {
                batches.write(row);
                if (++done % progress_rows == 0) progress({what, done, total});
            });
            batches.end();
        });
    });
    progress({what, done, total});
    if (moved.numbered.empty()) return;
    const std::string column(moved.numbered);
    long long last = 0;
    source_.run([&] { last = source_.rows().last_number(name, column); });
    if (last > 0) target_.run([&] { target_.rows().set_last_number(name, column, last); });
}

RowsDigest CatalogMove::digest(MoveEnd& end, const MovedTable& moved, std::string_view what,
                               const OnMoveProgress& progress)
{
    RowsDigest digest;
    const auto total = counts_[std::string(moved.name)];
    end.run([&] {
        end.rows().read(end.describe(moved), {}, [&](BulkRow row) {
            digest.add(row);
            if (digest.rows() % progress_rows == 0) progress({what, digest.rows(), total});
        });
    });
    progress({what, digest.rows(), total});
    return digest;
}

std::vector<MovedRows> CatalogMove::verify(const OnMoveProgress& progress)
{
    std::vector<MovedRows> tables;
    for (const auto& moved : moved_tables()) {
        const auto what = fmt::format("verifying {}", moved.name);
        const auto there = digest(source_, moved, what, progress);
        const auto here = digest(target_, moved, what, progress);
        if (!(there == here))
            reject_move(
                fmt::format("{} differs after the move: {} rows ({}) in {}, {} rows ({}) in {}; was the "
                            "source changed? Run it again with --restart",
                            moved.name, there.rows(), there.text(), source_.name(), here.rows(), here.text(),
                            target_.name()));
        tables.push_back({std::string(moved.name), here.rows(), here.text()});
    }
    return tables;
}

void CatalogMove::finish(bool blobs_stay)
{
    target_.run([&] {
        Transaction transaction(target_.sql(), Durability::full);
        target_.sql() << fmt::format("DROP TABLE {}", progress_table);
        target_.sql() << "DELETE FROM migrations WHERE number = :n", soci::use(unfinished_move);
        transaction.commit();
    });
    if (!blobs_stay) return;
    source_.run([&] { // last: until the target is whole, the two are compared again
        Transaction transaction(source_.sql(), Durability::full);
        const auto identity = new_id("catalog");
        source_.sql() << "UPDATE catalog_settings SET value = :value WHERE name = 'identity'",
            soci::use(identity);
        transaction.commit();
    });
}

} // namespace vitrine::server
