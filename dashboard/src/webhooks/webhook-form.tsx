import type { ReactNode } from 'react';
import { Checkbox, Field, Input, TextArea } from '../kit/field.tsx';
import { useWords } from '../words/words.ts';
import type { Draft } from './draft.ts';
import { EventPicker } from './event-picker.tsx';
import { webhookWords } from './words.ts';

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
      {headerNames.length > 0 && draft.headers.trim() === '' && (
        <Checkbox
          label={w.dropHeaders}
          checked={draft.dropsHeaders}
          onChange={({ target }) => set({ dropsHeaders: target.checked })}
        />
      )}
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
