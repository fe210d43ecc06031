// Of credentials that act as whoever made them, in one workspace. Their queries call the workspace w, its organization
// o, and the maker u.
import { sql } from 'kysely';
import type { Actor, Principal } from '../actor.ts';
import { permissionsOf, type Role } from '../authorize.ts';
import { type Allowed, type AllowedTexts, readAllowed } from '../ip-rules.ts';
import type { WorkspaceScope } from '../scope.ts';
import { hasFactor } from './session.ts';

/** What is read of the workspace and of its organization. */
export const placeColumns = [
  ...(['w.organization_id', 'w.id as workspace_id', 'w.time_zone', 'w.language', 'w.status', 'w.auth_epoch'] as const),
  'o.status as organization_status',
] as const;

/** The roles that the maker has there now. */
export const makerRoles = sql<Role[]>`(
  select coalesce(array_agg(g.role), '{}') from grants as g
  where g.user_id = u.id and g.organization_id = o.id and (g.workspace_id is null or g.workspace_id = w.id))`;

/** Whether the maker signs in through an identity provider of the organization, whose second factor it is. */
const signsInElsewhere = sql<boolean>`exists (
  select from sso_identities as i join sso_connections as c on c.id = i.connection_id
  where i.user_id = u.id and c.organization_id = o.id and c.status = 'active')`;

/** Whether the maker may come in: is active, and has the second factor that the organization wants. */
export const mayComeIn = sql<boolean>`(u.status = 'active'
  and (o.second_factor = 'optional' or ${hasFactor(sql.ref('u.id'))} or ${signsInElsewhere}))`;

/** A row of `placeColumns`, `makerRoles` and `selectAllowed`. */
type Made = {
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly time_zone: string;
  readonly language: string;
  readonly status: string;
  readonly auth_epoch: number;
  readonly organization_status: string;
  readonly roles: readonly Role[];
  readonly allowed: AllowedTexts;
};

type Credential = {
  readonly actor: Actor & { readonly id: string };
  /** What it may at most; null for all that its maker's roles may. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: Date | null;
};

/** The principal of a credential; undefined when its maker has no role there any more. */
export function madePrincipal(
  row: Made,
  { actor, scopes, expiresAt }: Credential,
): Principal<WorkspaceScope> | undefined {
  if (row.roles.length === 0) return undefined;
  const allowed: Allowed = readAllowed(row.allowed);
  return {
    credentialId: actor.id,
    authenticatedAt: null,
    allowed,
    actor,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    timeZone: row.time_zone,
    language: row.language as 'en' | 'pt-BR',
    isArchived: row.status === 'archived',
    isSuspended: row.organization_status === 'suspended',
    permissions: permissionsOf(row.roles, scopes),
    expiresAt: expiresAt?.getTime() ?? null,
    authEpoch: row.auth_epoch,
  };
}
