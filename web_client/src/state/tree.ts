// The skeleton as rows of a tree, depth first, without collapsed rows and rows that a search does not match.
import type { Joint } from "../api/types";

export interface Row {
  joint: Joint;
  level: number; // from 1
  position: number; // among its siblings, from 1
  siblings: number;
  children: number;
  expanded: boolean;
  match: boolean;
}

interface Tree {
  roots: Joint[];
  children: Map<number, Joint[]>;
}

export function buildTree(joints: Joint[]): Tree {
  const known = new Set(joints.map((joint) => joint.index));
  const roots: Joint[] = [];
  const children = new Map<number, Joint[]>();
  for (const joint of joints) {
    const { parent } = joint;
    if (parent === null || parent === undefined || parent < 0 || parent === joint.index || !known.has(parent)) roots.push(joint);
    else children.set(parent, [...(children.get(parent) ?? []), joint]);
  }
  return { roots, children };
}

// Returns the joints to show for a search: the matches and all their ancestors. Null: no search.
function keptBySearch(joints: Joint[], text: string): { kept: Set<number>; matches: Set<number> } | null {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return null;
  const byIndex = new Map(joints.map((joint) => [joint.index, joint]));
  const matches = new Set(joints.filter((joint) => joint.name.toLowerCase().includes(wanted)).map((joint) => joint.index));
  const kept = new Set<number>();
  for (const index of matches) {
    let at = byIndex.get(index);
    while (at && !kept.has(at.index)) {
      kept.add(at.index);
      at = at.parent === null ? undefined : byIndex.get(at.parent);
    }
  }
  return { kept, matches };
}

export function visibleRows(joints: Joint[], collapsed: ReadonlySet<number>, search: string): Row[] {
  const tree = buildTree(joints);
  const found = keptBySearch(joints, search);
  const rows: Row[] = [];
  const shown = (list: Joint[]) => (found ? list.filter((joint) => found.kept.has(joint.index)) : list);
  const pending: { joint: Joint; level: number; position: number; siblings: number }[] = [];
  const push = (list: Joint[], level: number) => {
    for (let index = list.length - 1; index >= 0; index -= 1)
      pending.push({ joint: list[index] as Joint, level, position: index + 1, siblings: list.length });
  };
  push(shown(tree.roots), 1);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const children = shown(tree.children.get(next.joint.index) ?? []);
    const expanded = found !== null || !collapsed.has(next.joint.index);
    rows.push({ ...next, children: children.length, expanded, match: found?.matches.has(next.joint.index) ?? false });
    if (expanded) push(children, next.level + 1);
  }
  return rows;
}

export function matchCount(joints: Joint[], search: string): number {
  return keptBySearch(joints, search)?.matches.size ?? joints.length;
}
