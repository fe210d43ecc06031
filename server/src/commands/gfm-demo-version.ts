import { resolve } from 'node:path';
import { demoVersionName, makeDemoVersion } from '../ml/gfm/economy/demo-version.ts';
import { readArguments, requireNewFolder, type Usage } from './arguments.ts';
import { openProgress } from './progress.ts';

export const demoVersionUsage = {
  usage: 'gfm demo-version --out <version>',
  about: `Makes ${demoVersionName}, the version of the graph model that comes with the service: trained on an economy that is made up, and
marked so. lastro gfm publish releases it.

  --out   a folder to make`,
  positionals: 0,
  options: { out: 'value' },
  required: ['out'],
} as const satisfies Usage;

/** Makes the GFM version that is delivered with the service. */
export async function demoVersionCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { values } = readArguments(args, demoVersionUsage);
  const folder = resolve(values.out!);
  requireNewFolder('--out', folder);
  const progress = openProgress(log);
  await makeDemoVersion(folder, Date.now(), progress.phase);
  progress.say(`made ${demoVersionName} in ${folder}; everybody in it is made up`);
  return 0;
}
