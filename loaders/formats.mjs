// The table of model formats, loaders/formats.json, in the forms that others need.
//   node loaders/formats.mjs --cpp OUT   model_formats() of loaders/base/model_formats.hpp; CMake calls this
//   node loaders/formats.mjs --write     brings README.md, api/openapi.yaml and the table of folders in ARCHITECTURE.md
//                                        up to date
// `archives`: extensions of zip files; games of id Software use .pk3 and .pk4.
// tests/architecture/formats.test.mjs reports what is missing for a row of `formats`. Members of a row:
//   id                   of the loader and of its folder, loaders/ID
//   title, reads         its row in the README
//   extensions           of the files that are models
//   animationExtensions  of files that contain only an animation of a model
//   sceneFormats         its names in Scene::format and the REST API
//   companions           extensions of files that a model may reference, except images
//   namesakes            extensions of files that belong to the model of the same name
//   selfContained        those of its extensions whose files need no other file
//   zippedExtensions     those of its extensions whose files are zip archives; its other files may be ones, too
//   mayBeAnimationOnly   a file with one of `extensions` may hold an animation of the model in another file
//   sceneTraits          members of SceneTraits (base/model_formats.hpp) that are true, camelCase
//   inGamePackages       models reference their images from the root of a game's package
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { folderTable } from '../cmake/folders.mjs';

const root = new URL('../', import.meta.url);
const members = ['id', 'title', 'extensions', 'sceneFormats', 'reads'];
const optional = ['animationExtensions', 'companions', 'namesakes', 'selfContained', 'zippedExtensions', 'mayBeAnimationOnly', 'inGamePackages', 'sceneTraits'];

const readTable = () => JSON.parse(readFileSync(new URL('formats.json', import.meta.url), 'utf8'));

export const readArchives = () => readTable().archives;

export function readFormats() {
  const { formats } = readTable();
  for (const format of formats) {
    for (const member of members) if (!(member in format)) throw new Error(`formats.json: ${format.id} has no ${member}`);
    for (const member of Object.keys(format))
      if (![...members, ...optional].includes(member)) throw new Error(`formats.json: ${format.id} has an unknown member ${member}`);
  }
  return formats;
}

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

// In the order of SceneTraits, as C++ wants designated initializers.
const traits = ['declaresSides', 'exactKeyTimes', 'listsUnboundJoints', 'everyNodeIsJoint', 'oneTimeline'];

function traitsOf({ id, sceneTraits = [] }) {
  for (const trait of sceneTraits) if (!traits.includes(trait)) throw new Error(`formats.json: ${id} has an unknown trait ${trait}`);
  return `{${traits.filter((trait) => sceneTraits.includes(trait)).map((trait) => `.${snakeCase(trait)} = true`).join(', ')}}`;
}

const array = (name, values) =>
  `constexpr std::array<std::string_view, ${values.length}> ${name}{${values.map((value) => JSON.stringify(value)).join(', ')}};\n`;

export function cppOf(formats, archives) {
  let arrays = array('archives', archives);
  let rows = '';
  for (const format of formats) {
    const { id, extensions, sceneFormats, animationExtensions = [], companions = [], namesakes = [], zippedExtensions = [] } = format;
    arrays += array(`scene_formats_of_${id}`, sceneFormats);
    arrays += array(`extensions_of_${id}`, [...extensions, ...animationExtensions]);
    arrays += array(`companions_of_${id}`, [...namesakes, ...companions]);
    arrays += array(`zipped_extensions_of_${id}`, zippedExtensions);
    const all = `std::span(extensions_of_${id})`;
    rows += `    ModelFormat{"${id}", scene_formats_of_${id}, ${all}, ${all}.last(${animationExtensions.length}), companions_of_${id},
                std::span(companions_of_${id}).first(${namesakes.length}), zipped_extensions_of_${id}, ${!!format.mayBeAnimationOnly}, ${!!format.inGamePackages},
                SceneTraits${traitsOf(format)}},\n`;
  }
  return `// Made from loaders/formats.json by loaders/formats.mjs.
#include <array>

#include "loaders/base/model_formats.hpp"

namespace vitrine {
namespace {

${arrays}
constexpr std::array table{
${rows}};

} // namespace

std::span<const ModelFormat> model_formats()
{
    return table;
}

std::span<const std::string_view> archive_extensions()
{
    return archives;
}

} // namespace vitrine
`;
}

export function readmeTableOf(formats) {
  const rows = formats.map(({ title, reads }) => `| ${title} | ${reads} |\n`);
  return `| format | what is read |\n|---|---|\n${rows.join('')}`;
}

export function openapiEnumOf(formats) {
  return `enum: [${formats.flatMap(({ sceneFormats }) => sceneFormats).join(', ')}, null]`;
}

// Generated parts of documents: [file, pattern of the current text, function of the new text].
export const documents = [
  ['README.md', /(?<=\n## Formats\n\n)\|[^]*?\n(?=\n)/, readmeTableOf],
  ['api/openapi.yaml', /(?<=\n    Asset:\n[^]*?\n        format: \{type: \[string, 'null'\], )enum: \[[^\]]*\]/, openapiEnumOf],
  ['api/openapi.yaml', /(?<=\n    AssetRow:\n[^]*?\n        format: \{type: \[string, 'null'\], )enum: \[[^\]]*\]/, openapiEnumOf],
  ['ARCHITECTURE.md', /(?<=\n)\| folder \| content \|\n[^]*?\n(?=\n)/, folderTable],
];

function writeDocuments(formats) {
  for (const [name, place, textOf] of documents) {
    const file = new URL(name, root);
    const text = readFileSync(file, 'utf8');
    if (!place.test(text)) throw new Error(`${name} has no place for the table of formats`);
    writeFileSync(file, text.replace(place, () => textOf(formats)));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [action, output] = process.argv.slice(2);
  if (action === '--cpp') writeFileSync(output, cppOf(readFormats(), readArchives()));
  else if (action === '--write') writeDocuments(readFormats());
  else {
    console.error('usage: node loaders/formats.mjs --cpp OUT | --write');
    process.exitCode = 1;
  }
}
