import { nameLengthMax } from './starters.ts';

/** The name of a task in the place of another: with the next number that is free. */
export function nextName(name: string, taken: ReadonlySet<string>): string {
  const [, stem, number] = /^(.*?)(?:-(\d{1,4}))?$/.exec(name)!;
  for (let next = Number(number ?? 1) + 1; ; next++) {
    const end = `-${next}`;
    const asked = stem.slice(0, nameLengthMax - end.length) + end;
    if (!taken.has(asked)) return asked;
  }
}
