// The check of `vitrine doctor` that a certificate comes with those of its issuers.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { program } from "./support.mjs";

// As a public authority makes it: the certificate of the server is issued by one that is issued by a root.
test("doctor finds a certificate without its issuer", () => {
  const at = mkdtempSync(join(tmpdir(), "vitrine-chain-"));
  const openssl = (...words) => execFileSync("openssl", words, { cwd: at, stdio: "pipe" });
  const extensions = (name, lines) => writeFileSync(join(at, name), lines.join("\n"));
  extensions("authority.ext", ["basicConstraints=critical,CA:TRUE"]);
  extensions("server.ext", ["subjectAltName=DNS:localhost", "authorityInfoAccess=caIssuers;URI:http://authority.example/issuer.der"]);
  openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "root.key", "-out", "root.pem", "-days", "90", "-subj", "/CN=Root");
  for (const [name, issuer, extension, subject] of [["middle", "root", "authority.ext", "/CN=Middle"], ["server", "middle", "server.ext", "/CN=localhost"]]) {
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", subject);
    openssl("x509", "-req", "-in", `${name}.csr`, "-CA", `${issuer}.pem`, "-CAkey", `${issuer}.key`, "-CAcreateserial", "-out", `${name}.pem`, "-days", "60", "-extfile", extension);
  }
  writeFileSync(join(at, "chain.pem"), ["server.pem", "middle.pem"].map((name) => readFileSync(join(at, name), "utf8")).join(""));
  const certificateLine = (file) => {
    const { stdout } = spawnSync(program, ["doctor", "--tls-cert", join(at, file), "--tls-key", join(at, "server.key")], { encoding: "utf8", env: { ...process.env, SSL_CERT_FILE: join(at, "root.pem") } });
    return /^.* certificate .*$/m.exec(stdout)[0];
  };
  assert.match(certificateLine("server.pem"), /^WRONG .*the issuer of \/CN=localhost is missing/);
  assert.match(certificateLine("chain.pem"), /^ok /);
  rmSync(at, { recursive: true, force: true });
});
