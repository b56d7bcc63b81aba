#include "server/services/database/binds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/services/database/prepared_statement.hpp"

namespace vitrine::server {

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

void Binds::attach(StatementBuilder& statement)
{
    for (auto& value : values_) {
        if (value.text)
            statement, soci::use(*value.text, value.name);
        else
            statement, soci::use(value.number, value.name);
    }
}

bool Binds::assign(Binds& next)
{
    const auto same = [](const Value& a, const Value& b) { return a.text.has_value() == b.text.has_value(); };
    if (!std::ranges::equal(values_, next.values_, same)) return false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (values_[i].text) *values_[i].text = std::move(*next.values_[i].text);
        values_[i].number = next.values_[i].number;
    }
    return true;
}

} // namespace vitrine::server
