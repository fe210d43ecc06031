/** Everything that customers are known to try; test support. */
import { type Attack, ingesting, scoring } from './attack.ts';
import { hostileFiles } from './files.ts';
import { requestAttacks } from './requests.ts';

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const files = hostileFiles.map((file) => ({ ...file, bytes: once(file.bytes) }));

/** Makes the files, which takes seconds of a core, so that sending them is all that an attack does. */
export function makeFiles(): void {
  for (const file of files) file.bytes();
}

const ingestions = files.map((file) =>
  ingesting(/^ingestion refused$/, `to take in: ${file.name}`, { ...file, table: 'things', isNew: true }),
);

/** What is dense is as hostile to a batch. */
const batches = files
  .filter(({ expect }) => expect.outcome === 'limit')
  .map((file) => scoring(/^batch (failed|succeeded)/, `to score: ${file.name}`, file));

export const attacks: readonly Attack[] = [...requestAttacks, ...ingestions, ...batches];
