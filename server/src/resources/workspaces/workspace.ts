export type NewWorkspace = {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly language: 'en' | 'pt-BR';
};

/** The data a workspace is read by: its newest snapshot, and the dictionary of the names in it. */
export type Data = { readonly snapshotId: string | null; readonly identifiersKey: string | null };
