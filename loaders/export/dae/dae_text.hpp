#pragma once
// XML as COLLADA wants it: elements, sources, numbers that read back to the same bits.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <glm/glm.hpp>

namespace vitrine::exporting {

class DaeText {
public:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args)
    {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
        out_ += '\n';
    }
    void numbers(std::span<const float> values);
    // A <source> of `width` floats an element, with a <param> of `type` for each word of `names`. These are
    // free, but some readers (OpenCOLLADA, and so Blender) know times and matrices by the usual ones.
    void source(std::string_view id, std::span<const float> values, std::size_t width, std::string_view names,
                std::string_view type = "float");
    // A <source> of words: Name_array or IDREF_array.
    void words(std::string_view id, std::span<const std::string> values, std::string_view kind,
               std::string_view name);
    void matrix(std::string_view tag, const glm::mat4& m);
    // <name> around what `write` adds; nothing where it adds nothing, for the schema has no empty libraries.
    template <class Write>
    void section(std::string_view name, Write write)
    {
        const std::size_t start = out_.size();
        line("<{}>", name);
        const std::size_t inside = out_.size();
        write();
        if (out_.size() == inside)
            out_.resize(start);
        else
            line("</{}>", name);
    }
    std::string& text() { return out_; }

private:
    std::string out_;
};

std::string escaped(std::string_view text);
// Row by row, as the format stores matrices.
void append_rows(const glm::mat4& m, std::vector<float>& out);

} // namespace vitrine::exporting
