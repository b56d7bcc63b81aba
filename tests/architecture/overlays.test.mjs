// An overlay of vk_renderer/base/view.hpp is in the contract, on the page and in the Model Context Protocol; so are
// views and profiles of checks, which agents name too.
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

// The words of a description that agents read: "a, b or c; ...".
function wordsOf(property) {
  const described = new RegExp(`"${property}": \\{[^]*?"description": "(?:Rows: )?([^";]*)`).exec(textOf('server/mcp/tool_calls.hpp') + textOf('server/mcp/mcp_tools.cpp'));
  assert.ok(described, `no tool describes ${property}`);
  return described[1].split(/, | or /);
}

test('agents read of each', () => {
  assert.deepEqual(wordsOf('overlay').sort(), [...words].sort());
});

test('agents read of each view and profile', () => {
  const views = [...textOf('vk_renderer/camera/view_parser.cpp').matchAll(/NamedView\{"([\w-]+)"/g)].map((match) => match[1]);
  const profiles = [...textOf('loaders/scene/checks/shipped_profiles.cpp').matchAll(/ShippedProfile\{"([\w-]+)"/g)].map((match) => match[1]);
  assert.ok(views.length >= 7 && profiles.length >= 5, `${views} ${profiles}`);
  assert.deepEqual(views.filter((view) => !wordsOf('view').includes(view)), []);
  assert.deepEqual(wordsOf('profile').sort(), profiles.sort());
});
