import type { Schemas } from '@lastro/sdk';

export type AuditEntry = Schemas['AuditEntry'];
