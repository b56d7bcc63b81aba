// An overlay of vk_renderer/base/view.hpp is in the contract and on the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const textOf = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const view = textOf('vk_renderer/base/view.hpp');
const words = [...view.matchAll(/(?:OverlayWord|DebugViewWord)\{"(\w+)"/g)].map((match) => match[1]);

test('the tables are read', () => {
  assert.ok(words.length >= 9, words.join(' '));
});

test('the OpenAPI document describes each', () => {
  const described = /\n    Overlay: \{name: overlay, .*/.exec(textOf('api/openapi.yaml'));
  assert.ok(described, 'api/openapi.yaml has no parameter Overlay');
  assert.deepEqual(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(described[0])), []);
});

test('the page offers each', () => {
  const offered = /\n    overlays: \{\n([^]*?)\n    \},\n/.exec(textOf('web_client/src/i18n/en.ts'));
  assert.ok(offered, 'en.ts has no overlays');
  assert.deepEqual([...offered[1].matchAll(/^ +(\w+): /gm)].map((match) => match[1]).sort(), [...words].sort());
});
