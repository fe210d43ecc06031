export type NewWorkspace = {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly language: 'en' | 'pt-BR';
};

/** The current data of a workspace: its newest snapshot, and the storage key of the dictionary of names in it. */
export type Data = { readonly snapshotId: string | null; readonly identifiersKey: string | null };
