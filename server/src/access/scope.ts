/** The scope in which somebody acts: an organization as a whole, or one of its workspaces. */
export type Scope = OrganizationScope | WorkspaceScope;

/** The organization as a whole: members, billing, sign-in. The data of its workspaces are not visible in this scope. */
export type OrganizationScope = { readonly organizationId: string; readonly workspaceId: null };

/** Oneself: one's own account, sign-in and sessions. Nothing of an organization is visible in this scope. */
export type UserScope = { readonly organizationId: null; readonly workspaceId: null };

/** One workspace and its settings. Nothing of other workspaces is visible in this scope. */
export type WorkspaceScope = {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly timeZone: string;
  readonly language: 'en' | 'pt-BR';
  readonly isArchived: boolean;
  /** The count of changes of rights in the workspace, when it was read. */
  readonly authEpoch: number;
};

export type AnyScope = Scope | UserScope;

/** The kind of scope that a route needs. */
export type ScopeKind = 'user' | 'organization' | 'workspace';
export type ScopeOf<K extends ScopeKind> = {
  user: UserScope;
  organization: OrganizationScope;
  workspace: WorkspaceScope;
}[K];

export function scopeKind({ organizationId, workspaceId }: AnyScope): ScopeKind {
  if (organizationId === null) return 'user';
  return workspaceId === null ? 'organization' : 'workspace';
}
