import { Failure } from '../lib/failure.ts';

export const roles = ['creator', 'developer', 'analyst', 'billing_manager', 'auditor', 'member'] as const;
export type Role = (typeof roles)[number];

/** The printed permission matrix: which roles have which right. */
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

/** What a bearer of these roles may do, narrowed by a key's scopes where it has any. */
export function permissionsOf(held: readonly Role[], scopes: readonly string[] | null): ReadonlySet<Permission> {
  return new Set(
    permissionNames.filter(
      (name) =>
        (permissions[name] as readonly Role[]).some((role) => held.includes(role)) &&
        (scopes === null || scopes.includes(name)),
    ),
  );
}

/** Throws Failure 'forbidden'. */
export function authorize(held: ReadonlySet<Permission>, wanted: Permission): void {
  if (held.has(wanted)) return;
  throw new Failure(
    'forbidden',
    `this key may not ${wanted.replaceAll('_', ' ')}; roles that may: ${permissions[wanted].join(', ')}`,
    { reason: 'permission_denied' },
  );
}
