// The frame of all pages of the documentation: no scripts, no other files, colors of the web client (tokens.css).
export const escapeHtml = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

const style = `
:root{color-scheme:light dark;--ground:#f5f5f2;--surface:#fff;--sunken:#ecece7;--line:#e0e0d9;--ink:#1b1d1b;--soft:#565a55;--accent:#17595c;--tint:#dcebe8;
--get:#2a6b3c;--post:#17595c;--put:#7d5200;--delete:#a8321f;--mono:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media(prefers-color-scheme:dark){:root{--ground:#131514;--surface:#1b1e1d;--sunken:#0e100f;--line:#2e3331;--ink:#eceeec;--soft:#b0b6b2;--accent:#7cc7bd;--tint:#1d3a38;
--get:#8fcb9d;--post:#7cc7bd;--put:#e6bd6a;--delete:#f2937f}}
*{box-sizing:border-box}html{scroll-padding-top:5rem}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
a{color:var(--accent)}a:focus-visible,summary:focus-visible,pre:focus-visible,.wide:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--surface);padding:.5rem 1rem;z-index:3}
header{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;padding:.75rem 1.5rem;background:var(--ground);border-bottom:1px solid var(--line)}
header strong{font-size:1.1rem}header nav{display:flex;flex-wrap:wrap;gap:0 1.25rem}header a{text-decoration:none}header a[aria-current]{font-weight:600}
.columns{display:grid;grid-template-columns:17rem minmax(0,1fr);max-width:84rem;margin:0 auto}
.side{position:sticky;top:3.5rem;align-self:start;max-height:calc(100vh - 3.5rem);overflow:auto;padding:1.5rem 1rem 2rem 1.5rem;font-size:.9rem;line-height:1.45}
.side ul{list-style:none;margin:.25rem 0 1rem;padding:0}.side li{margin:.2rem 0}.side a{text-decoration:none;color:var(--soft)}.side a:hover,.side a[aria-current]{color:var(--accent)}.side a[aria-current]{font-weight:600}
.side h2{font-size:.8rem;letter-spacing:.04em;text-transform:uppercase;margin:1rem 0 0;color:var(--soft)}
main{padding:2rem 2rem 6rem;min-width:0}main>*{max-width:56rem}h1{font-size:2rem;line-height:1.2;margin:0 0 1rem}h2{margin:2.5rem 0 .75rem}h3{margin:1.75rem 0 .5rem}
code{font:.875em var(--mono);background:var(--sunken);padding:.12em .35em;border-radius:4px;overflow-wrap:anywhere}
pre{background:var(--sunken);padding:1rem;border-radius:10px;overflow:auto;line-height:1.5}pre code{background:none;padding:0;overflow-wrap:normal}
table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-top:1px solid var(--line)}th{font-weight:600;border-top:0}td:first-child{white-space:nowrap}
.wide{overflow-x:auto}.soft{color:var(--soft)}
details{background:var(--surface);border:1px solid var(--line);border-radius:10px;margin:.5rem 0}summary{cursor:pointer;padding:.7rem 1rem;display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;list-style:none}summary::-webkit-details-marker{display:none}
summary code{background:none;padding:0;font-weight:600}details>div{padding:0 1rem 1rem;border-top:1px solid var(--line)}details h4{margin:1.25rem 0 .25rem}
.method{font:600 .8rem var(--mono);min-width:3.6rem}.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}.options{color:var(--soft)}
.required{color:var(--delete);font-size:.8rem}:target{scroll-margin-top:5rem}details:has(:target){border-color:var(--accent)}
@media(max-width:56rem){.columns{display:block}.side{position:static;max-height:none;padding:1rem 1.5rem 0}.side.long{display:none}main{padding:1.5rem 1rem 4rem}td:first-child{white-space:normal}}
`;

const sections = [
  ['/docs', 'Guide'],
  ['/docs/api', 'API'],
  ['/docs/guide/websocket', 'Live preview'],
  ['/docs/guide/operations', 'Operations'],
  ['/', 'Library'],
];

// `side`: HTML of the list beside the text; `isLong`: it is left out on small screens. `path`: of the page.
export function layOut({ title, path, side, isLong = false, main }) {
  const links = sections.map(([to, name]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ''}>${name}</a>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} - Vitrine</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${style}</style></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><strong>Vitrine</strong><nav aria-label="Documentation">${links.join('')}</nav></header>
<div class="columns"><nav class="side${isLong ? ' long' : ''}" aria-label="Pages">${side}</nav>
<main id="content">${main}</main></div></body></html>
`;
}
