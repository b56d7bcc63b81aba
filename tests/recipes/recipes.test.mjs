// docs/recipes: the thumbnailer as a desktop runs it, the script for Gitea, git diff of models, the request of the Nextcloud provider, and
// the unit of systemd.
// Without `php` the PHP files are checked for their structure only.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const program = process.env.VITRINE_PROGRAM;
if (!program) throw new Error("VITRINE_PROGRAM names the vitrine program to test");
const recipe = (name) => fileURLToPath(new URL(`../../docs/recipes/${name}`, import.meta.url));
const textOf = (name) => readFileSync(recipe(name), "utf8");
const { formats } = JSON.parse(readFileSync(new URL("../../loaders/formats.json", import.meta.url), "utf8"));
const extensions = formats.flatMap((format) => format.extensions);
const onPath = { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` };

describe("recipes", { concurrency: false }, () => {
  let folder, samples, server, url;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "vitrine-recipes-"));
    samples = join(folder, "samples");
    execFileSync(program, ["samples", samples]);
    server = spawn(program, ["serve", "--open", "--listen", "127.0.0.1:0", "--data", join(folder, "data"), "--gpu", "software"], { stdio: ["ignore", "pipe", "inherit"] });
    url = await new Promise((ready, failed) => {
      let output = "";
      server.stdout.on("data", (text) => {
        output += text;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
        if (found) ready(found[0]);
      });
      server.on("exit", () => failed(new Error(output)));
    });
  });

  after(async () => {
    const ended = new Promise((resolve) => server.on("exit", resolve));
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const sample = (name) => {
    const file = readdirSync(join(samples, name)).find((entry) => entry.startsWith(name.split("-")[0]));
    return join(samples, name, file);
  };
  const pngSize = (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

  it("is a unit that systemd and the program understand", (context) => {
    const unit = textOf("systemd/vitrine.service");
    const start = /^ExecStart=(.*)$/m.exec(unit)[1].split(" ");
    const config = join(folder, "vitrine.toml");
    writeFileSync(config, "io-threads = 3\n");
    const words = start.slice(1).map((word) => (word === "/etc/vitrine.toml" ? config : word));
    const printed = JSON.parse(execFileSync(program, [...words, "--open", "--print-config"], { encoding: "utf8" }));
    assert.deepEqual([printed.threads.io, printed.data, printed.logFormat], [3, "/var/lib/vitrine", "json"]);
    const copy = join(folder, "vitrine.service");
    writeFileSync(copy, unit.replace(start[0], program));
    const verified = spawnSync("systemd-analyze", ["verify", copy], { encoding: "utf8" });
    if (verified.error?.code === "ENOENT") return context.skip("systemd-analyze is not installed");
    assert.equal(verified.stderr.split("\n").filter((line) => line.includes("vitrine")).join("\n"), "");
  });

  it("draw thumbnails as a desktop asks for them", () => {
    const entry = Object.fromEntries(textOf("thumbnailer/vitrine.thumbnailer").split("\n").filter((line) => line.includes("=")).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
    const image = join(folder, "thumbnail.png");
    const values = { "%i": sample("koi-glb"), "%o": image, "%s": "128" };
    const words = entry.Exec.split(" ").map((word) => word.replace(/%[ios]/g, (mark) => values[mark]));
    assert.equal(words[0], entry.TryExec);
    execFileSync(words[0], words.slice(1), { env: onPath });
    assert.deepEqual(pngSize(readFileSync(image)), [128, 128]);
    assert.notEqual(spawnSync(words[0], words.slice(1).map((word) => (word === values["%i"] ? "/dev/null" : word)), { env: onPath }).status, 0);
  });

  it("declare a type for each format", () => {
    const types = new Set(/MimeType=(.*)/.exec(textOf("thumbnailer/vitrine.thumbnailer"))[1].split(";").filter(Boolean));
    const declared = [...textOf("thumbnailer/vitrine.xml").matchAll(/<mime-type type="([^"]+)">(.*?)<\/mime-type>/g)];
    assert.deepEqual(new Set(declared.map(([, type]) => type)), types);
    const globs = declared.flatMap(([, , body]) => [...body.matchAll(/pattern="\*([^"]+)"/g)].map(([, pattern]) => pattern));
    assert.deepEqual(globs.sort(), [...extensions].sort());
    const provider = new RegExp(/MIME_TYPES = '\/(.*)\/'/.exec(textOf("nextcloud/ModelPreview.php"))[1].replaceAll("\\/", "/"));
    for (const type of types) assert.match(type, provider);
    const packages = join(folder, "mime", "packages");
    mkdirSync(packages, { recursive: true });
    copyFileSync(recipe("thumbnailer/vitrine.xml"), join(packages, "vitrine.xml"));
    const updated = spawnSync("update-mime-database", [join(folder, "mime")], { encoding: "utf8" });
    if (updated.error) return; // not installed
    assert.equal(updated.status, 0, updated.stderr);
    assert.match(readFileSync(join(folder, "mime", "globs2"), "utf8"), /model\/x-md5mesh:\*\.md5mesh/);
  });

  it("show models in Gitea", async () => {
    const sections = textOf("gitea/app.ini").split(/^\[markup\./m).slice(1);
    assert.ok(sections.length >= 5);
    for (const section of sections) {
      const extension = /FILE_EXTENSIONS = (\.\w+)/.exec(section)[1];
      assert.ok(extensions.includes(extension));
      assert.equal(/RENDER_COMMAND = "\/usr\/local\/bin\/vitrine-render (\w+)"/.exec(section)[1], extension.slice(1));
    }
    const render = (extension, input) => new Promise((resolve) => {
      const child = spawn(recipe("gitea/vitrine-render"), [extension], { env: { ...process.env, VITRINE_URL: url } });
      let output = "";
      child.stdout.on("data", (text) => (output += text));
      child.on("exit", (code) => resolve({ code, output }));
      child.stdin.end(input);
    });
    const shown = await render("glb", readFileSync(sample("koi-glb")));
    assert.equal(shown.code, 0);
    const image = Buffer.from(/src="data:image\/webp;base64,([^"]+)"/.exec(shown.output)[1], "base64");
    assert.equal(image.toString("latin1", 0, 4), "RIFF");
    const found = await render("obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 1\nmtllib missing.mtl\n");
    assert.match(found.output, /<img .*<pre>.*missing\.mtl.*<\/pre>/s);
    const wrong = await render("glb", "<script>");
    assert.equal(wrong.code, 0);
    assert.match(wrong.output, /cannot be shown: .*not JSON/);
    assert.doesNotMatch(wrong.output, /<script>/);
  });

  it("show differences of models in git", () => {
    const repository = join(folder, "repository");
    mkdirSync(repository);
    const git = (...words) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: repository, env: { ...onPath, GIT_CONFIG_GLOBAL: "/dev/null" }, encoding: "utf8" });
    git("init", "-q");
    for (const [, key, value] of textOf("README.md").matchAll(/^git config (\S+) "?([^"\n]+)"?$/gm)) git("config", key, value);
    assert.equal(git("config", "diff.vitrine.textconv").trim(), "vitrine inspect");
    copyFileSync(recipe("git/gitattributes"), join(repository, ".gitattributes"));
    copyFileSync(sample("koi-glb"), join(repository, "model.glb"));
    git("add", "-A");
    git("commit", "-q", "-m", "koi");
    copyFileSync(sample("flag-glb"), join(repository, "model.glb"));
    const difference = git("diff");
    assert.match(difference, /^-    "joints": 12,$/m);
    assert.match(difference, /^\+    "vertices": \d+,$/m);
    assert.doesNotMatch(difference, /Binary files/);
    const attributes = textOf("git/gitattributes").trim().split("\n");
    assert.deepEqual(attributes, extensions.map((extension) => `*${extension} diff=vitrine`));
  });

  it("send the request of the Nextcloud provider", async () => {
    for (const name of ["ModelPreview.php", "Application.php"]) {
      const file = recipe(`nextcloud/${name}`);
      const checked = spawnSync("php", ["-l", file], { encoding: "utf8" });
      if (!checked.error) assert.equal(checked.status, 0, checked.stdout);
      const code = readFileSync(file, "utf8").replace(/'(?:[^'\\]|\\.)*'|\/\*[^]*?\*\//g, "");
      for (const [open, close] of ["{}", "()", "[]"]) assert.equal(code.split(open).length, code.split(close).length, `${name}: ${open}${close}`);
    }
    const code = textOf("nextcloud/ModelPreview.php");
    for (const method of ["getMimeType(): string", "isAvailable(FileInfo $file): bool", "getThumbnail(File $file, int $maxX, int $maxY): ?IImage"])
      assert.ok(code.includes(`public function ${method}`), method); // OCP\Preview\IProviderV2
    const values = { "$file->getName()": "koi.glb", $side: "96" };
    const query = new URLSearchParams([.../http_build_query\(\[(.*)\]\)/.exec(code)[1].matchAll(/'(\w+)' => ('(\w+)'|[^,]+)/g)].map(([, name, value, text]) => [name, text ?? values[value]]));
    const path = /rtrim\(\$url, '\/'\) \. '([^']+)' \. \$query/.exec(code)[1];
    const response = await fetch(url + path + query, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: readFileSync(sample("koi-glb")) });
    assert.equal(response.status, 200);
    assert.deepEqual(pngSize(Buffer.from(await response.arrayBuffer())), [96, 96]);
  });
});
