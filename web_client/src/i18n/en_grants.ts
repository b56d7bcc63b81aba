// Texts of roles for collections.
export const grants = {
  action: "Members",
  title: (name: string) => `Members of ${name}`,
  text: "They have this role for the collection and those inside it, besides their role for the library.",
  none: "Nobody has a role for this collection alone.",
  name: "Name of the user",
  kind: "Give the role to",
  user: "A user",
  group: "A group",
  groupName: (provider: string) => `Name of the group at ${provider}`,
  groupOf: "Group",
  add: "Add",
  close: "Close",
  roleOf: (name: string) => `Role of ${name} for the collection`,
  remove: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} has no role for the collection any more`,
};
