import type { Format } from '../words/format.ts';
import type { originWords } from './origin-words.ts';
import type { Run } from './use-runs.ts';

/** What a run was asked for, as it tells it itself and the version that it made does. */
export type Origin = Pick<
  Run,
  | 'created_by'
  | 'created_at'
  | 'snapshot_id'
  | 'snapshot_created_at'
  | 'data_until'
  | 'contract_number'
  | 'pretrain'
  | 'feedback'
  | 'gfm_version_id'
>;
/** `differs`: from the one before. */
export type OriginPart = { readonly text: string; readonly differs: boolean };

/**
 * Says in a few words what tells a run apart: its data and the options that are not the usual ones, and of an option
 * that the one before had, that this one has it not. `before`: the run of the same task before it, where it is known.
 */
export function sayOrigin(
  of: Origin,
  before: Origin | undefined,
  w: (typeof originWords)['en'],
  format: Format,
): readonly OriginPart[] {
  const option = (now: boolean, then: boolean | undefined, yes: string, no: string): OriginPart[] =>
    now || then ? [{ text: now ? yes : no, differs: then !== undefined && now !== then }] : [];
  const isOtherGraph = before !== undefined && before.gfm_version_id !== of.gfm_version_id;
  const graph = before?.gfm_version_id && isOtherGraph ? w.otherGfm : w.gfm;
  const parts: OriginPart[] = [
    {
      text: sayData(of, before, w, format),
      differs: before !== undefined && before.snapshot_id !== of.snapshot_id,
    },
    {
      text: w.contract(format.integer(of.contract_number)),
      differs: before !== undefined && before.contract_number !== of.contract_number,
    },
    ...option(of.pretrain, before?.pretrain, w.pretrain, w.noPretrain),
    ...option(of.feedback, before?.feedback, w.feedback, w.noFeedback),
    ...(of.gfm_version_id || before?.gfm_version_id
      ? [{ text: of.gfm_version_id ? graph : w.noGfm, differs: isOtherGraph }]
      : []),
  ];
  const different = parts.filter(({ differs }) => differs);
  const alike = parts.filter(({ differs }) => !differs);
  // First what a narrow screen has room for.
  if (before === undefined || different.length > 0) return [...different, ...alike];
  return [...alike, { text: w.same, differs: false }];
}

/** Up to which day the data tell; when they were taken in where that day lies ahead, is not known, or is the same. */
function sayData(of: Origin, before: Origin | undefined, w: (typeof originWords)['en'], format: Format): string {
  const { data_until: until, snapshot_created_at: taken } = of;
  const isAhead = until !== null && until > taken.slice(0, 10);
  if (until === null || isAhead) return w.takenIn(format.dateTime(taken));
  const isSameDay = before !== undefined && before.snapshot_id !== of.snapshot_id && before.data_until === until;
  return isSameDay ? w.untilTakenIn(format.day(until), format.dateTime(taken)) : w.until(format.day(until));
}

/** The run before each, by its id: the next older one of the same task or encoder. Runs come newest first. */
export function runsBefore<R extends Pick<Run, 'id' | 'task_id' | 'entity'>>(runs: readonly R[]): Map<string, R> {
  const before = new Map<string, R>();
  const newer = new Map<string, R>();
  for (const run of runs) {
    const about = run.task_id ?? `encoder of ${run.entity}`;
    const next = newer.get(about);
    if (next) before.set(next.id, run);
    newer.set(about, run);
  }
  return before;
}
