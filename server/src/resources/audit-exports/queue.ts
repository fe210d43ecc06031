export type ExportJob = {
  readonly id: string;
  readonly organization_id: string;
  /** Null for an export of what is done in the organization as a whole. */
  readonly workspace_id: string | null;
};

export const auditExportQueue = 'audit-exports';
