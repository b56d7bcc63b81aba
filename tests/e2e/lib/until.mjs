// Polls until the result is true; the tests have no fixed sleeps.
export async function until(ask, what, timeout = 60_000) {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${timeout} ms without result: ${typeof what === "function" ? what() : what}`);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}
