#pragma once
// Responses as files of KeptAnswers: status and header fields, then the body.

#include <string>

#include "server/net/http.hpp"
#include "server/services/response_jobs/kept_answers.hpp"

namespace vitrine::server {

// Without the fields that ask for a part of a response, or for one only in some state.
Headers fields_of_whole_response(const Headers& fields);
// False: there is no room. Precondition: the body is text, bytes or a file.
bool keep_response(KeptAnswers& answers, const std::string& job, const Response& response);
// Precondition: keep_response() has stored it.
Response to_response(const KeptAnswer& answer);

} // namespace vitrine::server
