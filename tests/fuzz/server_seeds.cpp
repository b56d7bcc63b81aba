#include "tests/fuzz/server_seeds.hpp"

#include "loaders/worker/protocol/protocol.hpp"
#include "server/link/link_frames.hpp"
#include "server/render_process/messages.hpp"

namespace vitrine::test {
namespace {

using namespace std::string_literals;

std::string some_job()
{
    worker::LoaderJob job;
    job.pose_time = 0.5;
    job.memory_bytes = 1 << 30;
    job.names = {"a/model.obj", "a/model.mtl"};
    return worker::encode_job(job);
}

} // namespace

void add_server_seeds(const std::function<void(const std::string& target, std::string_view bytes)>& add)
{
    for (const std::string disposition :
         {"name=\"file\"; filename=\"a/b.gltf\"\r\nContent-Type: model/gltf+json",
          "name=f; filename=\"a \\\"b\\\" %22.obj\"", "name=\"f\"; filename*=UTF-8''%e2%82%ac.obj"})
        add("multipart", "\7--B\r\nContent-Disposition: form-data; " + disposition +
                             "\r\n\r\none\r\n--B almost\r\n--B\r\ncontent-disposition: form-data; "
                             "name=n\r\n\r\n\r\n--B--\r\n");
    add("multipart",
        "\1preamble\r\n--B \r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nx\r\n--B--epilogue");
    add("multipart", "\1multipart/form-data; boundary=\"a b\"; charset=utf-8");
    add("url", "/v1/assets/as_1/files/a%20b/%E2%82%AC.png?q=a+b&limit=5&empty=&cursor=cd1-30");
    add("url", "/../..%2f..%2fetc/passwd");
    add("url", "/v1/render?asset=as_1&asset=as_2&clip=walk&1.clip=run&1.t=0.5&sizes=equal&overlay=trails:3");
    add("url", "/v1/lineup?asset=as_1&asset=as_2&0.unit=0.0254&1.height=1.8&sizes=actual&1.turn=arm:0,0,90");
    add("url",
        "/v1/pick?asset=as_1&asset=as_2&w=400&h=200&x=12&y=199&view=front&ortho=true&15.clip=as_3:run");
    add("request", "GET /v1/assets?q=a%20b HTTP/1.1\r\nHost: localhost:80\r\nAccept: \t*/* \r\nConnection: "
                   "keep-alive\r\n"
                   "X-Empty:\r\n\r\nHEAD / HTTP/1.1\r\n");
    add("request",
        "HEAD / HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"tag\", W/\"other\"\r\nCookie: a=b; c=d\r\n\r\n");
    for (const char* target : {"/v1/lineup?asset=as_1&asset=as_2&1.height=1.8",
                               "/v1/pick?asset=as_1&asset=as_2&x=0&y=-1&1.clip=a%2Cb&0.attach=as_3@arm"})
        add("request",
            "GET "s + target + " HTTP/1.1\r\nHost: localhost:80\r\nIf-None-Match: W/\"tag\"\r\n\r\n");
    add("headers",
        "Host: localhost:8080\nOrigin: http://localhost:8080\nAuthorization: Bearer secret\n"
        "Accept: image/webp;q=0.8, image/*;q=0.5, */*;q=0.1\nIf-None-Match: W/\"tag\", \"other\"\n");
    add("headers", "Host: [::1]:80\nAuthorization: Basic YTpzZWNyZXQ=\nX-Forwarded-For: 1.2.3.4\n"
                   "Sec-Fetch-Site: cross-site\nContent-Type: multipart/form-data; boundary=B\n");
    for (const char* layers : {"lbend@0.5*0.25~arm:a!add\nlc1@x-2\ntarm:a:10,20,-30\n",
                               "l0~-1*0.5\nmroot:0,1e3,0\ns1:1,0,-2\nlbend*-2!add\n",
                               "lbend!add=still\nlbend@1!add=bend@0.5~hand\nlc1*3!add=0@x1@-2\n",
                               "rhand:1,-2,3\nr2:0,1,0~0.5,1e3,-4\n", "arig@arm:a:1,2,3,90,0,-45", "a1@hand",
                               "hrock_LOD\nd1\nfall\n", "htree_LOD0,3\nomesh\ncclay\nf2-0\n"})
        add("layers", layers);
    for (const char* range :
         {"bytes=0-99", "bytes=-5", "bytes=7-", "bytes=0-1,5-6", "bytes=18446744073709551615-"})
        add("range", "\x64\0\0\0\0\0\0\0"s + range);
    for (
        const char* message :
        {R"({"type":"view","input":5,"width":200,"height":120,"camera":{"yaw":10,"pitch":-5,"distance":null,)"
         R"("target":[0,1,2],"orthographic":true},"clip":1,"time":0.5,"playing":true,"loop":"pingpong"})",
         R"({"type":"view","overlays":["skeleton","weights:3"],"layers":["walk@0.5*0.5~arm!add"],"turn":["arm:1,2,3"],"move":[],"fade":0.5,"background":"#11223344","light":"studio","variant":"red"})",
         R"({"type":"view","layers":[{"clip":"walk","time":0.5,"weight":0.5,"mask":["arm","-3"],"mode":"add","reference":{"clip":"idle","time":1}}],"joints":[{"joint":2,"turn":[1,2,3],"scale":[1,1,2]}],"reach":[{"joint":"hand","target":[1,2,3],"pole":[0,0,1]}],"attach":[{"asset":"a","joint":"hand","degrees":[0,90,0]},"b@hand:1,2,3"],"skinning":"blended"})",
         R"({"type":"view","skin":"blue","lod":1,"hide":["arm",3],"only":"1,2","surface":"clay"})",
         R"({"type":"view","layers":["as_1:run@0.5","a:b:c0*0.5~arm",":x","y:"]})",
         R"({"type":"ack","sequence":7})", R"({"type":"quality","jpegQuality":60,"maxFramesPerSecond":30})",
         R"({"type":"decoder","codecs":["av1","vp9"]})", R"({"type":"pick","id":1,"x":0.5,"y":0.25})",
         R"({"type":"step","by":"frame","steps":-3})",
         R"({"type":"view","overlays":["joint_boxes","trails:hand"]})"})
        add("preview", message);
    for (
        const char* body :
        {R"({"clip":"walk","t":0.5,"w":64,"h":64,"ghosts":"2,1@0.1","crowd":3,"joint":["arm",3],"times":[0,0.5,1e20]})",
         R"({"layers":[{"clip":"run","weight":0.5,"mask":["arm"]},"idle*0.2!add"],"joints":[{"joint":2,"turn":[1,2,3]}]})",
         R"({"turn":["arm:1,2,3"],"reach":["hand:1,2,3"],"attach":[{"asset":"a","joint":"hand"}],"overlay":null})",
         R"({"t":{},"w":[[1]],"layers":5,"":true})", "[]"})
        add("json_body", body);
    for (
        const char* profile :
        {R"({"extends":"mobile","rules":{"clip.frozen":"error","clip.foot-slide":{"severity":"note","limit":0.1}}})",
         R"({"names":{"joints":"(a|b)*[^c]+","clips":"\w+"},"required":{"joints":["hips"],"clips":["run"]}})",
         R"({"budgets":{"joints":1,"textureSide":2e3},"space":{"upAxis":"-Z","unitMetres":0.01,"maxSize":1}})",
         R"({"clips":[{"name":"w.*","loops":true,"inPlace":true,"minSpeed":3,"frameRate":24,"joints":["x"]}]})",
         R"({"clips":[{"name":".*","durationSpread":0,"phaseSpread":0.1}]})"})
        add("profile", profile);
    add("protocol", some_job());
    add("protocol", worker::encode_message({worker::MessageType::hello, worker::protocol_version, {}}));
    add("protocol", worker::encode_message({worker::MessageType::entry, 3, "a/b.obj"}));
    add("protocol", worker::encode_message(
                        worker::to_message({LoadErrc::truncated, "byte 9", "the file ends in its header"})));
    for (const server::LinkFrame& frame :
         {server::LinkFrame(server::LinkChallenge{}), server::LinkFrame(server::LinkProof{}),
          server::LinkFrame(server::LinkWelcome{}),
          server::LinkFrame(server::StreamOpen{1, "as_1", "2", "a=b", "token:server", "r1"}),
          server::LinkFrame(server::StreamAccepted{1}),
          server::LinkFrame(server::StreamRejected{1, 503, 5, "too_many_viewers", "Too many."}),
          server::LinkFrame(server::StreamData{1, true, true, "VTRF"}),
          server::LinkFrame(server::StreamCredit{1, 1 << 16}),
          server::LinkFrame(server::StreamClose{1, 1001, "the worker is stopping"})})
        add("link", server::encode_link_frame(frame));
    using namespace render_process;
    add("render_messages", "\0"s + encode(Frames{{{64, 48, {}, {}, 7}, {}}, {4096, 0}, 9}));
    add("render_messages", "\1"s + encode(PickReply{scene::Hit{.node = 1, .mesh = 2}}));
    add("render_messages", "\2"s + encode(BoundsReply{{{}, {{-1, -1, -1}, {1, 1, 1}}}}));
    add("render_messages", "\3"s + encode(Ready{{"card", "driver 1", "1.3", false, "0000:01:00.0", "uuid"}}));
    add("render_messages", "\4"s + encode(Failed{FailureKind::undrawable, "reason"}));
    scene::Clip keyless;
    keyless.channels.push_back({.node = 1, .times = {}, .values = {}});
    const scene::AnimationLayers layers{
        .layers = {{.clip = 0, .bound_clip = std::make_shared<const scene::Clip>(std::move(keyless))}}};
    add("render_messages",
        "\14"s + encode(PickCall{
                     5, {}, {3, 0.75, std::make_shared<const scene::AnimationLayers>(layers)}, {1, 2}}));
    for (const char* cursor : {"cd12-31373030", "na7-c3a4", "ta3-3132"})
        add("cursor", cursor);
    for (const char* answer :
         {"<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b</"
          "NextContinuationToken>"
          "<Contents><Key>blobs/a</Key><LastModified>2009-10-12T17:50:30.000Z</LastModified><Size>5</Size>"
          "</Contents></ListBucketResult>",
          "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message><![CDATA[gone]]></Message></Error>",
          "<ListMultipartUploadsResult><Upload><Key>a</Key><UploadId>1</UploadId>"
          "<Initiated>2024-02-29T00:00:00Z</Initiated></Upload></ListMultipartUploadsResult>",
          "<InitiateMultipartUploadResult><UploadId>abc</UploadId></InitiateMultipartUploadResult>",
          "2009-10-12T17:50:30.000Z", "Mon, 12 Oct 2009 17:50:30 GMT"})
        add("s3_answers", answer);
}

} // namespace vitrine::test
