// node python_client.mjs openapi.yaml OUT.cpp: the Python client inside a C++ source, when the program is built.
// A method for each operation of the API document, after python_base.py.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { parse } = createRequire(new URL('../web_client/package.json', import.meta.url))('yaml');

const [input, output] = process.argv.slice(2);
const document = parse(readFileSync(input, 'utf8'));

const keywords = new Set(['and', 'as', 'class', 'def', 'from', 'global', 'if', 'import', 'in', 'is', 'not', 'or', 'pass', 'with']);
const resolve = (node) => (node.$ref ? node.$ref.slice(2).split('/').reduce((found, key) => found[key], document) : node);
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '');

function pythonName(name) {
  const plain = snake(name.replace(/[^A-Za-z0-9]/g, '_')).replace(/__+/g, '_').replace(/^_+|_+$/g, '');
  return keywords.has(plain) ? `${plain}_` : plain;
}

function wrapped(text, indent) {
  const lines = [''];
  for (const word of text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split(/\s+/)) {
    if (`${lines.at(-1)} ${word}`.length > 110 - indent.length) lines.push('');
    lines[lines.length - 1] += (lines.at(-1) ? ' ' : '') + word;
  }
  return lines.join(`\n${indent}`);
}

// Parameters of custom fields, whose names only a library knows, are one: a dictionary.
const ownFields = 'field.';
function joinFields(parameters) {
  const [first] = parameters.filter(({ name }) => name.startsWith(ownFields));
  const others = parameters.filter(({ name }) => !name.startsWith(ownFields));
  return first ? [...others, { ...first, name: ownFields, description: `a dictionary of NAME, NAME.min or NAME.max and a value. ${first.description}` }] : others;
}

// Lists are sent as repeated parameters, unless the document says otherwise; the members of an object are parameters.
function styleOf(parameter) {
  if (parameter.in === 'header') return 'header';
  if (parameter.name === ownFields) return 'prefixed';
  if (parameter.schema?.type === 'object') return 'members';
  return parameter.schema?.type === 'array' && parameter.explode !== false ? 'repeated' : 'joined';
}

function methodOf(path, verb, item, operation) {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const given = joinFields(parameters.filter((parameter) => parameter.in !== 'path'));
  const hasVersions = verb === 'get' && path.startsWith('/v1/assets/{id}/') && !path.startsWith('/v1/assets/{id}/versions');
  const body = operation.requestBody && resolve(operation.requestBody);
  const names = given.map((parameter) => ({ ...parameter, python: pythonName(parameter.name) }));
  const keyword = [
    ...names.map(({ python: name }) => `${name}=None`),
    ...(body ? [body.required ? 'body' : 'body=None'] : []),
    ...(hasVersions ? ['version=None'] : []),
  ];
  const positional = inPath.map((name) => (name === 'id' ? idName(path) : pythonName(name)));
  const signature = ['self', ...positional, ...(keyword.length ? ['*', ...keyword] : [])].join(', ');
  const text = [`${operation.summary ?? operation.operationId}. ${operation.description ?? ''}`.trim()];
  for (const { python: name, description, schema } of names) {
    const words = resolve(schema ?? {}).enum?.join(', ') ?? '';
    text.push(`${name}: ${[description, words].filter(Boolean).join('; ') || resolve(schema ?? {}).type || ''}`);
  }
  if (body) text.push(`body: ${Object.keys(body.content).join(', ')}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => `{_segment(${name === 'id' ? idName(path) : pythonName(name)}, ${name === 'path' ? 'True' : 'False'})}`);
  const table = names.map(({ python: name, ...parameter }) => `            "${name}": ("${parameter.name}", "${styleOf(parameter)}"),\n`).join('');
  const values = names.map(({ python: name }) => `"${name}": ${name}`).join(', ');
  return `    def ${snake(operation.operationId)}(${signature}):
        """${text.map((line) => wrapped(line, '        ')).join('\n        ')}
        """
        parameters = {
${table}        }
        return self._call("${verb.toUpperCase()}", f"${filled}", parameters, {${values}}${body ? `, body=body, types=${JSON.stringify(Object.keys(body.content))}` : ''}${hasVersions ? ', version=version' : ''})
`.replace(/parameters = \{\n {8}\}/, 'parameters = {}');
}

function idName(path) {
  return path.startsWith('/v1/jobs') ? 'job' : path.startsWith('/v1/uploads') ? 'upload' : path.startsWith('/v1/assets') ? 'asset' : 'id_';
}

const methods = [];
for (const [path, item] of Object.entries(document.paths)) {
  for (const [verb, operation] of Object.entries(item)) {
    if (!operation.operationId || verb === 'options' || operation.responses['101'] || path.startsWith('/internal') || path === '/v1/events' || path === '/mcp') continue;
    methods.push(methodOf(path, verb, item, operation));
  }
}
const text = `${readFileSync(new URL('python_base.py', import.meta.url), 'utf8')}

def _segment(value, keeps_slashes):
    return _parse.quote(_text(value), safe="/" if keeps_slashes else "")


class Vitrine(_Base):
    """A Vitrine server, API ${document.info.version}."""

${methods.join('\n')}`;
const chunks = [];
for (let at = 0; at < text.length; at += 4000) chunks.push(JSON.stringify(text.slice(at, at + 4000)));
writeFileSync(output, `// Made from openapi.yaml by python_client.mjs.
#include <array>
#include <span>

namespace vitrine::clients {

std::span<const char* const> python_client_parts()
{
    static constexpr std::array parts{${chunks.join(',\n')}};
    return parts;
}

} // namespace vitrine::clients
`);
