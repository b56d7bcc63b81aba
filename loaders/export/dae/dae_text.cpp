#include "loaders/export/dae/dae_text.hpp"

#include <ranges>

namespace vitrine::exporting {

std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

void append_rows(const glm::mat4& m, std::vector<float>& out)
{
    for (glm::length_t row = 0; row < 4; ++row)
        for (glm::length_t column = 0; column < 4; ++column)
            out.push_back(row == 3 ? (column == 3 ? 1.0f : 0.0f) : m[column][row]);
}

void DaeText::numbers(std::span<const float> values)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        fmt::format_to(std::back_inserter(out_), "{}{}", i == 0 ? "" : " ", values[i]);
}

void DaeText::source(std::string_view id, std::span<const float> values, std::size_t width,
                     std::string_view names, std::string_view type)
{
    fmt::format_to(std::back_inserter(out_),
                   "<source id=\"{0}\"><float_array id=\"{0}-array\" count=\"{1}\">", id, values.size());
    numbers(values);
    line("</float_array><technique_common><accessor source=\"#{}-array\" count=\"{}\" stride=\"{}\">", id,
         values.size() / width, width);
    for (const auto name : std::views::split(names, ' '))
        line("<param name=\"{}\" type=\"{}\"/>", std::string_view(name), type);
    line("</accessor></technique_common></source>");
}

void DaeText::words(std::string_view id, std::span<const std::string> values, std::string_view kind,
                    std::string_view name)
{
    line("<source id=\"{0}\"><{1} id=\"{0}-array\" count=\"{2}\">{3}</{1}><technique_common><accessor "
         "source=\"#{0}-array\" count=\"{2}\" stride=\"1\"><param name=\"{4}\" type=\"{5}\"/></accessor>"
         "</technique_common></source>",
         id, kind, values.size(), fmt::join(values, " "), name, kind == "IDREF_array" ? "IDREF" : "name");
}

void DaeText::matrix(std::string_view tag, const glm::mat4& m)
{
    std::vector<float> rows;
    append_rows(m, rows);
    out_ += fmt::format("<{} ", tag);
    out_ += tag == "matrix" ? "sid=\"transform\">" : ">";
    numbers(rows);
    line("</{}>", tag);
}

} // namespace vitrine::exporting
