// The start page of the documentation, /docs.
#include "server/handlers/handlers.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view guide_page = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Vitrine guide</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code,pre{background:#8882;border-radius:.3em}code{padding:.1em .3em}pre{padding:1rem;overflow:auto}</style></head>
<body><h1>Vitrine</h1>
<ul><li><a href="/">The library</a></li>
<li><a href="/docs/api">The API, every operation</a></li>
<li><a href="/openapi.json">The API document, OpenAPI 3.1</a></li></ul>
<h2>A tour with curl</h2>
<pre>VITRINE=http://127.0.0.1:8080
# upload a model with its material and texture files; each response contains the asset and its import job
curl -F file=@model.obj -F file=@model.mtl $VITRINE/v1/assets
curl $VITRINE/v1/jobs/JOB
# the library, and one asset
curl "$VITRINE/v1/assets?q=walk&amp;animated=true"
curl $VITRINE/v1/assets/ASSET
# the rig: joints, clips, a pose at a time or at a series from/to/step
curl $VITRINE/v1/assets/ASSET/skeleton
curl $VITRINE/v1/assets/ASSET/clips
curl "$VITRINE/v1/assets/ASSET/clips/c0/pose?t=0/1/0.1&amp;space=model"
curl $VITRINE/v1/assets/ASSET/bounds
# images and the skinned mesh
curl -o still.png "$VITRINE/v1/assets/ASSET/render?clip=c0&amp;t=0.5&amp;view=front&amp;format=png"
curl -o turn.webp $VITRINE/v1/assets/ASSET/turntable
curl -o walk.webp $VITRINE/v1/assets/ASSET/animation
curl -o mesh.obj "$VITRINE/v1/assets/ASSET/mesh?clip=c0&amp;t=0.5"
# layers as JSON, with the result and the ETag of the same parameters in the URL
curl -o wave.png -d '{"clip": "walk", "layers": [{"clip": "wave", "weight": 0.8, "mask": ["chest"]}]}' $VITRINE/v1/assets/ASSET/render
# a model that is not kept: inspect, check, render, animation, convert
curl --data-binary @model.glb "$VITRINE/v1/check?name=model.glb&amp;profile=mobile&amp;format=sarif"
curl -o still.png -F file=@model.glb -F file=@walk.bvh "$VITRINE/v1/render?clip=walk.bvh:0&amp;t=0.5"
# event stream
curl -N $VITRINE/v1/events</pre>
<p>Unless the server was started with <code>--open</code>, send <code>-H "Authorization: Bearer TOKEN"</code>.</p>
</body></html>
)";

} // namespace

HandlerResult get_guide(const Request&, Context&)
{
    return text_response(200, "text/html; charset=utf-8", std::string(guide_page));
}

} // namespace vitrine::server
