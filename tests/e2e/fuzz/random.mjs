// Values from a seed: valid ones of a JSON Schema, and ones that are nearly valid.

// mulberry32 (T. Ettinger, public domain): numbers from 0 to 1, the same for the same seed.
export function makeRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (count) => Math.floor(next() * count),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

const texts = ["", "a", "koi", "0", "-1", "1.5", "nan", "true", "none", "null", "../x", "%00", "é", "日本", "a".repeat(300), "\u0000", "😀", "a,b", "{}", "0/1/0.1", "c0"];
const numbers = [0, 1, -1, 2, 0.5, 7, 64, 512, 1e9, 1e-9, -1e9, 2 ** 31, 2 ** 53, 4294967296];

// `resolve`: returns the schema that a $ref names.
export function makeValues(random, resolve) {
  function number(schema) {
    const low = schema.minimum ?? schema.exclusiveMinimum ?? -1000;
    const high = schema.maximum ?? schema.exclusiveMaximum ?? Math.max(low, 0) + 100;
    const value = low + random.below(1000) * ((high - low) / 1000);
    return schema.type === "integer" ? Math.round(value) : value;
  }

  function text(schema) {
    if (schema.format === "date-time") return "2026-11-28T09:30:00Z";
    if (schema.format === "uri") return "https://hooks.example/a";
    if (schema.pattern) return random.pick(["a", "A1", "abcdefgh", "vitrine"]);
    let value = random.pick(texts);
    while (value.length < (schema.minLength ?? 0)) value += "passphrase";
    return value.slice(0, schema.maxLength ?? 400);
  }

  function object(schema, depth) {
    const made = {};
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      if (schema.required?.includes(name) || random.chance(0.4)) made[name] = valid(property, depth + 1);
    return made;
  }

  function valid(schema, depth = 0) {
    if (schema.$ref) return valid(resolve(schema.$ref), depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return valid(random.pick(choices), depth);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => valid(part, depth)));
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
    if (type === "object" || schema.properties) return depth > 4 ? {} : object(schema, depth);
    if (type === "array") {
      const count = Math.min((schema.minItems ?? 0) + random.below(3), schema.maxItems ?? 3);
      return Array.from({ length: count }, () => valid(schema.items ?? {}, depth + 1));
    }
    if (type === "integer" || type === "number") return number({ ...schema, type });
    if (type === "boolean") return random.chance(0.5);
    if (type === "null") return null;
    return text(schema);
  }

  const anything = () => random.pick([null, true, [], {}, [[]], { a: { b: 1 } }, ...texts, ...numbers]);

  // The value with one part that another value has replaced, or that is gone or one more.
  function nearly(value) {
    if (value === null || typeof value !== "object" || random.chance(0.2)) return anything();
    const keys = Object.keys(value);
    const key = random.pick(keys.length > 0 ? keys : ["unknown"]);
    const changed = Array.isArray(value) ? [...value] : { ...value };
    if (random.chance(0.2) && !Array.isArray(changed)) delete changed[key];
    else if (random.chance(0.2)) changed[Array.isArray(changed) ? changed.length : "unknownMember"] = anything();
    else changed[key] = nearly(value[key] ?? null);
    return changed;
  }

  return { valid, nearly, anything };
}
