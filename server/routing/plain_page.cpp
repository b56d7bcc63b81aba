#include "server/routing/plain_page.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view page_start = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} - Vitrine</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: Canvas; color: CanvasText; }
main { width: min(24rem, calc(100vw - 3rem)); }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
label { display: block; font-weight: 600; margin: 1.5rem 0 .35rem; }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: .6rem .75rem; border-radius: .5rem; }
input { border: 1px solid GrayText; background: Field; color: FieldText; }
button, .button { margin-top: .75rem; border: 0; background: #2f6fed; color: #fff; font-weight: 600; cursor: pointer; }
button.quiet { background: transparent; color: inherit; border: 1px solid GrayText; }
.button { display: block; padding: .6rem .75rem; border-radius: .5rem; text-align: center; text-decoration: none; }
:focus-visible { outline: 3px solid #7aa7ff; outline-offset: 2px; }
code { font-size: .9em; white-space: nowrap; }
.error { color: #b3261e; font-weight: 600; }
@media (prefers-color-scheme: dark) { .error { color: #ff8a80; } }
p { margin: .5rem 0; }
.hint { opacity: .75; font-size: .9rem; margin-top: 1.5rem; }
</style>
<main>
<h1>Vitrine</h1>
)";

} // namespace

Response plain_page(int status, std::string_view title, std::string_view body)
{
    constexpr std::string_view placeholder = "{title}";
    std::string page(page_start);
    page.replace(page.find(placeholder), placeholder.size(), title);
    page.append(body).append("</main>\n</html>\n");
    auto response = text_response(status, "text/html; charset=utf-8", std::move(page));
    response.headers.add("Cache-Control", "no-store");
    return response;
}

std::string escape_html(std::string_view text)
{
    std::string out;
    for (const char c : text)
        out += c == '&' ? "&amp;" : c == '"' ? "&quot;" : c == '<' ? "&lt;" : std::string(1, c);
    return out;
}

bool accepts_html(const Request& request)
{
    return request.headers.find("Accept").value_or("").contains("text/html");
}

} // namespace vitrine::server
