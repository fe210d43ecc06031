import { Type } from 'typebox';
import { act } from './act.ts';
import { oneOf, orNull, text, texts } from './fields.ts';

const ofAudit = { readBy: 'view_activity_logs', audit: 'admin', reach: 'audit' } as const;

export const auditActs = {
  'audit-read': act({
    ...{ means: 'Entries of the audit trail were listed, or one was read.', ...ofAudit },
    payload: { filter: texts },
  }),
  'audit-export-request': act({
    ...{ means: 'An export of the audit trail was asked for.', ...ofAudit },
    payload: { format: text, from: orNull(text), to: orNull(text) },
  }),
  'audit-export-download': act({
    ...{ means: 'An export of the audit trail, or its manifest, was downloaded.', ...ofAudit },
    payload: { part: oneOf(['entries', 'manifest']) },
  }),
  'audit-redaction': act({
    means: 'The operator took the name, the addresses and the agents of a person out of entries of what they did.',
    ...ofAudit,
    payload: { entries: Type.Integer() },
  }),
  'audit-entry-expiry': act({
    means: 'Entries of the audit trail were dropped, as old as entries are kept; their leaves remain.',
    ...{ readBy: 'view_activity_logs', audit: 'system', reach: 'audit' },
    payload: { first_index: Type.Integer(), last_index: Type.Integer() },
  }),
} as const;
