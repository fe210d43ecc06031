import { type Reading, readFields } from '../contract/yaml.ts';
import type { Steering } from './task.ts';
import type { TaskFields } from './task-fields.ts';

const words = { only: 'list', drop: 'list', keep: 'list' } as const;

/** Reads the field `features`: which features are proposed and kept, by paths. */
export function readSteering(reading: Reading, { features }: TaskFields): { features?: Steering } {
  if (features === undefined) return {};
  const lists = readFields(reading, features, ['features'], words);
  const steering: Record<string, readonly string[]> = {};
  for (const [word, list] of Object.entries(lists)) {
    if (list.length === 0) reading.problem(['features', word], { code: 'empty_list' });
    steering[word] = list.map((path, at) => {
      if (typeof path !== 'string')
        reading.problem(['features', word, at], { code: 'no_text', text: JSON.stringify(path) });
      return String(path);
    });
  }
  const { drop = [], keep = [] } = steering;
  for (const path of keep.filter((each) => drop.includes(each)))
    reading.problem(['features', 'keep'], { code: 'dropped_too', name: path });
  return { features: steering };
}
