#include "server/uploads/upload_sinks.hpp"

#include <utility>

#include "server/net/multipart.hpp"

namespace vitrine::server {
namespace {

api::Problem nothing_sent()
{
    return upload_problem(422, "empty_upload", "The body is empty.");
}

FileRecord commit(BlobWriter& writer, std::string name)
{
    auto blob = writer.commit();
    return {.name = std::move(name),
            .blob = std::move(blob.hash),
            .size_bytes = blob.size_bytes,
            .pin = std::move(blob.pin),
            .descriptor = blob.descriptor};
}

class WholeBody final : public UploadSink {
public:
    WholeBody(BlobFactory& files_of_body, std::string name)
        : writer_(files_of_body.create()), name_(std::move(name))
    {
    }
    void add(std::span<const std::byte> piece) override { piece_ = piece; }
    Stored store(UploadTurn&) override
    {
        writer_->write(std::exchange(piece_, {}));
        return stored_all;
    }
    Rejection finish() override
    {
        if (writer_->size_bytes() == 0) return nothing_sent();
        files.push_back(commit(*writer_, name_));
        return std::nullopt;
    }

private:
    std::unique_ptr<BlobWriter> writer_;
    std::string name_;
    std::span<const std::byte> piece_;
};

class FormBody final : public UploadSink {
public:
    FormBody(BlobFactory& blobs, ArrivingModels models, std::string_view boundary, std::size_t limit)
        : blobs_(blobs), parser_(boundary), limit_(limit), models_(std::move(models))
    {
    }

    void add(std::span<const std::byte> piece) override
    {
        began_ = true;
        parser_.feed({reinterpret_cast<const char*>(piece.data()), piece.size()});
    }

    Stored store(UploadTurn& turn) override
    {
        for (;;) {
            switch (parser_.next()) {
            case MultipartEvent::need_input: return stored_all;
            case MultipartEvent::part_begin:
                if (auto rejection = begin()) return rejection;
                break;
            case MultipartEvent::part_data:
                if (writer_) writer_->write(std::as_bytes(std::span(parser_.data())));
                break;
            case MultipartEvent::part_end:
                end();
                turn.count_file();
                if (turn.is_over()) return std::nullopt;
                break;
            case MultipartEvent::finished: finished_ = true; return stored_all;
            case MultipartEvent::failed:
                return upload_problem(400, "bad_multipart",
                                      "The form is malformed: " + parser_.error() + ".");
            }
        }
    }

    Rejection finish() override
    {
        if (!began_) return nothing_sent();
        if (!finished_)
            return upload_problem(400, "bad_multipart", "The form ends before its closing boundary.");
        if (files.empty())
            return upload_problem(422, "empty_upload",
                                  "The form contains no file; send parts with a file name.");
        return std::nullopt;
    }

private:
    Rejection begin()
    {
        const auto& name = parser_.part().filename;
        if (!name || name->empty()) return std::nullopt; // a plain field, or an empty file input
        if (files.size() == limit_)
            return upload_problem(413, "too_many_files", "The form contains too many files for one upload.");
        if (auto counted = models_.add(*name); !counted) return to_problem(counted.error());
        writer_ = blobs_.create();
        return std::nullopt;
    }
    void end()
    {
        if (!writer_) return;
        files.push_back(commit(*writer_, *parser_.part().filename));
        writer_.reset();
    }

    BlobFactory& blobs_;
    MultipartParser parser_;
    std::size_t limit_; // of files
    ArrivingModels models_;
    std::unique_ptr<BlobWriter> writer_;
    bool began_ = false;
    bool finished_ = false;
};

} // namespace

api::Problem upload_problem(int status, std::string code, std::string detail)
{
    return {.status = status, .code = std::move(code), .detail = std::move(detail)};
}

std::unique_ptr<UploadSink> make_whole_sink(BlobFactory& files, std::string name)
{
    return std::make_unique<WholeBody>(files, std::move(name));
}

std::unique_ptr<UploadSink> make_form_sink(BlobFactory& files, ArrivingModels models,
                                           std::string_view boundary, std::size_t max_files)
{
    return std::make_unique<FormBody>(files, std::move(models), boundary, max_files);
}

} // namespace vitrine::server
