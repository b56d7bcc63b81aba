// Fails if the tree contains a word or pattern of script/terms.tsv: `node script/terms.mjs [FILE...]`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const table = 'script/terms.tsv';
const code = /\.(cpp|hpp|h|comp|vert|frag|glsl|ts|mjs)$/;
const text = /\.(cpp|hpp|h|comp|vert|frag|glsl|ts|mjs|md|yaml|json|cmake|css|html|sh)$|CMakeLists\.txt$|^script\/[a-z-]+$/;
const exempt = [/^docs\/benchmarks-history\.md$/, /^script\/terms\./, /package-lock\.json$/];

function readRules() {
  return readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [kind, pattern, wanted] = line.split('\t');
      if (!['name', 'code', 'type', 'text'].includes(kind) || !wanted) throw new Error(`${table}: bad row: ${line}`);
      const source = {
        name: `(?<![\\w.])(?:${pattern})(?!\\w)`,
        code: `(?<!\\w)(?:${pattern})(?!\\w)`,
        type: `\\b(?:class|struct|enum class|using) (?:${pattern})\\b`,
        text: pattern,
      }[kind];
      return { files: kind === 'text' ? text : code, onlyCode: kind === 'code', expression: new RegExp(source, 'g'), wanted };
    });
}

// Comments and string literals replaced by spaces.
function withoutTexts(content) {
  const texts = /R"([^\s()\\]{0,16})\([\s\S]*?\)\1"|\b\d[\w.']*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return content.replace(texts, (match) => match.replace(/[^\n]/g, ' '));
}

// `file:line: found; write: wanted` for each match.
export function findTerms(file, content, rules) {
  const found = [];
  for (const rule of rules) {
    if (!rule.files.test(file)) continue;
    const searched = rule.onlyCode ? withoutTexts(content) : content;
    for (const match of searched.matchAll(rule.expression)) {
      const line = content.slice(0, match.index).split('\n').length;
      found.push(`${file}:${line}: "${match[0]}"; write: ${rule.wanted}`);
    }
  }
  return found;
}

const named = process.argv.slice(2);
const files = named.length > 0 ? named : execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const rules = readRules();
const found = files
  .filter((file) => text.test(file) && !exempt.some((pattern) => pattern.test(file)))
  .flatMap((file) => findTerms(file, readFileSync(file, 'utf8'), rules));
for (const line of found) console.log(line);
if (found.length > 0) {
  console.log(`${found.length} terms to replace (${table})`);
  process.exit(1);
}
console.log(`no term of ${table} in ${files.length} files`);
