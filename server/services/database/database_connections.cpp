#include "server/services/database/database_connections.hpp"

#include <algorithm>
#include <future>
#include <random>

#include "server/services/database/database_meters.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

constexpr unsigned max_attempts = 8;
constexpr auto max_reconnect_pause = 5000ms;
constexpr auto lease_timeout = 30s; // for a free connection

// Half of `time` to all of it: clients that failed together do not come back together.
std::chrono::milliseconds with_jitter(std::chrono::milliseconds time)
{
    thread_local std::minstd_rand random(std::random_device{}());
    return time / 2 +
           std::chrono::milliseconds(std::uniform_int_distribution<long>(0, time.count() / 2)(random));
}

// The server may end a connection while it is set up (an administrator, a restart that has just ended): it
// answers the next one. One that hangs is not waited for twice.
std::unique_ptr<DatabaseConnection> connect(const Dialect& dialect, bool writes)
{
    constexpr auto max_failure_time = 100ms;
    const auto began = std::chrono::steady_clock::now();
    try {
        return dialect.connect(writes);
    } catch (const soci::soci_error&) {
        if (std::chrono::steady_clock::now() - began > max_failure_time) throw;
        return dialect.connect(writes);
    }
}

// When each lease of this thread began; they end in reverse order.
thread_local std::vector<std::chrono::steady_clock::time_point> lease_begins;

// Delivers signals to this process when it is destroyed: without their texts if it is not known whether the
// transaction was committed.
class LocalSignals {
public:
    LocalSignals(const Signals& signals, std::span<const SentSignal> sent) : signals_(signals), sent_(sent) {}
    ~LocalSignals()
    {
        for (const auto& signal : sent_)
            signals_.deliver(signal.topic, is_committed_ ? std::string_view(signal.text) : "");
    }
    LocalSignals(const LocalSignals&) = delete;
    LocalSignals& operator=(const LocalSignals&) = delete;
    void set_committed() { is_committed_ = true; }

private:
    const Signals& signals_;
    std::span<const SentSignal> sent_;
    bool is_committed_ = false;
};

} // namespace

Transaction::Transaction(DatabaseConnection& sql, Durability durability) : sql_(sql)
{
    {
        const DatabaseTimer timer(DatabaseWait::lock);
        sql_.dialect.begin(sql_, durability);
    }
    sql_.signals.clear();
    if (sql_.changes) sql_.changes->begin();
}

Transaction::~Transaction()
{
    if (!open_) return;
    try {
        sql_ << "ROLLBACK";
    } catch (const soci::soci_error&) { // SQLite has rolled back already, for instance when the disk is full
    }
}

void Transaction::commit()
{
    const DatabaseTimer timer(DatabaseOperation::commit);
    sql_ << "COMMIT";
    open_ = false;
}

ConnectionPool::ConnectionPool(const Dialect& dialect, unsigned size, bool writes)
    : dialect_(dialect), writes_(writes)
{
    free_.resize(std::max(size, 1u));
}

// A server that hangs would be waited for once for each connection, to end its statements.
ConnectionPool::~ConnectionPool()
{
    for (const auto& connection : free_) {
        if (!connection) continue;
        dialect_.hang_up(*connection);
        count_connection(writes_, -1);
    }
}

std::unique_ptr<DatabaseConnection> ConnectionPool::open()
{
    {
        const std::lock_guard lock(mutex_);
        if (pause_ > 0ms && std::chrono::steady_clock::now() < next_attempt_)
            throw StorageError(StorageError::Kind::unavailable, "catalog: the database cannot be reached");
    }
    try {
        auto connection = connect(dialect_, writes_);
        const std::lock_guard lock(mutex_);
        pause_ = 0ms;
        count_connection(writes_, 1);
        return connection;
    } catch (const soci::soci_error& error) {
        const std::lock_guard lock(mutex_);
        pause_ = std::clamp(pause_ * 2, std::chrono::milliseconds(50ms),
                            std::chrono::milliseconds(max_reconnect_pause));
        next_attempt_ = std::chrono::steady_clock::now() + with_jitter(pause_);
        throw dialect_.to_storage_error(error);
    }
}

ConnectionPool::Lease::Lease(ConnectionPool& pool) : pool_(pool)
{
    {
        const DatabaseTimer timer(DatabaseWait::connection);
        std::unique_lock lock(pool_.mutex_);
        if (!pool_.one_is_free_.wait_for(lock, lease_timeout, [&] { return !pool_.free_.empty(); }))
            throw StorageError(StorageError::Kind::unavailable,
                               "catalog: all connections to the database are busy");
        connection_ = std::move(pool_.free_.back()); // the one whose memory is in the caches
        pool_.free_.pop_back();
    }
    try {
        if (!connection_) connection_ = pool_.open();
    } catch (...) {
        {
            const std::lock_guard lock(pool_.mutex_);
            pool_.free_.insert(pool_.free_.begin(), nullptr);
        }
        pool_.one_is_free_.notify_one();
        throw;
    }
    lease_begins.push_back(std::chrono::steady_clock::now());
}

ConnectionPool::Lease::~Lease()
{
    observe(pool_.writes_ ? DatabaseOperation::write : DatabaseOperation::read,
            std::chrono::steady_clock::now() - lease_begins.back());
    lease_begins.pop_back();
    {
        const std::lock_guard lock(pool_.mutex_);
        // Open connections are taken before one is opened.
        pool_.free_.insert(connection_ ? pool_.free_.end() : pool_.free_.begin(), std::move(connection_));
    }
    pool_.one_is_free_.notify_one();
}

void ConnectionPool::Lease::discard()
{
    std::vector<std::unique_ptr<DatabaseConnection>> closed;
    closed.push_back(std::move(connection_));
    {
        const std::lock_guard lock(pool_.mutex_);
        for (auto& connection : pool_.free_)
            closed.push_back(std::move(connection));
    }
    // Their statements would be ended at the server, which may not answer.
    for (const auto& connection : closed)
        if (connection) {
            pool_.dialect_.hang_up(*connection);
            count_connection(pool_.writes_, -1);
        }
}

DatabaseConnections::DatabaseConnections(std::unique_ptr<Dialect> dialect, unsigned readers)
    : dialect_(std::move(dialect)), writers_(*dialect_, dialect_->writers(), true),
      readers_(*dialect_, readers, false)
{
}

void DatabaseConnections::start_listening()
{
    constexpr auto start_timeout = 5s; // after it the listener connects in the background
    auto first = std::make_shared<std::promise<void>>();
    auto listens = first->get_future();
    listener_ = std::jthread([this, first = std::move(first)](const std::stop_token& stop) {
        std::once_flag once;
        // While changes of others are not heard, nothing is current.
        std::unique_ptr<const Generations::Change> deaf;
        const auto set_deaf = [&](bool is_deaf) {
            if (is_deaf == (deaf != nullptr)) return;
            deaf.reset(is_deaf ? new Generations::Change(Generations::Change::of_all(generations_))
                               : nullptr);
        };
        const auto started = [&] { std::call_once(once, [&] { first->set_value(); }); };
        const auto set_hears = [&](bool hears) {
            set_deaf(!hears);
            if (!hears) return;
            signals_.deliver_missed();
            started();
        };
        dialect_->listen(
            stop, {.on_changed =
                       [this](std::span<const std::string> ids) { Generations::Change(generations_, ids); },
                   .on_signal = [this](const SentSignal& sent) { signals_.deliver(sent.topic, sent.text); },
                   .on_hears = set_hears});
        started();
    });
    listens.wait_for(start_timeout);
}

void DatabaseConnections::commit(DatabaseConnection& sql, Transaction& transaction, bool& commits)
{
    dialect_->send(sql, sql.signals);
    const auto ids = sql.changes->changed();
    // Also when the outcome of the commit is not known.
    LocalSignals local(signals_, sql.signals);
    const auto change =
        ids ? Generations::Change(generations_, *ids) : Generations::Change::of_all(generations_);
    commits = true;
    transaction.commit();
    local.set_committed();
}

void DatabaseConnections::handle(ConnectionPool::Lease& lease, const soci::soci_error& error,
                                 unsigned attempt, bool nothing_committed) const
{
    const bool lost = dialect_->is_lost(lease.connection(), error);
    const auto translated = dialect_->to_storage_error(error);
    const bool again =
        nothing_committed && !dialect_->was_given_up() && (lost || dialect_->is_conflict(error));
    if (lost) lease.discard();
    const bool is_final =
        translated.kind == StorageError::Kind::full || translated.kind == StorageError::Kind::read_only;
    if (!again || attempt >= max_attempts || is_final) throw translated;
    count_repeated_transaction();
    if (!lost) std::this_thread::sleep_for(with_jitter(4ms * (1u << attempt)));
}

} // namespace vitrine::server
