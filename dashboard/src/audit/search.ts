import { isDay } from '../kit/day.ts';
import { isOneOf } from '../kit/one-of.ts';

const classes = ['admin', 'data', 'auth', 'system'] as const;
const outcomes = ['succeeded', 'denied', 'failed'] as const;
const channels = ['api', 'dashboard', 'sftp', 'cli'] as const;

export type AuditSearch = {
  readonly tab?: 'exports';
  readonly scope?: 'organization';
  readonly action?: string;
  readonly class?: (typeof classes)[number];
  readonly outcome?: (typeof outcomes)[number];
  readonly channel?: (typeof channels)[number];
  readonly actor_id?: string;
  readonly target_id?: string;
  readonly ip?: string;
  readonly request_id?: string;
  readonly from?: string;
  readonly to?: string;
  readonly hide_reads?: boolean;
  readonly live?: boolean;
  /** The entry that is open beside the list. */
  readonly open?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readAuditSearch = (search: Readonly<Record<string, unknown>>): AuditSearch => ({
  ...(search.tab === 'exports' ? { tab: search.tab } : {}),
  ...(search.scope === 'organization' ? { scope: search.scope } : {}),
  ...textOf('action', search.action),
  ...(isOneOf(classes, search.class) ? { class: search.class } : {}),
  ...(isOneOf(outcomes, search.outcome) ? { outcome: search.outcome } : {}),
  ...(isOneOf(channels, search.channel) ? { channel: search.channel } : {}),
  ...textOf('actor_id', search.actor_id),
  ...textOf('target_id', search.target_id),
  ...textOf('ip', search.ip),
  ...textOf('request_id', search.request_id),
  ...(isDay(search.from) ? { from: search.from } : {}),
  ...(isDay(search.to) ? { to: search.to } : {}),
  ...(search.hide_reads === true ? { hide_reads: true } : {}),
  ...(search.live === true ? { live: true } : {}),
  ...textOf('open', search.open),
});

function textOf<N extends string>(name: N, value: unknown): { readonly [name in N]?: string } {
  return (typeof value === 'string' && value.length <= 300 ? { [name]: value } : {}) as { [name in N]?: string };
}
