import type { Context } from '../../access/context.ts';
import { hashPlace } from '../../lib/db/hash-place.ts';
import { Failure } from '../../lib/failure.ts';
import { dayInput, echoed } from '../../ml/version/schema.ts';
import { readBody } from '../../serving/rows/body.ts';
import { endOfToday } from '../../serving/rows/moments.ts';
import type { AskedVersion, Served, Serving } from '../../serving/serving.ts';
import { entityOf } from './found-by.ts';

type Inputs = Readonly<Record<string, unknown>>;

/**
 * Runs `work` with the version that answers these inputs: of an alias that is split, the other one for its share of
 * those whom questions are about. Throws as `use` of `Serving` does.
 */
export async function useAnswering<R>(
  serving: Pick<Serving, 'use'>,
  ctx: Context,
  asked: AskedVersion,
  inputs: Inputs,
  work: (served: Served) => Promise<R>,
): Promise<R> {
  const own = await serving.use(ctx, asked, async (served) =>
    isChallenged(served, inputs, ctx) ? null : { answer: await work(served) },
  );
  return own ? own.answer : serving.use(ctx, { ...asked, challenged: true }, work);
}

/**
 * Whether inputs are for the version that answers a share of an alias: always of the same ones, by the hash of whom
 * they are about by the version that the alias points at, or of themselves where they name nobody. A larger share has
 * all of a smaller one.
 */
function isChallenged(
  { opened, split }: Pick<Served, 'opened' | 'split'>,
  inputs: Inputs,
  { timeZone }: Context,
): boolean {
  if (split === null) return false;
  try {
    const { rows, kept } = readBody(inputs, opened.inputs, opened.missing, endOfToday(timeZone, Date.now()));
    const entity = entityOf(opened.subjects, rows);
    return hashPlace(entity === null ? inputsText(kept) : `${entity.table} ${entity.key}`) < split.share;
  } catch (error) {
    // What the version does not take it refuses itself.
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** What says nothing of the row itself. */
const besides: ReadonlySet<string> = new Set([...echoed, dayInput]);

function inputsText(inputs: Inputs): string {
  const names = Object.keys(inputs).filter((name) => !besides.has(name));
  return JSON.stringify(names.sort().map((name) => [name, inputs[name]]));
}
