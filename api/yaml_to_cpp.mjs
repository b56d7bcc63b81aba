// node yaml_to_cpp.mjs openapi.yaml out.cpp: the API document as JSON inside a C++ source, when the program is built.
// Its YAML reader is the npm package `yaml` of the web client, which script/web installs.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expandVersions } from './expand_versions.mjs';

const { parseDocument } = createRequire(new URL('../web_client/package.json', import.meta.url))('yaml');

const [input, output] = process.argv.slice(2);
const document = parseDocument(readFileSync(input, 'utf8'));
for (const { message } of [...document.errors, ...document.warnings]) {
  console.error(`${input}: ${message}`);
  process.exitCode = 1;
}
if (process.exitCode) process.exit();
const json = JSON.stringify(expandVersions(document.toJS()));
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
