// Answers of an object store: what is taken is complete and within its bounds.

#include <algorithm>

#include "server/services/s3/s3_answers.hpp"

#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    const auto text = test::text_of(data, size);
    if (const auto listing = server::parse_listing(text))
        for (const auto& object : listing->objects)
            test::demand(!object.key.empty() && object.modified_s >= 0);
    if (const auto uploads = server::parse_pending_uploads(text))
        for (const auto& upload : *uploads)
            test::demand(!upload.key.empty() && !upload.id.empty() && upload.initiated_s >= 0);
    if (const auto id = server::parse_upload_id(text)) {
        test::demand(!id->empty());
        server::completion_xml({*id, *id});
    }
    const auto error = server::parse_s3_error(text);
    test::demand(!error || (error->code.size() <= 300 && error->message.size() <= 300));
    const auto status = server::status_of_body(text);
    test::demand(status == 200 || (error && (status == 400 || status == 404 || status == 500)));
    for (const auto time : {server::parse_iso_time(text), server::parse_http_date(text)})
        test::demand(!time || (*time >= 0 && *time < 400'000'000'000));
    return 0;
}
