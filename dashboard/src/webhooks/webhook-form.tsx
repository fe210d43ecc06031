import type { ReactNode } from 'react';
import { Field, Input, TextArea } from '../kit/field.tsx';
import { useWords } from '../words/words.ts';
import { EventPicker } from './event-picker.tsx';
import { readHeaders, type Webhook } from './webhook.ts';
import { webhookWords } from './words.ts';

/** A webhook as it is typed. */
export type Draft = {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly rate: string;
  readonly headers: string;
};

export const emptyDraft: Draft = { url: '', description: '', events: ['*'], rate: '', headers: '' };

export const draftOf = ({ url, description, events, rate_limit: rate }: Webhook): Draft => ({
  url,
  description: description ?? '',
  events,
  rate: rate === null ? '' : String(rate),
  headers: '',
});

/** What the API is sent. Headers that are not written stay as they are. */
export function bodyOf({ url, description, events, rate, headers }: Draft) {
  const own = readHeaders(headers);
  return {
    url: url.trim(),
    events: [...events],
    description: description.trim() || null,
    rate_limit: rate === '' ? null : Number(rate),
    ...(own ? { headers: own } : {}),
  };
}

export function WebhookFields({
  draft,
  headerNames = [],
  onDraft,
  children,
}: {
  readonly draft: Draft;
  readonly headerNames?: readonly string[];
  onDraft(draft: Draft): void;
  readonly children?: ReactNode;
}) {
  const w = useWords(webhookWords);
  const set = (change: Partial<Draft>) => onDraft({ ...draft, ...change });
  return (
    <>
      <Field label={w.url} hint={w.urlHint}>
        <Input
          type="url"
          required
          maxLength={2000}
          placeholder="https://hooks.example.com/lastro"
          value={draft.url}
          onChange={(event) => set({ url: event.target.value })}
        />
      </Field>
      <Field label={w.note} isOptional>
        <Input
          maxLength={300}
          value={draft.description}
          onChange={(event) => set({ description: event.target.value })}
        />
      </Field>
      <div className="flex min-w-0 flex-col gap-1">
        <span className="font-medium text-body">{w.events}</span>
        <EventPicker value={draft.events} onValue={(events) => set({ events })} />
      </div>
      <Field
        label={w.headers}
        hint={headerNames.length > 0 ? w.headersNow(headerNames.join(', ')) : w.headersHint}
        isOptional
      >
        <TextArea
          rows={2}
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-meta"
          value={draft.headers}
          onChange={(event) => set({ headers: event.target.value })}
        />
      </Field>
      <Field label={w.rate} isOptional className="max-w-64">
        <Input
          type="number"
          min={1}
          max={1000}
          value={draft.rate}
          onChange={(event) => set({ rate: event.target.value })}
        />
      </Field>
      {children}
    </>
  );
}
