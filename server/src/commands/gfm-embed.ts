import { resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { isDay } from '../lib/time-zone.ts';
import { microsecondsPerDay } from '../ml/contract/contract.ts';
import { prefixLengths } from '../ml/gfm/evaluate/prefixes.ts';
import { openGfm } from '../ml/gfm/version.ts';
import { readArguments, type Usage } from './arguments.ts';

export const gfmEmbedUsage = {
  usage: 'gfm embed <version> --id <identifier> [--as-of YYYY-MM-DD] [--dimension 1024]',
  about: `Prints the vector of somebody or something as JSON, from what was known at the end of a day (UTC).

  --id          an identifier of the graph; a CNPJ where the graph is a company register
  --as-of       default: the last day the version learned from
  --dimension   the first so many numbers: ${prefixLengths.join(', ')}`,
  positionals: 1,
  options: { id: 'value', 'as-of': 'value', dimension: 'value' },
  required: ['id'],
} as const satisfies Usage;

/** Prints the embedding of an entity as JSON. */
export async function gfmEmbedCommand(args: readonly string[], out: { write(text: string): unknown }): Promise<number> {
  const { words, values } = readArguments(args, gfmEmbedUsage);
  const dimension = Number(values.dimension ?? prefixLengths[0]);
  if (!prefixLengths.some((length) => length === dimension))
    throw new Failure('invalid', `--dimension ${values.dimension}: expected one of ${prefixLengths.join(', ')}`);
  const gfm = await openGfm(resolve(words[0]));
  const t = values['as-of'] === undefined ? gfm.until : endOf(values['as-of']);
  const entity = gfm.find(values.id!);
  if (entity < 0) throw new Failure('not_found', `${gfm.name} does not know ${values.id}`);
  const vector = gfm.embed(entity, t);
  const asOf = new Date(Math.floor(t / 1000)).toISOString();
  if (vector === null) throw new Failure('not_found', `nothing was known of ${values.id} at ${asOf}`);
  const record = {
    ...{ id: values.id, as_of: asOf, model_snapshot: gfm.modelSnapshot, generated_at: gfm.generatedAt, dimension },
    vector: Array.from(vector.subarray(0, dimension)),
  };
  out.write(`${JSON.stringify(record)}\n`);
  return 0;
}

function endOf(text: string): number {
  const day = isDay(text) ? Date.parse(`${text}T00:00:00Z`) * 1000 : Number.NaN;
  if (Number.isNaN(day)) throw new Failure('invalid', `--as-of ${text} is not a day, written YYYY-MM-DD`);
  return day + microsecondsPerDay - 1;
}
