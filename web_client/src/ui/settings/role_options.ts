// The roles as options of a select element.
import { html } from "lit";

import type { UserRole } from "../../api/types";
import { t } from "../../i18n";

function optionsOf(roles: readonly UserRole[], chosen: UserRole) {
  return roles.map((role) => html`<option value=${role} ?selected=${role === chosen}>${t.settings.roles[role]}</option>`);
}

// Of tokens and of grants on collections.
export function roleOptions(chosen: UserRole) {
  return optionsOf(["viewer", "editor", "admin"], chosen);
}

// Of users.
export function userRoleOptions(chosen: UserRole) {
  return optionsOf(Object.keys(t.settings.roles) as UserRole[], chosen);
}
