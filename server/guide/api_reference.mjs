// The reference of the API as one HTML page, from api/openapi.yaml: operations by tag, then the schemas that they name.
import { escapeHtml, layOut } from './page_layout.mjs';

const verbs = ['get', 'post', 'put', 'patch', 'delete', 'options'];
const schemaPrefix = '#/components/schemas/';

const code = (text) => `<code>${escapeHtml(text)}</code>`;

// Descriptions have only `code` as markup.
const prose = (text) =>
  String(text ?? '').split('`').map((part, i) => (i % 2 ? code(part) : escapeHtml(part))).join('');

function limitsOf(schema) {
  const limits = [];
  const range = (least, most, unit) => {
    if (least !== undefined || most !== undefined) limits.push(`${[least ?? '', most ?? ''].join(' to ').trim()}${unit}`);
  };
  range(schema.minimum, schema.maximum, '');
  range(schema.minLength, schema.maxLength, ' characters');
  range(schema.minItems, schema.maxItems, ' items');
  if (schema.pattern) limits.push(`matches ${schema.pattern}`);
  if (schema.default !== undefined) limits.push(`default ${JSON.stringify(schema.default)}`);
  return limits.map(escapeHtml).join(', ');
}

// A type in a few words, with links to schemas.
function typeOf(schema) {
  if (!schema) return 'any';
  if (schema.$ref) {
    const name = schema.$ref.slice(schemaPrefix.length);
    return `<a href="#schema-${name}">${escapeHtml(name)}</a>`;
  }
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return alternatives.map(typeOf).join(' or ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const types = [schema.type ?? 'any'].flat();
  const names = types.map((type) => {
    if (type === 'array') return `array of ${typeOf(schema.items)}`;
    if (type === 'object' && schema.additionalProperties && schema.additionalProperties !== true)
      return `object of ${typeOf(schema.additionalProperties)}`;
    return `${type}${schema.format ? ` (${escapeHtml(schema.format)})` : ''}`;
  });
  return names.join(' or ');
}

function table(head, rows) {
  if (rows.length === 0) return '';
  const cells = (row, tag) => `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<div class="wide" tabindex="0"><table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>`;
}

const required = ' <span class="required">required</span>';

function members(schema) {
  const parts = schema.allOf ?? [schema];
  const rows = parts.flatMap((part) => Object.entries(part.properties ?? {}).map(([name, member]) => [
    code(name) + (part.required?.includes(name) ? required : ''),
    typeOf(member),
    [prose(member.description), limitsOf(member)].filter(Boolean).join('; '),
  ]));
  return table(['Member', 'Type', 'Meaning'], rows);
}

// Objects without a name, whose members stand where they are used.
const inlineMembers = (schema) => (schema?.properties ? members(schema) : '');

function exampleOf(media) {
  const example = media.example ?? Object.values(media.examples ?? {})[0]?.value;
  if (example === undefined) return '';
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

const contentOf = (content) =>
  Object.entries(content ?? {}).map(([type, media]) =>
    `<p>${code(type)}: ${typeOf(media.schema)}</p>${inlineMembers(media.schema)}${exampleOf(media)}`).join('');

class Reference {
  constructor(document) {
    this.document = document;
  }

  // Of parameters, responses and bodies, which have no links of their own.
  resolve(value) {
    if (!value?.$ref) return value;
    return value.$ref.slice(2).split('/').reduce((at, key) => at[key], this.document);
  }

  roleOf(operation) {
    const needed = (operation.security ?? this.document.security).find((entry) => entry.bearer);
    return needed ? needed.bearer[0] : 'nobody: no token is needed';
  }

  parametersOf(item, operation) {
    const rows = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => {
      const parameter = this.resolve(one);
      const schema = parameter.schema ?? Object.values(parameter.content ?? {})[0]?.schema;
      return [
        code(parameter.name) + (parameter.required ? required : ''),
        parameter.in,
        typeOf(schema),
        [prose(parameter.description ?? schema?.description), limitsOf(schema ?? {})].filter(Boolean).join('; '),
      ];
    });
    return rows.length ? `<h4>Parameters</h4>${table(['Name', 'In', 'Type', 'Meaning'], rows)}` : '';
  }

  responsesOf(operation) {
    const rows = Object.entries(operation.responses).map(([status, one]) => {
      const response = this.resolve(one);
      const content = Object.entries(response.content ?? {}).map(([type, media]) => `${code(type)}: ${typeOf(media.schema)}`);
      const headers = Object.keys(response.headers ?? {}).map(code).join(', ');
      return [code(status), [prose(response.description), ...content, headers && `Headers: ${headers}`].filter(Boolean).join('<br>')];
    });
    const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
    const example = success ? Object.values(this.resolve(success[1]).content ?? {}).map(exampleOf).join('') : '';
    return `<h4>Responses</h4>${table(['Status', 'Content'], rows)}${example && `<h4>Example of ${success[0]}</h4>${example}`}`;
  }

  operation(path, verb, item) {
    const operation = item[verb];
    const body = this.resolve(operation.requestBody);
    const versions = verb === 'get' && path.startsWith('/v1/assets/{id}/') && !path.startsWith('/v1/assets/{id}/versions');
    return `<details><summary><span class="method ${verb}">${verb.toUpperCase()}</span><code>${escapeHtml(path)}</code> <span class="soft">${prose(operation.summary)}</span></summary>
<div id="${operation.operationId}"><p>${prose(operation.description)}</p>
<p class="soft">Role: ${this.roleOf(operation)}. Operation: ${code(operation.operationId)}.${versions ? ` Also of one version: ${code(path.replace('{id}/', '{id}/versions/{n}/'))}.` : ''}</p>
${this.parametersOf(item, operation)}${body ? `<h4>Body</h4>${contentOf(body.content)}` : ''}${this.responsesOf(operation)}</div></details>`;
  }

  operationsOf(tag) {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      verbs.filter((verb) => item[verb]?.tags?.[0] === tag && !path.startsWith('/internal')).map((verb) => ({ path, verb, item })));
  }

  schemas() {
    return Object.entries(this.document.components.schemas).map(([name, schema]) =>
      `<details><summary><code>${escapeHtml(name)}</code> <span class="soft">${prose(schema.description)}</span></summary>
<div id="schema-${name}"><p>${typeOf({ ...schema, description: undefined })}${limitsOf(schema) && `, ${limitsOf(schema)}`}</p>${members(schema)}</div></details>`).join('\n');
  }

  page() {
    const { info, tags } = this.document;
    const title = (name) => name[0].toUpperCase() + name.slice(1);
    const groups = tags.map((tag) => ({ ...tag, operations: this.operationsOf(tag.name) })).filter((tag) => tag.operations.length);
    const side = groups.map(({ name, operations }) => `<h2>${title(name)}</h2><ul>${operations.map(({ verb, item }) =>
      `<li><a href="#${item[verb].operationId}">${prose(item[verb].summary)}</a></li>`).join('')}</ul>`).join('') + '<h2><a href="#schemas">Schemas</a></h2>';
    const main = `<h1>${escapeHtml(info.title)} API</h1>
<p>${prose(info.summary)}. This page is made from the API document, <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), from which clients can be generated; <a href="/clients/vitrine.py">a client for Python</a> is ready.</p>
<details><summary><strong>What holds for all operations</strong></summary><div>${info.description.split(/(?<=\.) (?=[A-Z])/).map((sentence) => `<p>${prose(sentence)}</p>`).join('')}</div></details>
${groups.map(({ name, description, operations }) => `<h2 id="tag-${name}">${title(name)}</h2>${description ? `<p>${prose(description)}.</p>` : ''}
${operations.map(({ path, verb, item }) => this.operation(path, verb, item)).join('\n')}`).join('\n')}
<h2 id="schemas">Schemas</h2>
${this.schemas()}`;
    return layOut({ title: 'API', path: '/docs/api', side, isLong: true, main });
  }
}

// `document`: of api/openapi.yaml, without the paths of versions.
export const makeApiReference = (document) => new Reference(document).page();
