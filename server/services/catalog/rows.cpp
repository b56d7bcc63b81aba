#include "server/services/catalog/rows.hpp"

#include <concepts>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

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

// Derived data depends on the user clips too.
void complete(AssetRecord& asset)
{
    if (!asset.user_clips.empty())
        asset.content_hash = sha256_hex(asset.content_hash + "\n" + asset.user_clips);
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

template <class Record>
std::vector<Record> fetch(soci::session& sql, const std::string& text, Binds& binds)
{
    Row<Record> row;
    std::vector<Record> records;
    soci::statement st(sql);
    row.bind(st);
    binds.attach(st);
    st.alloc();
    st.prepare(text);
    st.define_and_bind();
    st.execute();
    while (st.fetch())
        records.push_back(row.get());
    return records;
}

} // namespace

std::string select_assets()
{
    return select_columns<AssetRecord>() +
           " FROM assets a JOIN versions v ON v.asset = a.id AND v.number = a.version ";
}

std::string select_jobs()
{
    return select_columns<JobRecord>() + " FROM jobs ";
}

std::string Binds::add(std::string text)
{
    values_.push_back({fmt::format("p{}", values_.size()), std::move(text)});
    return ":" + values_.back().name;
}

std::string Binds::add(long long number)
{
    values_.push_back({fmt::format("p{}", values_.size()), std::nullopt, number});
    return ":" + values_.back().name;
}

void Binds::attach(soci::statement& statement)
{
    for (auto& value : values_) {
        if (value.text)
            statement.exchange(soci::use(*value.text, value.name));
        else
            statement.exchange(soci::use(value.number, value.name));
    }
}

void update_imported(soci::session& sql, const std::string& asset, std::uint32_t version,
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
    text += " WHERE asset = " + binds.add(asset) + " AND number = ";
    text += binds.add(static_cast<long long>(version));
    soci::statement st(sql);
    binds.attach(st);
    st.alloc();
    st.prepare(text);
    st.define_and_bind();
    st.execute(true);
}

std::vector<AssetRecord> fetch_assets(soci::session& sql, const std::string& text, Binds& binds)
{
    return fetch<AssetRecord>(sql, text, binds);
}

std::vector<JobRecord> fetch_jobs(soci::session& sql, const std::string& text, Binds& binds)
{
    return fetch<JobRecord>(sql, text, binds);
}

std::optional<AssetRecord> find_asset_row(soci::session& sql, const std::string& id)
{
    Binds binds;
    auto found = fetch_assets(sql, select_assets() + "WHERE a.id = " + binds.add(id), binds);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::optional<JobRecord> find_job_row(soci::session& sql, const std::string& id)
{
    Binds binds;
    auto found = fetch_jobs(sql, select_jobs() + "WHERE id = " + binds.add(id), binds);
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

} // namespace vitrine::server
