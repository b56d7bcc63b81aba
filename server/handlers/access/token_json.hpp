#pragma once

#include <boost/json/object.hpp>

namespace vitrine::server {

struct AccessToken; // server/services/access/token_table.hpp

boost::json::object to_json(const AccessToken& token); // without its secret

} // namespace vitrine::server
