// What a row of loaders/formats.json asks for elsewhere.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

import { folderTableOf } from '../../cmake/folders.mjs';
import { cppOf, documents, readArchives, readFormats } from '../../loaders/formats.mjs';

const root = new URL('../../', import.meta.url);
const textOf = (path) => readFileSync(new URL(path, root), 'utf8');
const formats = readFormats();

test('each format has what belongs to it', () => {
  const dispatch = textOf('loaders/worker/program/formats.cpp');
  const folders = textOf('cmake/folders.cmake');
  const fuzz = textOf('tests/fuzz/CMakeLists.txt');
  const robustness = readdirSync(new URL('tests/robustness', root));
  const missing = formats.flatMap(({ id }) =>
    [
      [dispatch.includes(`Format{"${id}", extensions_of("${id}"), `), `a row in loaders/worker/program/formats.cpp`],
      [folders.includes(`vitrine_folder(loaders/${id}`), `a row of loaders/${id} in cmake/folders.cmake`],
      [existsSync(new URL(`loaders/${id}/README.md`, root)), `loaders/${id}/README.md`],
      [existsSync(new URL(`tests/unit/${id}/CMakeLists.txt`, root)), `tests/unit/${id}`],
      [robustness.some((name) => name.startsWith(`${id}_`)), `a test in tests/robustness`],
      [new RegExp(`\\bloaders_${id}\\b`).test(fuzz), `a target in tests/fuzz/CMakeLists.txt`],
    ].flatMap(([there, what]) => (there ? [] : [`${id} lacks ${what}`])),
  );
  assert.deepEqual(missing, []);
});

test('each loader has a row', () => {
  const dispatch = textOf('loaders/worker/program/formats.cpp');
  const ids = [...dispatch.matchAll(/Format\{"(\w+)"/g)].map((match) => match[1]);
  assert.deepEqual(ids.sort(), formats.map(({ id }) => id).sort());
});

for (const [name, place, wantedOf] of documents)
  test(`${name} says what the table says`, () => {
    const found = place.exec(textOf(name));
    assert.ok(found, `${name} has no place for the table of formats`);
    assert.equal(found[0], wantedOf(formats), `run: node loaders/formats.mjs --write`);
  });

test('an extension and a name of a format stand in one row', () => {
  for (const member of ['extensions', 'sceneFormats']) {
    const all = formats.flatMap((format) => [...format[member], ...(member === 'extensions' ? (format.animationExtensions ?? []) : [])]);
    assert.equal(new Set(all).size, all.length, `${member}: ${all.join(' ')}`);
  }
  for (const { id, extensions, animationExtensions = [], companions = [], namesakes = [], selfContained = [], zippedExtensions = [] } of formats) {
    for (const extension of [...extensions, ...animationExtensions, ...companions, ...namesakes])
      assert.match(extension, /^\.[a-z0-9]+$/, id);
    for (const extension of [...selfContained, ...zippedExtensions]) assert.ok(extensions.includes(extension), `${id}: ${extension}`);
  }
});

test('archives have extensions of their own, named where uploads are documented', () => {
  const upload = /File name of a body that is one zip[^']*/.exec(textOf('api/openapi.yaml'))[0];
  for (const extension of readArchives()) {
    assert.match(extension, /^\.[a-z0-9]+$/);
    assert.ok(!formats.some((format) => format.extensions.includes(extension)), extension);
    assert.ok(upload.includes(extension.slice(1)), extension);
  }
});

test('the rows of folders become a table', () => {
  const cmake = '# The table.\n\n# One,\n# in two lines.\nvitrine_folder(a/b\n    USES c)\n# Other.\nvitrine_folder(a\n    USES a/b)\n';
  assert.equal(folderTableOf(cmake), '| folder | content |\n|---|---|\n| `a/b` | One, in two lines. |\n| `a` | Other. |\n');
});

test('the rows become C++', () => {
  const row = { id: 'one', title: '', reads: '', extensions: ['.one', '.won'], zippedExtensions: ['.won'], animationExtensions: ['.uno'], sceneFormats: ['one'], companions: ['.b'], namesakes: ['.a'], inGamePackages: true, sceneTraits: ['oneTimeline', 'declaresSides'] };
  const cpp = cppOf([row], ['.z', '.y']);
  assert.ok(cpp.includes('std::array<std::string_view, 2> archives{".z", ".y"};'));
  assert.ok(cpp.includes('std::array<std::string_view, 3> extensions_of_one{".one", ".won", ".uno"};'));
  assert.ok(cpp.includes('std::array<std::string_view, 2> companions_of_one{".a", ".b"};'));
  assert.ok(cpp.includes('std::span(extensions_of_one).last(1)'));
  assert.ok(cpp.includes('std::array<std::string_view, 1> zipped_extensions_of_one{".won"};'));
  assert.match(cpp, /std::span\(companions_of_one\)\.first\(1\), zipped_extensions_of_one, false, true,\s+SceneTraits\{\.declares_sides = true, \.one_timeline = true\}\}/);
  assert.throws(() => cppOf([{ ...row, sceneTraits: ['oneTimelines'] }], []), /unknown trait/);
});
