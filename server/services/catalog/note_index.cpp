// The row of the search of an asset. Its notes are lines after its materials, each behind a mark that no name
// has.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "server/services/catalog/catalog_impl.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr std::size_t indexed_note_bytes = 256 * 1024; // of one asset, the newest first
constexpr std::size_t notes_of_read = 200;

std::vector<std::string> read_texts(DatabaseConnection& sql, const std::string& asset, std::size_t offset)
{
    const auto first = static_cast<long long>(offset);
    std::string text;
    std::vector<std::string> texts;
    PreparedStatement rows =
        (sql.prepare << fmt::format(
             "SELECT text FROM notes WHERE asset = :asset ORDER BY id DESC LIMIT {} OFFSET :first",
             notes_of_read),
         into(text), use(asset), use(first));
    for (rows.execute(); rows.fetch();)
        texts.push_back(text);
    return texts;
}

// Reads no more notes than have space.
std::string note_lines(DatabaseConnection& sql, const std::string& asset)
{
    std::string lines;
    for (std::size_t offset = 0;; offset += notes_of_read) {
        auto texts = read_texts(sql, asset, offset);
        for (auto& text : texts) {
            if (lines.size() + text.size() > indexed_note_bytes) return lines;
            std::ranges::replace(text, '\n', ' ');
            lines.append(1, note_mark).append(text).append("\n");
        }
        if (texts.size() < notes_of_read) return lines;
    }
}

} // namespace

void index_notes(DatabaseConnection& sql, const std::string& asset)
{
    const auto notes = note_lines(sql, asset);
    long long seq = 0;
    std::string before;
    sql << "SELECT a.seq, s.materials FROM assets a JOIN asset_search s ON s.rowid = a.seq WHERE a.id = :id",
        into(seq), into(before), use(asset);
    const auto after = before.substr(0, before.find(note_mark)) + notes;
    if (after != before)
        sql << "UPDATE asset_search SET materials = :materials WHERE rowid = :seq", use(after), use(seq);
}

void index_search(DatabaseConnection& sql, const std::string& asset, const std::string& name,
                  const SearchNames& found)
{
    const auto lines = [](const std::string& names) { return names.empty() ? names : "\n" + names; };
    const auto clips = lines(found.clips), joints = lines(found.joints);
    const auto materials = lines(found.materials) + note_lines(sql, asset);
    long long seq = 0;
    std::string tags; // of people, after those of the file
    sql << "SELECT seq, tags FROM assets WHERE id = :id", into(seq), into(tags), use(asset);
    tags.insert(0, found.tags);
    sql << "DELETE FROM asset_search WHERE rowid = :seq", use(seq);
    sql << "INSERT INTO asset_search (rowid, name, tags, clips, joints, materials) "
           "VALUES (:seq, :name, :tags, :clips, :joints, :materials)",
        use(seq), use(name), use(tags), use(clips), use(joints), use(materials);
}

void rename_asset(DatabaseConnection& sql, const std::string& id, const std::string& name)
{
    const auto key = name_key(name);
    sql << "UPDATE assets SET name = :name, name_key = :key WHERE id = :id", use(name), use(key), use(id);
    sql << "UPDATE asset_search SET name = :name WHERE rowid = (SELECT seq FROM assets WHERE id = :id)",
        use(name), use(id);
}

} // namespace vitrine::server
