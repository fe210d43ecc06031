import { resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { writeWhole } from '../lib/files/whole-folder.ts';
import { isDay } from '../lib/time-zone.ts';
import { drawEconomy } from '../ml/gfm/economy/draw.ts';
import { writeEconomy } from '../ml/gfm/economy/write.ts';
import { readArguments, requireNewFolder, type Usage } from './arguments.ts';
import { openProgress } from './progress.ts';

export const demoEconomyUsage = {
  usage: 'gfm demo-economy --out <folder> [--companies 2000] [--seed 1] [--from 2018-01-01] [--until 2024-12-31]',
  about: `Makes up an economy: companies, people and assets, dated relations between them, payments, public records, defaults
that spread along supply and ownership, and fraud rings. Nobody in it exists.

  --out          a folder to make: graph/ for gfm import; tables/, contract.yaml and tasks/ for fit; truth/ for evaluation
  --companies    how many companies, from 50 up; people and assets come with them
  --seed         another seed makes up another economy
  --from, --until  its first and last day`,
  positionals: 0,
  options: { out: 'value', companies: 'value', seed: 'value', from: 'value', until: 'value' },
  required: ['out'],
} as const satisfies Usage;

const companiesDefault = 2_000;
const millisecondsPerDay = 86_400_000;

/** Writes a made-up economy. */
export async function demoEconomyCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { values } = readArguments(args, demoEconomyUsage);
  const folder = resolve(values.out!);
  requireNewFolder('--out', folder);
  const progress = openProgress(log);
  const economy = drawEconomy({
    companies: Number(values.companies ?? companiesDefault),
    seed: Number(values.seed ?? 1),
    from: dayOf('--from', values.from ?? '2018-01-01'),
    until: dayOf('--until', values.until ?? '2024-12-31'),
  });
  await writeWhole(folder, (partial) => writeEconomy(partial, economy));
  const defaults = economy.defaultedAt.filter((day) => !Number.isNaN(day)).length;
  progress.say(
    `made up ${economy.companies} companies among ${economy.entities.length} entities, ${economy.facts.length} facts, ${economy.payments.length} payments, ${defaults} defaults, ${economy.rings.length} rings in ${folder}; nobody in it exists`,
  );
  return 0;
}

function dayOf(option: string, text: string): number {
  const day = isDay(text) ? Date.parse(`${text}T00:00:00Z`) / millisecondsPerDay : Number.NaN;
  if (Number.isNaN(day)) throw new Failure('invalid', `${option} ${text} is not a day, written YYYY-MM-DD`);
  return day;
}
