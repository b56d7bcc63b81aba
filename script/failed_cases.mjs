// The failed cases in results of ctest, with what their programs printed: for the end of script/test_report.mjs.

const kept_lines = 30;
const kept_report_lines = 40;
const report = /^(?:==\d+==\s*)?(?:ERROR: (?:Address|Leak)Sanitizer|WARNING: ThreadSanitizer)|: runtime error: /;

function endOf(lines) {
  const omitted = lines.length - kept_lines;
  return omitted <= 0 ? lines : [`(${omitted} lines before)`, ...lines.slice(omitted)];
}

function reportIn(lines) {
  const at = lines.findIndex((line) => report.test(line));
  return at < 0 ? undefined : lines.slice(at, at + kept_report_lines);
}

// What each failed case printed, and the case in which the program died. With --gtest_brief=1 no case is announced: then what
// was printed since the end of the case before.
function gtestFailures(lines) {
  const failures = [];
  let from = 0;
  let running = "";
  lines.forEach((line, at) => {
    const run = /^\[ RUN\s+\] (\S+)/.exec(line);
    const end = /^\[\s+(OK|FAILED|SKIPPED)\s+\] ([^\s,]+).* \(\d+ ms\)$/.exec(line);
    if (!run && !end) return;
    if (end?.[1] === "FAILED") failures.push({ name: end[2], lines: endOf(lines.slice(from, at)) });
    from = at + 1;
    running = run ? run[1] : "";
  });
  const rest = lines.slice(from);
  const found = reportIn(rest);
  if (running !== "") failures.push({ name: `${running} (did not end)`, lines: found ?? endOf(rest) });
  else if (found && from > 0) failures.push({ name: "(after the last case)", lines: found });
  return failures;
}

// The cases that node reports as "not ok", with their diagnostics, without those that failed only by a case inside.
function nodeFailures(lines) {
  const failures = [];
  lines.forEach((line, at) => {
    const failed = /^(\s*)not ok \d+ - (.*)$/.exec(line);
    if (!failed || / # (?:SKIP|TODO)\b/.test(failed[2])) return;
    const diagnostic = [];
    if (lines[at + 1] === `${failed[1]}  ---`)
      for (const text of lines.slice(at + 2)) {
        if (text === `${failed[1]}  ...`) break;
        diagnostic.push(text.slice(failed[1].length + 2));
      }
    if (diagnostic.some((text) => text === "failureType: 'subtestsFailed'")) return;
    failures.push({ name: failed[2], lines: diagnostic.slice(0, kept_report_lines) });
  });
  return failures;
}

const hasFailed = ({ status, message }) => status === "fail" || (status === "notrun" && message.startsWith("Unable to find"));

// Returns the failed cases of entries of ctest: {program, name, lines}. `name` is empty if the program reported no failed case.
export function failedCasesOf(entries) {
  return entries.filter(hasFailed).flatMap(({ name: program, output, message }) => {
    const lines = output.trimEnd().split("\n");
    const cases = [...gtestFailures(lines), ...nodeFailures(lines)];
    const whole = { name: "", lines: reportIn(lines) ?? endOf(output.trim() === "" ? [message || "(no output)"] : lines) };
    return (cases.length > 0 ? cases : [whole]).map((one) => ({ program, ...one }));
  });
}

// The text that names the failed cases, empty if none failed. The names are repeated where they do not fit on a screen.
export function failuresText(entries) {
  const failed = failedCasesOf(entries);
  if (failed.length === 0) return "";
  const titleOf = ({ program, name }) => (name === "" || program.endsWith(name) ? program : `${program}: ${name}`);
  const blocks = failed.map((one) => `-- ${titleOf(one)}\n${one.lines.map((line) => `   ${line}`.trimEnd()).join("\n")}\n`);
  const names = failed.length > 1 ? `failed:\n${failed.map((one) => `  ${titleOf(one)}\n`).join("")}` : "";
  return `failed cases, with the end of their output:\n${blocks.join("")}${names}`;
}
