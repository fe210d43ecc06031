import type { Schemas } from '@lastro/sdk';
import { Ledger } from '../kit/ledger.tsx';
import { Section } from '../kit/page.tsx';
import { Tag } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { sayField } from './field-words.ts';
import { inputChanges, isBreaking } from './input-changes.ts';
import { type Model, useVersion, useVersions, type Version } from './use-models.ts';
import { versionWords } from './version-words.ts';

type Field = Schemas['ModelField'];

/** What a version takes and answers, and how its inputs differ from those of the version before. */
export function SchemaTab({ model, version }: { readonly model: Model; readonly version: Version }) {
  const w = useWords(versionWords);
  const versions = useVersions(model.id);
  const before = versions.data?.find(({ number }) => number < version.number);
  const earlier = useVersion(model.id, before?.id);
  return (
    <>
      {before && earlier.data && (
        <Section title={w.differs(before.number)} className="!mt-0">
          <InputDifference before={earlier.data} after={version} />
        </Section>
      )}
      <Section title={w.inputs} className={before ? '' : '!mt-0'}>
        <Fields label={w.inputs} fields={version.inputs} />
      </Section>
      <Section title={w.outputs}>
        <Fields label={w.outputs} fields={version.outputs} />
      </Section>
    </>
  );
}

/** The inputs that came, went or changed. */
export function InputDifference({ before, after }: { readonly before: Version; readonly after: Version }) {
  const w = useWords(versionWords);
  const changes = inputChanges(before.inputs, after.inputs);
  if (changes.length === 0) return <p className="text-ink2">{w.same(before.number)}</p>;
  const said = {
    ...{ added: w.added, removed: w.gone, required: w.nowRequired },
    ...{ type: w.typeChanged, range: w.rangeNarrowed },
  } as const;
  return (
    <Ledger
      label={w.differs(before.number)}
      rows={changes}
      keyOf={({ name }) => name}
      columns={[
        {
          key: 'field',
          head: w.field,
          cell: ({ name }) => <code className="break-all font-mono text-meta">{name}</code>,
        },
        {
          key: 'change',
          head: w.about,
          cell: (change) => <Tag tone={isBreaking(change) ? 'bad' : 'good'}>{said[change.change]}</Tag>,
        },
        { key: 'breaks', head: w.forCallers, cell: (change) => isBreaking(change) && w.breaks },
      ]}
    />
  );
}

function Fields({ label, fields }: { readonly label: string; readonly fields: readonly Field[] }) {
  const w = useWords(versionWords);
  const format = useFormat();
  const hasImportance = fields.some(({ importance }) => importance !== undefined);
  return (
    <Ledger
      label={label}
      rows={fields}
      keyOf={({ name }) => name}
      columns={[
        {
          key: 'field',
          head: w.field,
          cell: ({ name, required, pii }) => (
            <span className="flex flex-wrap items-center gap-1.5">
              <code className="break-words font-mono text-meta">{name}</code>
              {required && label === w.inputs && <Tag>{w.required}</Tag>}
              {pii && <Tag>{w.personal}</Tag>}
            </span>
          ),
          below: typeOf,
        },
        {
          key: 'type',
          head: w.type,
          isMinor: true,
          cell: (field) => <span className="text-ink2">{typeOf(field)}</span>,
        },
        {
          key: 'about',
          head: w.about,
          cell: ({ description, enum: values }) => (
            <span className="block max-w-2xl break-words">
              {sayField(description, format.language)}
              {values && <span className="block text-ink3 text-meta">{values.slice(0, 30).join(' · ')}</span>}
            </span>
          ),
        },
        ...(fields.some(({ source }) => source)
          ? [
              {
                key: 'from',
                head: w.from,
                isMinor: true,
                cell: ({ source }: Field) =>
                  source && (
                    <code className="break-all font-mono text-ink2 text-meta">{`${source.table}.${source.column}`}</code>
                  ),
              },
            ]
          : []),
        ...(hasImportance
          ? [
              {
                key: 'importance',
                head: w.importance,
                isRight: true,
                isMinor: true,
                cell: ({ importance }: Field) => (importance === undefined ? '—' : format.percent(importance)),
              },
            ]
          : []),
      ]}
    />
  );
}

function typeOf({ type, items, format, unit, minimum, maximum }: Field): string {
  const range = minimum === undefined && maximum === undefined ? null : `${minimum ?? '−∞'} … ${maximum ?? '∞'}`;
  const listed = items && 'type' in items ? `${type} of ${String(items.type)}` : type;
  return [listed, format, unit, range].filter((part) => part).join(' · ');
}
