import { refuse } from '../errors.ts';
import type { Failure } from '../lib/failure.ts';

export const roles = ['creator', 'developer', 'analyst', 'billing_manager', 'auditor', 'member'] as const;
export type Role = (typeof roles)[number];

/** The roles that have each permission: the permission matrix of the service's specification. */
export const permissions = {
  create_workspaces: ['creator'],
  archive_workspaces: ['creator'],
  view_models: ['creator', 'developer', 'analyst', 'auditor', 'member'],
  manage_aliases: ['creator', 'developer'],
  invoke_predictions: ['creator', 'developer'],
  view_batches: ['creator', 'developer', 'analyst', 'member'],
  create_batches: ['creator', 'developer'],
  cancel_batches: ['creator', 'developer'],
  download_results: ['creator'],
  delete_results: ['creator'],
  view_files: ['creator', 'member'],
  upload_files: ['creator'],
  download_files: ['creator'],
  delete_files: ['creator'],
  manage_api_keys: ['creator', 'developer'],
  manage_webhooks: ['creator', 'developer'],
  view_usage: ['creator', 'developer', 'billing_manager'],
  view_invoices: ['creator', 'billing_manager'],
  view_usage_logs: ['creator', 'auditor'],
  view_activity_logs: ['creator', 'auditor'],
  manage_members: ['creator'],
  view_members: roles,
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type Permission = keyof typeof permissions;

export const permissionNames = Object.keys(permissions) as Permission[];

/** The permissions of these roles. `scopes` limits them to those for which a key was made; null does not limit them. */
export function permissionsOf(held: readonly Role[], scopes: readonly string[] | null): ReadonlySet<Permission> {
  return new Set(
    permissionNames.filter(
      (name) =>
        (permissions[name] as readonly Role[]).some((role) => held.includes(role)) &&
        (scopes === null || scopes.includes(name)),
    ),
  );
}

/** Whether these are all rights that only Creators have: what a scope narrows is a Creator's no more. */
export function isCreator(held: ReadonlySet<Permission>): boolean {
  return permissionNames.every((name) => permissions[name].length > 1 || held.has(name));
}

/** The refusal of a caller without a single one of the permissions; null for a caller with one. */
export function refusalWithout(held: ReadonlySet<Permission>, anyOf: readonly Permission[]): Failure | null {
  if (anyOf.some((wanted) => held.has(wanted))) return null;
  const able = roles.filter((role) => anyOf.some((wanted) => (permissions[wanted] as readonly Role[]).includes(role)));
  const named = anyOf.map((wanted) => wanted.replaceAll('_', ' ')).join(' nor ');
  const may = anyOf.length > 1 ? 'may neither' : 'may not';
  const because = { code: 'roles_needed', roles: able };
  return refuse('permission_denied', `you ${may} ${named}; roles that may: ${able.join(', ')}`, { because });
}
