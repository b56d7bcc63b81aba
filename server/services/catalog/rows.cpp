#include "server/services/catalog/rows.hpp"

#include <concepts>
#include <deque>
#include <memory>
#include <string_view>
#include <type_traits>

#include "server/util/sha256.hpp"

namespace vitrine::server {

namespace {

template <class Value>
concept WithColumns = requires(Value value) { value.visit_columns([](auto&&...) {}); };

// Calls visit(prefix, column, member) for each column, also those of members with columns of their own.
// Precondition: `problem` is set.
template <class Record, class Visit>
void for_each_column(Record& record, Visit visit)
{
    record.visit_columns([&](std::string_view prefix, std::string_view, auto& member) {
        const auto nested = [&](std::string_view column, std::string_view, auto& inner) {
            visit(prefix, column, inner);
        };
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::same_as<Member, std::optional<ImportProblem>>)
            member->visit_columns(nested);
        else if constexpr (WithColumns<Member>)
            member.visit_columns(nested);
        else
            visit(prefix, std::string_view(), member);
    });
}

void parse(const std::string& text, AssetStatus& status)
{
    status = api::find_asset_status(text).value_or(AssetStatus::failed);
}

void parse(const std::string& text, JobState& state)
{
    state = api::find_job_state(text).value_or(JobState::failed);
}

void parse(const std::string& text, JobStage& stage)
{
    stage = api::find_job_stage(text).value_or(JobStage::load);
}

// Derived data depends on the up axis and the user clips too.
void complete(AssetRecord& asset)
{
    if (!asset.up_axis.empty()) asset.source_hash = sha256_hex(asset.source_hash + "\nup " + asset.up_axis);
    asset.content_hash = asset.user_clips.empty() ? asset.source_hash
                                                  : sha256_hex(asset.source_hash + "\n" + asset.user_clips);
    constexpr std::size_t cover_key_length = 16;
    if (!asset.cover.empty())
        asset.cover_key = sha256_hex(asset.content_hash + "\n" + asset.cover).substr(0, cover_key_length);
}

void complete(JobRecord&) {}

// The current row of a statement: text and real numbers in a record, words and integers beside it.
template <class Record>
class Row {
public:
    Row() { record_.problem.emplace(); }

    void bind(soci::statement& statement)
    {
        for_each_column(record_, [&]<class Member>(std::string_view, std::string_view, Member& member) {
            if constexpr (std::same_as<Member, std::string> || std::floating_point<Member>)
                statement.exchange(soci::into(member));
            else if constexpr (std::is_enum_v<Member>)
                statement.exchange(soci::into(words_.emplace_back()));
            else
                statement.exchange(soci::into(integers_.emplace_back()));
        });
    }

    Record get() const
    {
        auto record = record_;
        auto word = words_.begin();
        auto integer = integers_.begin();
        for_each_column(record, [&]<class Member>(std::string_view, std::string_view, Member& member) {
            if constexpr (std::is_enum_v<Member>)
                parse(*word++, member);
            else if constexpr (std::integral<Member>)
                member = static_cast<Member>(*integer++);
        });
        if (record.problem->code.empty()) record.problem.reset();
        complete(record);
        return record;
    }

private:
    Record record_;
    std::deque<std::string> words_;
    std::deque<long long> integers_;
};

template <class Record>
std::string select_columns()
{
    std::string text;
    Record record;
    record.problem.emplace();
    for_each_column(record, [&](std::string_view prefix, std::string_view column, const auto&) {
        text.append(text.empty() ? "SELECT " : ", ").append(prefix).append(column);
    });
    return text;
}

class FileRow {
public:
    void bind(soci::statement& statement)
    {
        statement.exchange(soci::into(file_.name));
        statement.exchange(soci::into(file_.blob));
        statement.exchange(soci::into(size_));
    }
    FileRecord get() const
    {
        auto file = file_;
        file.size_bytes = static_cast<std::uint64_t>(size_);
        return file;
    }

private:
    FileRecord file_;
    long long size_ = 0;
};

template <class Value>
class OneColumn {
public:
    void bind(soci::statement& statement) { statement.exchange(soci::into(value_)); }
    Value get() const { return value_; }

private:
    Value value_{};
};

// A prepared statement with the variables of its rows and values.
template <class RowType>
struct Prepared final : StatementCache::Statement {
    Prepared(DatabaseConnection& sql, const std::string& text, Binds& values) : binds(values), statement(sql)
    {
        row.bind(statement);
        binds.attach(statement);
        statement.alloc();
        statement.prepare(text);
        statement.define_and_bind();
    }

    RowType row;
    Binds binds;
    soci::statement statement;
};

template <class RowType>
Prepared<RowType>& prepare(DatabaseConnection& sql, const std::string& text, Binds& binds)
{
    auto* known = dynamic_cast<Prepared<RowType>*>(sql.statements.find(text));
    if (known != nullptr && known->binds.assign(binds)) return *known;
    auto prepared = std::make_unique<Prepared<RowType>>(sql, text, binds);
    return static_cast<Prepared<RowType>&>(*sql.statements.put(text, std::move(prepared)));
}

// Reads all rows: a statement that is left in the middle would keep its snapshot of the database.
template <class RowType>
auto fetch(DatabaseConnection& sql, const std::string& text, Binds& binds)
{
    auto& prepared = prepare<RowType>(sql, text, binds);
    std::vector<decltype(prepared.row.get())> records;
    try {
        prepared.statement.execute();
        while (prepared.statement.fetch())
            records.push_back(prepared.row.get());
    } catch (...) {
        sql.statements.erase(text);
        throw;
    }
    return records;
}

template <class Record>
std::optional<Record> first_of(std::vector<Record> records)
{
    return records.empty() ? std::nullopt : std::optional(std::move(records.front()));
}

} // namespace

std::string select_versions()
{
    return select_columns<AssetRecord>() + " FROM assets a JOIN versions v ON v.asset = a.id ";
}

std::string select_assets()
{
    return select_versions() + "AND v.number = a.version ";
}

std::string select_jobs()
{
    return select_columns<JobRecord>() + " FROM jobs ";
}

void update_imported(DatabaseConnection& sql, const std::string& asset, std::uint32_t version,
                     const api::ImportedMembers& found)
{
    Binds binds;
    std::string text;
    for_each_column(found, [&](std::string_view prefix, std::string_view column, const auto& member) {
        const auto name = std::string(prefix.substr(2)).append(column); // without "v."
        text += (text.empty() ? "UPDATE versions SET " : ", ") + name + " = ";
        if constexpr (std::integral<std::remove_cvref_t<decltype(member)>>)
            text += binds.add(static_cast<long long>(member));
        else
            text += binds.add(member);
    });
    text += ", facts_tried = " + binds.add(static_cast<long long>(found.facts_version));
    text += " WHERE asset = " + binds.add(asset) + " AND number = ";
    text += binds.add(static_cast<long long>(version));
    auto update = sql << text;
    binds.attach(update);
} // where it runs

std::vector<AssetRecord> fetch_assets(DatabaseConnection& sql, const std::string& text, Binds& binds)
{
    return fetch<Row<AssetRecord>>(sql, text, binds);
}

std::vector<JobRecord> fetch_jobs(DatabaseConnection& sql, const std::string& text, Binds& binds)
{
    return fetch<Row<JobRecord>>(sql, text, binds);
}

std::vector<FileRecord> fetch_files(DatabaseConnection& sql, const std::string& text, Binds& binds)
{
    return fetch<FileRow>(sql, text, binds);
}

std::optional<std::string> fetch_text(DatabaseConnection& sql, const std::string& text, Binds& binds)
{
    return first_of(fetch<OneColumn<std::string>>(sql, text, binds));
}

std::optional<long long> fetch_number(DatabaseConnection& sql, const std::string& text, Binds& binds)
{
    return first_of(fetch<OneColumn<long long>>(sql, text, binds));
}

std::optional<AssetRecord> find_asset_row(DatabaseConnection& sql, const std::string& id)
{
    static const std::string text = select_assets() + "WHERE a.id = :p0";
    Binds binds;
    binds.add(id);
    return first_of(fetch_assets(sql, text, binds));
}

std::optional<AssetRecord> find_version_row(DatabaseConnection& sql, const std::string& id,
                                            std::uint32_t number)
{
    static const std::string text = select_versions() + "WHERE a.id = :p0 AND v.number = :p1";
    Binds binds;
    binds.add(id);
    binds.add(static_cast<long long>(number));
    return first_of(fetch_assets(sql, text, binds));
}

std::optional<JobRecord> find_job_row(DatabaseConnection& sql, const std::string& id)
{
    static const std::string text = select_jobs() + "WHERE id = :p0";
    Binds binds;
    binds.add(id);
    return first_of(fetch_jobs(sql, text, binds));
}

} // namespace vitrine::server
