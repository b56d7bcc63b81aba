// Pages of docs/ and api/websocket.md as HTML. Links between them lead to the pages, links to other files of the repository
// become text.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { escapeHtml, layOut } from './page_layout.mjs';

// Files by the last part of the address ('': /docs), under the heading of the list beside the text.
const groups = new Map([
  ['Use', {
    '': 'docs/guide/README.md',
    tour: 'docs/guide/tour.md',
    organize: 'docs/guide/organize.md',
    share: 'docs/guide/share.md',
    'sign-in': 'docs/guide/sign-in.md',
    libraries: 'docs/guide/libraries.md',
    backup: 'docs/guide/backup.md',
  }],
  ['Operate', {
    operations: 'docs/operations.md',
    configuration: 'docs/operations/configuration.md',
    access: 'docs/operations/access.md',
    storage: 'docs/operations/storage.md',
    processes: 'docs/operations/processes.md',
    search: 'docs/operations/search.md',
    'library-scans': 'docs/operations/libraries.md',
    webhooks: 'docs/operations/webhooks.md',
    'reverse-proxy': 'docs/reverse-proxy.md',
  }],
  ['Program', { websocket: 'api/websocket.md' }],
]);
const sources = new Map([...groups.values()].flatMap((files) => Object.entries(files)));
// All files that the pages are made from.
export const sourceFiles = [...sources.values()];

const otherFiles = new Map([['api/openapi.yaml', '/docs/api']]);

const pathOf = (name) => (name === '' ? '/docs' : `/docs/guide/${name}`);

// Paths of the server that become links where a text names them.
const serverPaths = ['/docs', '/docs/api', '/openapi.json', '/clients/vitrine.py'];

const headingId = (text) =>
  text.toLowerCase().replace(/<[^>]*>|[^\p{L}\p{N} -]/gu, '').trim().replaceAll(' ', '-');

// Where the link of a file of the repository leads; null: nowhere.
function addressOf(href, file) {
  if (/^(https?:|\/|#)/.test(href)) return href;
  const [path, fragment] = href.split('#');
  const target = normalize(join(dirname(file), path));
  for (const [name, source] of sources) if (source === target) return pathOf(name) + (fragment ? `#${fragment}` : '');
  return otherFiles.get(target) ?? null;
}

const titleOf = (text) => /^# (.*)$/m.exec(text)[1].replaceAll('`', '');

// `marked`: the class Marked of the npm package. `root`: of the repository, with '/' at its end.
export function makeMarkdownPages(Marked, root) {
  const texts = new Map([...sources].map(([name, file]) => [name, readFileSync(root + file, 'utf8')]));
  const linkTo = (name, current) =>
    `<li><a href="${pathOf(name)}"${name === current ? ' aria-current="page"' : ''}>${escapeHtml(titleOf(texts.get(name)))}</a></li>`;
  const side = (current) =>
    [...groups].map(([heading, files]) => `<h2>${heading}</h2><ul>${Object.keys(files).map((name) => linkTo(name, current)).join('')}</ul>`).join('');
  return [...texts].map(([name, text]) => {
    const file = sources.get(name);
    const marked = new Marked({
      renderer: {
        heading({ tokens, depth }) {
          const inner = this.parser.parseInline(tokens);
          return `<h${depth} id="${headingId(inner)}">${inner}</h${depth}>\n`;
        },
        link({ href, tokens }) {
          const inner = this.parser.parseInline(tokens), to = addressOf(href, file);
          return to ? `<a href="${escapeHtml(to)}">${inner}</a>` : inner;
        },
        codespan({ text: code }) {
          const html = `<code>${escapeHtml(code)}</code>`;
          return serverPaths.includes(code) ? `<a href="${code}">${html}</a>` : html;
        },
        code: ({ text: code }) => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`,
        table(token) {
          const cells = (row, tag) => `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
          return `<div class="wide" tabindex="0"><table><thead>${cells(token.header, 'th')}</thead><tbody>${token.rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>\n`;
        },
      },
    });
    const page = { title: titleOf(text), path: pathOf(name), side: side(name), main: marked.parse(text) };
    return { name: name === '' ? 'guide' : name, html: layOut(page) };
  });
}
