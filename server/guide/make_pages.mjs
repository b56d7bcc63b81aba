// node make_pages.mjs ROOT OUT.cpp: the pages of the documentation as HTML inside a C++ source, when the program is built.
// node make_pages.mjs ROOT --files: the files that they are made from, for the build.
// Its readers of YAML and Markdown are npm packages of the web client, which script/web installs.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { makeApiReference } from './api_reference.mjs';
import { makeMarkdownPages, sourceFiles } from './markdown_pages.mjs';

const [folder, output] = process.argv.slice(2);
if (output === '--files') {
  process.stdout.write(sourceFiles.join(';'));
  process.exit();
}
const root = folder.endsWith('/') ? folder : `${folder}/`;
const require = createRequire(`${root}web_client/package.json`);
const { parse } = require('yaml');
const { Marked } = require('marked');

const pages = [
  { name: 'api', html: makeApiReference(parse(readFileSync(`${root}api/openapi.yaml`, 'utf8'))) },
  ...makeMarkdownPages(Marked, root),
];
// Literals have a limited length; parts end between whole characters.
const parts = pages.flatMap(({ name, html }) =>
  html.match(/[\s\S]{1,2000}/gu).map((part) => `{${JSON.stringify(name)}, ${JSON.stringify(part)}}`));

writeFileSync(output, `// Made by make_pages.mjs.
#include "server/guide/guide_pages.hpp"

#include <array>

namespace vitrine::server {

std::span<const GuidePart> guide_parts()
{
    static constexpr auto parts = std::to_array<GuidePart>({${parts.join(',\n')}});
    return parts;
}

} // namespace vitrine::server
`);
