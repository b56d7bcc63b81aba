#pragma once
// Parameters of a list of assets.

#include <string>
#include <vector>

#include "server/routing/query_reader.hpp"
#include "server/services/catalog/list_query.hpp"

namespace vitrine::server {

struct ListParams {
    ListQuery query{};
    std::vector<std::string> fields{}; // members that the rows have; empty: all
    bool is_semantic = false;          // by pictures that are like the words of `q`
    bool is_personal = false;          // of favorites, or of the owner "me": others get another list
};

// Reads all parameters; the caller finishes the reader. `principal`: whom the owner "me" means.
ListParams read_list(QueryReader& reader, const Principal& principal);

} // namespace vitrine::server
