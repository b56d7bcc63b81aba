#include "server/services/audit/audit_log.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "loaders/base/utf8.hpp"
#include "server/services/database/binds.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::size_t max_text = 200;                // bytes
constexpr Micros rejected_interval = 1'000'000;      // of rejected entries
constexpr Micros rejected_burst = 100 * 1'000'000ll; // how far they may be ahead
constexpr long long removed_at_once = 1000;          // in one transaction
constexpr std::chrono::hours removal_interval{1};

thread_local AuditActor current_actor; // of AuditScope

// Clients choose some of the texts: databases take no zero bytes and valid UTF-8 alone.
std::string shortened(std::string_view text)
{
    const bool is_valid = is_utf8(text);
    std::string out(truncate_utf8(text, max_text));
    for (char& c : out)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f' || (!is_valid && c < 0)) c = '?';
    return out;
}

struct AuditPosition {
    Micros time = 0;
    std::string id;
};

// "TIME-ID" of the last entry of a page.
std::optional<AuditPosition> parse_position(std::string_view text)
{
    AuditPosition position;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position.time);
    if (error != std::errc() || end == text.data() + text.size() || *end != '-') return std::nullopt;
    position.id.assign(end + 1, text.data() + text.size());
    const bool is_id = position.id.size() <= 64 && std::ranges::all_of(position.id, [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                       });
    if (!is_id) return std::nullopt;
    return position;
}

std::string conditions_of(const AuditQuery& query, const std::optional<AuditPosition>& after, Binds& binds)
{
    std::string text = " WHERE 1 = 1";
    if (!query.action.empty()) text += " AND action = " + binds.add(query.action);
    if (!query.principal.empty()) text += " AND principal = " + binds.add(query.principal);
    if (query.from) text += " AND time >= " + binds.add(static_cast<long long>(*query.from));
    if (query.to) text += " AND time < " + binds.add(static_cast<long long>(*query.to));
    if (after) {
        const auto time = binds.add(static_cast<long long>(after->time));
        text += fmt::format(" AND (time, id) < ({}, {})", time, binds.add(after->id));
    }
    return text;
}

} // namespace

std::string acting_principal()
{
    return shortened(current_actor.principal);
}

AuditScope::AuditScope(AuditActor actor) : before_(std::exchange(current_actor, std::move(actor))) {}

AuditScope::~AuditScope()
{
    current_actor = std::move(before_);
}

void record_audit(DatabaseConnection& sql, std::string_view action, std::string_view subject,
                  std::string_view detail)
{
    const auto id = new_id("audit");
    const long long time = now();
    const auto principal = shortened(current_actor.principal), address = shortened(current_actor.address);
    const auto what = shortened(action), whom = shortened(subject), more = shortened(detail);
    sql << "INSERT INTO audit_log (id, time, principal, address, action, subject, detail) "
           "VALUES (:id, :time, :principal, :address, :action, :subject, :detail)",
        use(id), use(time), use(principal), use(address), use(what), use(whom), use(more);
}

std::optional<AuditPage> AuditLog::list(const AuditQuery& query) const
{
    const auto after = query.cursor.empty() ? std::nullopt : parse_position(query.cursor);
    if (!query.cursor.empty() && !after) return std::nullopt;
    return database_.read([&](DatabaseConnection& sql) {
        Binds binds;
        const auto conditions = conditions_of(query, after, binds);
        const auto limit = binds.add(static_cast<long long>(query.limit) + 1);
        long long time = 0;
        AuditEntry entry;
        soci::statement rows(sql);
        rows.exchange(into(entry.id));
        rows.exchange(into(time));
        rows.exchange(into(entry.actor.principal));
        rows.exchange(into(entry.actor.address));
        rows.exchange(into(entry.action));
        rows.exchange(into(entry.subject));
        rows.exchange(into(entry.detail));
        binds.attach(rows);
        rows.alloc();
        rows.prepare("SELECT id, time, principal, address, action, subject, detail FROM audit_log" +
                     conditions + " ORDER BY time DESC, id DESC LIMIT " + limit);
        rows.define_and_bind();
        AuditPage page;
        for (rows.execute(); rows.fetch();) {
            entry.time = time;
            page.items.push_back(entry);
        }
        if (page.items.size() > query.limit) {
            page.items.pop_back();
            page.next = fmt::format("{}-{}", page.items.back().time, page.items.back().id);
        }
        return page;
    });
}

void AuditLog::record(std::string_view action, std::string_view subject, std::string_view detail)
{
    database_.write([&](DatabaseConnection& sql) { record_audit(sql, action, subject, detail); });
}

void AuditLog::record_rejected(std::string_view action, std::string_view subject)
{
    {
        const std::lock_guard lock(mutex_);
        const auto instant = now();
        if (rejected_until_ - instant > rejected_burst) return;
        rejected_until_ = std::max(rejected_until_, instant) + rejected_interval;
    }
    database_.write_unsynced([&](DatabaseConnection& sql) { record_audit(sql, action, subject); });
}

std::size_t AuditLog::remove_old()
{
    const long long oldest = now() - std::chrono::microseconds(age_).count();
    for (std::size_t removed = 0;;) {
        const auto count = database_.write_unsynced([&](DatabaseConnection& sql) {
            PreparedStatement statement =
                (sql.prepare << "DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log "
                                "WHERE time < :oldest ORDER BY time LIMIT :most)",
                 use(oldest), use(removed_at_once));
            statement.execute(true);
            return statement.get_affected_rows();
        });
        removed += static_cast<std::size_t>(count);
        if (count < removed_at_once) return removed;
    }
}

void AuditLog::start()
{
    thread_ = std::jthread([this](const std::stop_token& stop) {
        const StatementLimit limit(std::chrono::seconds(5));
        while (!stop.stop_requested()) {
            try {
                remove_old();
            } catch (const std::exception& error) {
                spdlog::warn("msg=\"old entries of the audit log remain\" error={:?}",
                             std::string_view(error.what()));
            }
            std::unique_lock lock(mutex_);
            stopped_.wait_for(lock, stop, removal_interval, [] { return false; });
        }
    });
}

void AuditLog::stop()
{
    thread_ = {};
}

} // namespace vitrine::server
