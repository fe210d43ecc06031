/** Where somebody acts: in an organization as a whole, or in one of its workspaces. */
export type Scope = OrganizationScope | WorkspaceScope;

/**
 * What belongs to the whole organization: members, billing, sign-in. The data of its workspaces are not seen from here.
 */
export type OrganizationScope = { readonly organizationId: string; readonly workspaceId: null };

/** One workspace, with what is known of it. Nothing of other workspaces is seen from here. */
export type WorkspaceScope = {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly timeZone: string;
  readonly language: 'en' | 'pt-BR';
  readonly isArchived: boolean;
  /** Counts changes of who may do what in the workspace, as of when it was read. */
  readonly authEpoch: number;
};

/** Which of the two a route wants. */
export type ScopeKind = 'organization' | 'workspace';
export type ScopeOf<K extends ScopeKind> = { organization: OrganizationScope; workspace: WorkspaceScope }[K];

export function scopeKind({ workspaceId }: Pick<Scope, 'workspaceId'>): ScopeKind {
  return workspaceId === null ? 'organization' : 'workspace';
}
