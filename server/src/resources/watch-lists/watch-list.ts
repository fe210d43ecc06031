import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { WatchListEntries, WatchListMoves, WatchLists } from '../../schema/tables.ts';
import { failureSchema } from '../job.ts';
import { entryExample, moveExample, watchListExample } from './example.ts';

export type WatchListRow = Selectable<WatchLists>;
export type EntryRow = Selectable<WatchListEntries>;
/** With the key of whom it is of. */
export type MoveRow = Selectable<WatchListMoves> & { readonly key: string };

/** Keys of a request, entries of a list, and lists of a workspace. */
export const keysMax = 10_000;
export const entriesMax = 50_000;
export const listsMax = 100;
/** Characters of a key. */
export const keyLengthMax = 1_000;
/** Moves of one rescoring that have an event each: of more, one event tells how many there are. */
export const movesToldMax = 20;
/** Scores that an entry keeps, without those that are as the one before. */
export const historyMax = 20;

export const entryStatuses = ['waiting', 'scored', 'unknown', 'refused'] as const;
export type EntryStatus = (typeof entryStatuses)[number];
export const causes = ['data', 'time', 'version'] as const;
export type Cause = (typeof causes)[number];

const integer = Type.Integer();
const text = Type.String();
const moment = (description: string) => Type.String({ description });

export const thresholdSaid =
  'By how much a score must differ from the one that was told last to have moved: in its own unit, or as a share of that one. Null: who goes to another band, or class, has moved.';

export const thresholdSchema = Type.Union(
  [
    Type.Object(
      { difference: Type.Number({ exclusiveMinimum: 0 }) },
      { title: 'MoveByDifference', additionalProperties: false },
    ),
    Type.Object({ share: Type.Number({ exclusiveMinimum: 0 }) }, { title: 'MoveByShare', additionalProperties: false }),
  ],
  { description: thresholdSaid },
);

export const watchListSchema = answerOf('WatchList', watchListExample, {
  id: text,
  name: text,
  model_id: text,
  alias: text,
  alias_version_id: nullable(
    Type.String({
      description: 'The version that the alias points at; null where the alias is gone, and nothing is scored.',
    }),
  ),
  table: Type.String({ description: 'Whose keys the entries are.' }),
  is_personal: Type.Boolean({ description: 'Whether the keys say who people are.' }),
  threshold: nullable(thresholdSchema),
  field: nullable(Type.String({ description: 'The field of the answers that is followed; null before the first.' })),
  entries: objectOf('WatchListCounts', {
    total: integer,
    scored: integer,
    unknown: Type.Integer({ description: 'Whom the data do not have. Once they do, they are scored.' }),
    refused: Type.Integer({ description: 'What cannot be a key of the table.' }),
    waiting: Type.Integer({ description: 'Not looked at yet.' }),
  }),
  moves: integer,
  last_moved_at: nullable(text),
  version_id: nullable(Type.String({ description: 'Of the newest rescoring; null before the first.' })),
  snapshot_id: nullable(text),
  as_of: nullable(moment('The moment of the newest rescoring of all entries.')),
  is_due: Type.Boolean({
    description: 'Whether a rescoring is under way, or begins soon: of a new day, version or state of the data.',
  }),
  failure: nullable(failureSchema),
  created_by: text,
  created_at: text,
});

export const entrySchema = answerOf('WatchListEntry', entryExample, {
  id: text,
  key: text,
  status: Type.String({
    enum: [...entryStatuses],
    description:
      'waiting: not looked at yet; unknown: the data do not have it, or do not have it yet; refused: it cannot be a key of the table.',
  }),
  score: nullable(
    Type.Number({
      description:
        'Of 0 to 1,000 where the model has one, else its probability or number; of a class, its probability.',
    }),
  ),
  band: nullable(Type.String({ description: 'The risk_band, or the class; null where the model has neither.' })),
  as_of: nullable(text),
  told: nullable(
    objectOf(
      'ToldScore',
      { score: Type.Number(), band: nullable(text), at: text },
      { description: 'What its next move is held against: of its last move, or its first score.' },
    ),
  ),
  history: Type.Array(objectOf('ScorePoint', { at: text, score: Type.Number() }), {
    description: `Its newest ${historyMax} scores that differ from the one before, oldest first.`,
  }),
  created_at: text,
});

const scored = (title: string) => objectOf(title, { score: Type.Number(), band: nullable(text) });

export const moveSchema = answerOf('WatchListMove', moveExample, {
  id: text,
  entry_id: text,
  key: text,
  at: moment('The moment of the rescoring that found it.'),
  from: scored('MovedFrom'),
  to: scored('MovedTo'),
  because: Type.String({
    enum: [...causes],
    description:
      'What was otherwise than at the rescoring before. version: the alias points at another version, so that it need not be the entity that has changed; data: newer data, by the same version; time: neither, but another day.',
  }),
  from_version_id: text,
  version_id: text,
  snapshot_id: text,
});

/** A list with what is counted of it. */
export type ListedRow = WatchListRow & {
  readonly total: number;
  readonly scored: number;
  readonly unknown: number;
  readonly refused: number;
  readonly waiting: number;
  readonly moves: number;
  readonly last_moved_at: Date | null;
  readonly is_due: boolean;
  readonly alias_version_id: string | null;
};

export function presentList(row: ListedRow) {
  const { total, scored, unknown, refused, waiting } = row;
  return {
    ...{ id: row.id, name: row.name, model_id: row.model_id, alias: row.alias },
    alias_version_id: row.alias_version_id,
    ...{ table: row.entity_table, is_personal: row.is_personal, threshold: row.threshold, field: row.field },
    entries: { total, scored, unknown, refused, waiting },
    moves: row.moves,
    last_moved_at: row.last_moved_at?.toISOString() ?? null,
    ...{ version_id: row.version_id, snapshot_id: row.snapshot_id, as_of: row.as_of?.toISOString() ?? null },
    ...{ is_due: row.is_due, failure: row.failure, created_by: row.created_by },
    created_at: row.created_at.toISOString(),
  };
}

export function presentEntry(row: EntryRow) {
  return {
    ...{ id: row.id, key: row.key, status: row.status, score: row.score, band: row.band },
    as_of: row.as_of?.toISOString() ?? null,
    told:
      row.told_score === null ? null : { score: row.told_score, band: row.told_band, at: row.told_at!.toISOString() },
    history: row.history,
    created_at: row.created_at.toISOString(),
  };
}

export function presentMove(row: MoveRow) {
  return {
    ...{ id: row.id, entry_id: row.entry_id, key: row.key, at: row.at.toISOString() },
    from: { score: row.from_score, band: row.from_band },
    to: { score: row.to_score, band: row.to_band },
    because: row.because,
    ...{ from_version_id: row.from_version_id, version_id: row.version_id, snapshot_id: row.snapshot_id },
  };
}
