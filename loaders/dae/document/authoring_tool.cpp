#include "loaders/dae/document/authoring_tool.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

constexpr std::string_view placeholder_author = "Blender User"; // Blender without an author in its settings

std::vector<std::string> authoring_tools(io::XmlNode root)
{
    std::vector<std::string> tools;
    const auto add = [&](io::XmlNode holder) {
        const std::string_view tool = holder.child("authoring_tool").text();
        if (!tool.empty()) tools.push_back(io::to_utf8(tool));
    };
    const io::XmlNode asset = root.child("asset");
    for (io::XmlNode c = asset.child("contributor"); c.exists(); c = c.next("contributor"))
        add(c);
    add(asset); // location before 1.4
    return tools;
}

} // namespace

std::string programs_of(io::XmlNode root)
{
    return fmt::format("{}", fmt::join(authoring_tools(root), "\n"));
}

std::string generator_of(io::XmlNode root)
{
    const std::vector<std::string> tools = authoring_tools(root);
    return tools.empty() ? std::string() : tools.front();
}

scene::Attribution attribution_of(io::XmlNode root)
{
    scene::Attribution found;
    const auto take = [](std::string& text, io::XmlNode value) {
        const std::string_view written = truncate_utf8(value.text(), scene::max_declared_bytes);
        if (text.empty() && written != placeholder_author) text = io::to_utf8(written);
    };
    const auto take_contribution = [&](io::XmlNode holder) {
        take(found.author, holder.child("author"));
        take(found.copyright, holder.child("copyright"));
        take(found.source, holder.child("source_data"));
        take(found.comment, holder.child("comments"));
    };
    const io::XmlNode asset = root.child("asset");
    for (io::XmlNode c = asset.child("contributor"); c.exists(); c = c.next("contributor"))
        take_contribution(c);
    take_contribution(asset); // location before 1.4
    take(found.title, asset.child("title"));
    take(found.subject, asset.child("subject"));
    take(found.keywords, asset.child("keywords"));
    take(found.revision, asset.child("revision"));
    return found;
}

double version_after(std::string_view programs, std::string_view name)
{
    const std::size_t at = programs.find(name);
    if (at == programs.npos) return 0.0;
    std::string_view rest = programs.substr(at + name.size());
    rest = rest.substr(0, rest.find('\n'));
    const std::size_t digit = rest.find_first_of("0123456789");
    return digit == rest.npos ? 0.0 : std::atof(std::string(rest.substr(digit, 8)).c_str());
}

bool writes_local_bind_shapes(std::string_view generator)
{
    constexpr std::string_view blender = "Blender ";
    constexpr std::array<unsigned, 3> first{2, 80, 75};
    if (!generator.starts_with(blender)) return false;
    const char* at = generator.data() + blender.size();
    const char* const last = generator.data() + generator.size();
    std::array<unsigned, 3> version{};
    for (unsigned& number : version) {
        const auto read = std::from_chars(at, last, number);
        if (read.ec != std::errc{}) return false;
        at = read.ptr == last ? last : read.ptr + 1; // after the point
    }
    return version >= first;
}

bool writes_relative_tangents(std::string_view programs)
{
    return programs.contains("ColladaMaya") || programs.contains("ColladaMax");
}

} // namespace vitrine::dae
