#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/parser.hpp"

namespace vitrine::obj {
namespace {

bool is_one_of(std::string_view word, std::span<const std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 22> unsupported_free_form_keywords = {
    "vp",   "cstype", "deg", "bmat", "step", "curv", "curv2", "surf", "parm", "trim", "hole",
    "scrv", "sp",     "end", "con",  "bzp",  "bsp",  "cdc",   "cdp",  "res",  "bsp2", "cdp2"};
// Display hints of the format's first programs, without effect here.
constexpr std::array<std::string_view, 11> ignored_display_keywords = {
    "mg",    "bevel",      "c_interp", "d_interp",  "lod",   "maplib",
    "ctech", "shadow_obj", "stech",    "trace_obj", "usemap"};
// Include another OBJ, or run a command.
constexpr std::array<std::string_view, 2> ignored_general_keywords = {"call", "csh"};

std::uint32_t smoothing_group(std::string_view text)
{
    std::uint32_t group = 0;
    if (text == "on") return 1;
    std::from_chars(text.data(), text.data() + text.size(), group);
    return group; // "off" and "0": no group
}

// Removes a comment after a name that is not referenced. "Part #3" is a name.
std::string without_remark(std::string name)
{
    if (const std::size_t at = name.find(" # "); at != name.npos)
        name.resize(name.find_last_not_of(' ', at) + 1);
    return name;
}

} // namespace

void Parser::read_statement(std::string_view word)
{
    if (word == "f" || word == "fo") {
        read_face();
    } else if (word == "l") {
        read_polyline();
    } else if (word == "p") {
        read_points();
    } else if (word == "usemtl") {
        use_material(rest_of_line());
    } else if (word == "s") {
        smoothing_ = smoothing_group(rest_of_line());
    } else if (word == "o") {
        in_object_ = true;
        groups_.clear();
        begin_part(without_remark(rest_of_line()));
    } else if (word == "mtllib") {
        add_library_reference();
    } else if (word == "g") {
        name_group(without_remark(rest_of_line()));
    } else {
        report_unknown(word);
    }
}

void Parser::report_unknown(std::string_view word)
{
    if (pass_ == Pass::attributes) return;
    if (is_one_of(word, unsupported_free_form_keywords))
        return warn("obj_free_form", "free-form curves and surfaces are not supported; they are ignored");
    if (is_one_of(word, ignored_display_keywords))
        return warn("obj_hint_ignored", "a display hint is ignored");
    if (is_one_of(word, ignored_general_keywords))
        return warn("obj_general_statement",
                    "general statements (call, csh) are not supported; they are ignored");
    if (warnings_.accepts("obj_unknown_word")) {
        warnings_.store("obj_unknown_word",
                        fmt::format("the keyword {} is unknown; its line is ignored", io::shown(word)),
                        fmt::format("line {}", line_));
    }
}

void Parser::begin_part(std::string name)
{
    if (!doc_.parts.empty() && doc_.parts.back().first_index == doc_.indices.size()) doc_.parts.pop_back();
    if (doc_.parts.size() >= limits_.meshes) return reject("meshes", limits_.meshes);
    doc_.vertices.begin_mesh();
    doc_.parts.push_back(
        {std::move(name), doc_.vertices.size(), doc_.indices.size(), doc_.primitive_runs.size()});
}

// Groups name faces, which the Scene does not support: the names of the first group name a part without `o`;
// an object has its own name. Programs that sort by material or polygroup write thousands of groups, so
// groups do not create meshes.
void Parser::name_group(const std::string& names)
{
    if (in_object_ || names.empty() || names == "default" || names == groups_) return;
    const bool has_faces = doc_.parts.back().first_index < doc_.indices.size();
    if (!has_faces)
        doc_.parts.back().name = names;
    else if (!std::exchange(groups_warned_, true))
        warn("obj_groups_joined", "faces of several groups are combined into one mesh with the first name");
    groups_ = names;
}

void Parser::add_library_reference()
{
    const auto line = line_; // the line may be continued
    doc_.libraries.push_back({rest_of_line(), line});
}

void Parser::use_material(const std::string& name)
{
    if (name.empty()) return void(material_ = scene::none);
    const auto [found, is_new] =
        material_ids_.try_emplace(name, static_cast<std::uint32_t>(doc_.materials.size()));
    if (is_new) doc_.materials.push_back({name, line_});
    material_ = found->second;
    if (doc_.materials.size() > limits_.materials) reject("materials", limits_.materials);
}

} // namespace vitrine::obj
