// Network namespaces in which servers run, on one bridge: a cut takes the server's interface from the bridge, so that packets vanish
// in both directions. Needs root, and a namespace of its own (`unshare --net`) whose interfaces end with it.
import { execFileSync, spawn } from "node:child_process";

import { sleep } from "./processes.mjs";

export const bridgeAddress = "10.77.0.1";

const ip = (...words) => execFileSync("ip", words);

export function makeBridge() {
  ip("link", "set", "lo", "up");
  ip("link", "add", "bridge0", "type", "bridge");
  ip("addr", "add", `${bridgeAddress}/24`, "dev", "bridge0");
  ip("link", "set", "bridge0", "up");
}

// number: from 2. -> { address, enter: words before a command, cut(), heal(), close() }
export async function makeNamespace(number) {
  const holder = spawn("unshare", ["--net", "sleep", "infinity"], { stdio: "ignore" });
  const name = `port${number}`;
  const address = `10.77.0.${number}`;
  const enter = ["nsenter", "--target", String(holder.pid), "--net"];
  await sleep(500); // until it has its namespace
  ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", String(holder.pid));
  const heal = () => ip("link", "set", name, "master", "bridge0", "up");
  heal();
  execFileSync(enter[0], [...enter.slice(1), "sh", "-c", `ip link set lo up && ip addr add ${address}/24 dev eth0 && ip link set eth0 up`]);
  return { address, enter, cut: () => ip("link", "set", name, "nomaster"), heal, close: () => holder.kill() };
}
