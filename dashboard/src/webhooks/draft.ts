import { readHeaders, type Webhook } from './webhook.ts';

/** A webhook as it is typed. */
export type Draft = {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly rate: string;
  readonly headers: string;
  /** Whether none of its own headers are to be sent any more, where none are written. */
  readonly dropsHeaders: boolean;
};

export const emptyDraft: Draft = {
  url: '',
  description: '',
  events: ['*'],
  rate: '',
  headers: '',
  dropsHeaders: false,
};

export const draftOf = ({ url, description, events, rate_limit: rate }: Webhook): Draft => ({
  ...emptyDraft,
  url,
  description: description ?? '',
  events,
  rate: rate === null ? '' : String(rate),
});

/** What the API is sent. Headers that are not written stay as they are, unless they are dropped. */
export function bodyOf({ url, description, events, rate, headers, dropsHeaders }: Draft) {
  const own = readHeaders(headers) ?? (dropsHeaders ? {} : null);
  return {
    url: url.trim(),
    events: [...events],
    description: description.trim() || null,
    rate_limit: rate === '' ? null : Number(rate),
    ...(own ? { headers: own } : {}),
  };
}
