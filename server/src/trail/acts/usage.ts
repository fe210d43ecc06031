import { Type } from 'typebox';
import { act } from './act.ts';
import { oneOf, text } from './fields.ts';

const ofQuota = {
  resource: text,
  of: oneOf(['workspace', 'organization']),
  percent: Type.Integer(),
  limit: Type.Integer(),
  used: Type.Integer(),
  resets_at: text,
};

export const usageActs = {
  'usage-limit-warning': act({
    means: 'Four fifths of what may be used in the month are used.',
    ...{ readBy: 'view_usage', audit: 'system', reach: 'webhooks', byDefault: true },
    payload: ofQuota,
  }),
  'usage-limit-reached': act({
    means: 'What may be used in the month is used up.',
    ...{ readBy: 'view_usage', audit: 'system', reach: 'webhooks', byDefault: true },
    payload: ofQuota,
  }),
  'usage-record-download': act({
    ...{ means: 'The log of usage was downloaded.', readBy: 'view_usage_logs', audit: 'data', reach: 'audit' },
  }),
  'invoice-issuance': act({
    ...{ means: 'An invoice was issued.', readBy: 'view_invoices', audit: 'system', reach: 'people', byDefault: true },
    payload: { number: text, month: text, currency: text, total_cents: Type.Integer() },
  }),
} as const;
