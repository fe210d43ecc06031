import { type ReactNode, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Checkbox, Field, Input, Select } from '../kit/field.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { ContractColumn, ContractTable } from './contract.ts';
import { correctionWords } from './correction-words.ts';
import {
  type ColumnField,
  columnTypes,
  columnValue,
  dateForms,
  guessKinds,
  isDated,
  isNumeric,
  type TableField,
  tableValue,
} from './corrections.ts';
import { sayReason } from './reason-words.ts';
import type { Guess } from './report.ts';
import { useTypeName } from './types.tsx';
import { dataWords } from './words.ts';

/** In place of a date: known later than its row, and no date says when. No column is called so. */
const later = ' ';

export type ColumnValues = Readonly<Partial<Record<ColumnField, string | boolean>>>;
export type TableValues = Readonly<Record<TableField, string>>;

/** What inference can get wrong about a column, with why it says so. `onCorrect` gets what the column is to say. */
export function CorrectColumn({
  tables,
  table,
  column,
  guesses,
  onCorrect,
  onClose,
}: {
  readonly tables: readonly ContractTable[];
  readonly table: ContractTable;
  readonly column: ContractColumn;
  readonly guesses: readonly Guess[];
  onCorrect(values: ColumnValues): void;
  onClose(): void;
}) {
  const correction = useWords(correctionWords);
  const c = useWords(common);
  const [draft, setDraft] = useState<ColumnValues>({});
  const text = (field: ColumnField) => String(draft[field] ?? columnValue(column, field));
  const isOn = (field: ColumnField) => (draft[field] ?? columnValue(column, field)) === true;
  const set = (field: ColumnField) => (value: string | boolean) =>
    setDraft((before) => ({ ...before, [field]: value }));
  const whyOf = useWhy(guesses);
  const typeName = useTypeName();
  /** What a field means, and below it why it says what it does. */
  const meaning = (field: ColumnField, said: string) => {
    const why = whyOf(field);
    return (
      <>
        {said}
        {why && <span className="block">{why}</span>}
      </>
    );
  };
  const keys = tables.flatMap(({ name, columns }) => {
    const [key, ...more] = columns.filter(({ isKey }) => isKey);
    return key && more.length === 0 && !(name === table.name && key.name === column.name)
      ? [`${name}.${key.name}`]
      : [];
  });
  const dates = table.columns.filter(({ name, type }) => isDated(type) && name !== column.name).map(({ name }) => name);
  const dated = isDated(text('type'));
  const numeric = isNumeric(text('type'));
  const named = !isOn('isKey') && ['string', 'integer'].includes(text('type'));
  const boxes = (
    [
      ...(['isKey', 'isPersonal'] as const),
      ...(named ? (['isIdentifier'] as const) : []),
      ...(dated ? (['isPlanned'] as const) : []),
    ] as const
  ).map((field) => (
    <div key={field}>
      <Checkbox
        label={correction.fields[field]}
        checked={isOn(field)}
        onChange={({ target }) => set(field)(target.checked)}
      />
      <div className="pl-6 text-ink3 text-meta">{meaning(field, correction.fieldHints[field])}</div>
    </div>
  ));
  return (
    <CorrectDialog
      title={correction.correctOf(`${table.name}.${column.name}`)}
      onClose={onClose}
      onDone={() =>
        onCorrect({
          ...draft,
          ...(!dated && { format: undefined, isPlanned: undefined }),
          ...(!named && { isIdentifier: undefined }),
          ...(!numeric && { decimalSeparator: undefined, minimum: undefined, maximum: undefined }),
        })
      }
    >
      <Field label={correction.fields.type} hint={dated ? undefined : whyOf('type')}>
        <Choice values={columnTypes} nameOf={typeName} value={text('type')} onValue={set('type')} />
      </Field>
      {dated && (
        <Field label={correction.fields.format} hint={whyOf('format')}>
          <Choice none={correction.isoDates} values={dateForms} value={text('format')} onValue={set('format')} />
        </Field>
      )}
      {numeric && (
        <Field label={correction.fields.decimalSeparator} hint={correction.fieldHints.decimalSeparator}>
          <Choice
            none={correction.decimalPoint}
            values={[',']}
            value={text('decimalSeparator')}
            onValue={set('decimalSeparator')}
          />
        </Field>
      )}
      {numeric && (
        <div className="grid grid-cols-2 gap-3">
          {(['minimum', 'maximum'] as const).map((bound) => (
            <Field key={bound} label={correction.fields[bound]} hint={whyOf(bound)} isOptional>
              <Input type="number" step="any" value={text(bound)} onChange={({ target }) => set(bound)(target.value)} />
            </Field>
          ))}
        </div>
      )}
      <Field label={correction.fields.reference} hint={meaning('reference', correction.fieldHints.reference)}>
        <Choice none={c.none} values={keys} value={text('reference')} onValue={set('reference')} />
      </Field>
      {boxes}
      <Field
        label={correction.fields.knownFrom}
        hint={meaning('knownFrom', dated ? correction.knownFromOfDates : correction.fieldHints.knownFrom)}
      >
        <Choice
          none={correction.knownAtOnce}
          values={[...dates, later]}
          nameOf={(name) => (name === later ? correction.knownLater : name)}
          value={text('knownFrom') || (isOn('isMutable') ? later : '')}
          onValue={(from) =>
            setDraft((was) => ({ ...was, knownFrom: from === later ? '' : from, isMutable: from === later }))
          }
        />
      </Field>
      <Field label={correction.fields.unit} isOptional>
        <Input value={text('unit')} maxLength={60} onChange={({ target }) => set('unit')(target.value.trimStart())} />
      </Field>
    </CorrectDialog>
  );
}

/** What inference can get wrong about a table. */
export function CorrectTable({
  table,
  guesses,
  onCorrect,
  onClose,
}: {
  readonly table: ContractTable;
  readonly guesses: readonly Guess[];
  onCorrect(values: Partial<TableValues>): void;
  onClose(): void;
}) {
  const w = useWords(dataWords);
  const correction = useWords(correctionWords);
  const [draft, setDraft] = useState<Partial<TableValues>>({});
  const whyOf = useWhy(guesses);
  const kinds = Object.entries(w.kinds).map(([value, label]) => ({ value, label }));
  const dates = table.columns.filter(({ type }) => isDated(type)).map(({ name }) => name);
  return (
    <CorrectDialog title={correction.correctOf(table.name)} onClose={onClose} onDone={() => onCorrect(draft)}>
      <Field label={correction.fields.entityKind} hint={whyOf('entityKind')}>
        <Select
          options={[{ value: '', label: correction.unsaid }, ...kinds]}
          value={draft.entityKind ?? tableValue(table, 'entityKind')}
          onValue={(entityKind) => setDraft((before) => ({ ...before, entityKind }))}
        />
      </Field>
      <Field label={correction.fields.eventTime} hint={whyOf('eventTime') ?? correction.fieldHints.eventTime}>
        <Choice
          none={correction.noEventTime}
          values={dates}
          value={draft.eventTime ?? tableValue(table, 'eventTime')}
          onValue={(eventTime) => setDraft((before) => ({ ...before, eventTime }))}
        />
      </Field>
    </CorrectDialog>
  );
}

function CorrectDialog({
  title,
  onDone,
  onClose,
  children,
}: {
  readonly title: string;
  onDone(): void;
  onClose(): void;
  readonly children: ReactNode;
}) {
  const correction = useWords(correctionWords);
  const c = useWords(common);
  return (
    <Dialog title={title} description={correction.correctBody} isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          onDone();
          onClose();
        }}
      >
        {children}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button kind="primary" submits>
            {correction.noteCorrection}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** A choice among names; what is said now stays one of them, although it could not be chosen anew. */
function Choice({
  none,
  values,
  nameOf = (name) => name,
  value,
  onValue,
}: {
  readonly none?: string;
  readonly values: readonly string[];
  readonly nameOf?: (value: string) => string;
  readonly value: string;
  onValue(value: string): void;
}) {
  const [before] = useState(value);
  const named = new Set([...(before === '' ? [] : [before]), ...values]);
  const options = Array.from(named, (name) => ({ value: name, label: nameOf(name) }));
  return (
    <Select
      options={none === undefined ? options : [{ value: '', label: none }, ...options]}
      value={value}
      onValue={onValue}
    />
  );
}

function useWhy(guesses: readonly Guess[]) {
  const w = useWords(dataWords);
  const format = useFormat();
  return (field: ColumnField | TableField) => {
    const guess = guesses.find(({ kind }) => kind === guessKinds[field]);
    const sure = w.confidence[(guess?.confidence ?? 'low') as keyof typeof w.confidence];
    return (
      guess &&
      `${sure}: ${guess.applied === false ? `${guess.value}; ${w.remark.toLowerCase()}: ` : ''}${sayReason(guess, format)}`
    );
  };
}
