#pragma once
// Figures of independent evaluators, truth/*.jsonl of the corpus: one JSON object a line.

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

#include <simdjson.h>

namespace vitrine::test {

// Calls compare(corpus, line) for each line of truth/NAME.jsonl. Returns their number.
template <class Compare>
std::size_t compare_reference_lines(const std::filesystem::path& corpus, const std::string& name,
                                    Compare compare)
{
    simdjson::dom::parser parser;
    std::ifstream lines(corpus / "truth" / (name + ".jsonl"));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count)
        compare(corpus, parser.parse(line));
    return count;
}

} // namespace vitrine::test
