// node yaml_to_cpp.mjs openapi.yaml out.cpp: the contract as JSON inside a C++ source, when the program is built.
// Reads the YAML that openapi.yaml is written in and no more: block maps and lists, flow maps and lists, plain,
// single-quoted and folded (>-) scalars. Refuses the rest, with the line.
import { readFileSync, writeFileSync } from 'node:fs';

const [input, output] = process.argv.slice(2);
const lines = readFileSync(input, 'utf8').split('\n').map((text, at) => ({
  at: at + 1,
  indent: text.length - text.trimStart().length,
  text: text.trim(),
})).filter((line) => line.text !== '' && !line.text.startsWith('#'));
let next = 0;

function fail(line, why) {
  throw new Error(`${input}:${line.at}: ${why}`);
}

function scalar(text) {
  if (text === 'null' || text === '') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return text;
}

// A flow value at `from`: [value, position behind it].
function flow(line, text, from) {
  let at = from;
  const skip = () => { while (text[at] === ' ') ++at; };
  skip();
  if (text[at] === '{' || text[at] === '[') {
    const map = text[at] === '{';
    const close = map ? '}' : ']';
    const result = map ? {} : [];
    for (++at, skip(); text[at] !== close; skip()) {
      if (at >= text.length) fail(line, `no ${close}`);
      let value;
      if (map) {
        let key;
        [key, at] = flow(line, text, at);
        skip();
        if (text[at] !== ':') fail(line, 'no : in a flow map');
        [value, at] = flow(line, text, at + 1);
        result[key] = value;
      } else {
        [value, at] = flow(line, text, at);
        result.push(value);
      }
      skip();
      if (text[at] === ',') ++at;
      else if (text[at] !== close) fail(line, `${text[at]} where , or ${close} belongs`);
    }
    return [result, at + 1];
  }
  if (text[at] === "'") {
    let end = at + 1;
    while (text[end] !== "'" || text[end + 1] === "'") {
      end += text[end] === "'" ? 2 : 1;
      if (end >= text.length) fail(line, "no closing '");
    }
    return [scalar(text.slice(at, end + 1)), end + 1];
  }
  let end = at;
  while (end < text.length && !',}]'.includes(text[end]) && !(text[end] === ':' && (text[end + 1] ?? ' ') === ' ')) ++end;
  return [scalar(text.slice(at, end).trim()), end];
}

function inline(line, text) {
  if (!'{[\''.includes(text[0])) return scalar(text);
  const [value, end] = flow(line, text, 0);
  if (text.slice(end).trim() !== '') fail(line, 'something follows the value');
  return value;
}

function folded(indent) {
  const words = [];
  while (next < lines.length && lines[next].indent > indent) words.push(lines[next++].text);
  return words.join(' ');
}

function keyOf(line) {
  const match = /^('(?:[^']|'')*'|[^\s'{[][^:]*?):(?: (.*))?$/.exec(line.text);
  if (!match) fail(line, 'no key');
  return [String(match[1].startsWith("'") ? scalar(match[1]) : match[1]), match[2]?.trim() ?? ''];
}

function block(indent) {
  return lines[next].text.startsWith('- ') ? list(indent) : map(indent);
}

function list(indent) {
  const result = [];
  while (next < lines.length && lines[next].indent === indent && lines[next].text.startsWith('- ')) {
    const line = lines[next];
    const rest = line.text.slice(2).trim();
    if (/^[^\s'{[][^:]*:( |$)/.test(rest)) {
      lines[next] = { at: line.at, indent: indent + 2, text: rest };
      result.push(map(indent + 2));
    } else {
      ++next;
      result.push(inline(line, rest));
    }
  }
  return result;
}

function map(indent) {
  const result = {};
  while (next < lines.length && lines[next].indent === indent && !lines[next].text.startsWith('- ')) {
    const line = lines[next++];
    const [key, value] = keyOf(line);
    if (key in result) fail(line, `${key} stands twice`);
    if (value === '>-') result[key] = folded(indent);
    else if (value !== '') result[key] = inline(line, value);
    else if (next < lines.length && lines[next].indent > indent) result[key] = block(lines[next].indent);
    else result[key] = null;
  }
  return result;
}

const document = map(0);
if (next !== lines.length) fail(lines[next], 'not understood');
const json = JSON.stringify(document);
const chunks = [];
for (let at = 0; at < json.length; at += 4000) chunks.push(JSON.stringify(json.slice(at, at + 4000)));
writeFileSync(output, `// Made from openapi.yaml by yaml_to_cpp.mjs.
#include "api/openapi.hpp"

namespace vitrine::api {

std::string openapi_json()
{
    std::string text;
    for (const char* part : {${chunks.join(',\n')}}) text += part;
    return text;
}

} // namespace vitrine::api
`);
