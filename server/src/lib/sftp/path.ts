import { Failure } from '../failure.ts';
import type { Path } from './file-tree.ts';

/** As file systems have it. */
const nameBytesMax = 255;
const pathBytesMax = 4_096;

/**
 * Reads a path as a client sends it: from the root, which is also where a client begins. `..` leads to the folder
 * above and never out of the root. Throws Failure 'invalid'.
 */
export function readPath(text: string | undefined): Path {
  // The library hands over packets that end too soon.
  if (text === undefined) throw new Failure('invalid', 'the path is missing');
  if (Buffer.byteLength(text) > pathBytesMax) throw new Failure('invalid', 'the path is too long');
  if (text.includes('\0')) throw new Failure('invalid', 'a name cannot have the character NUL');
  // What is no UTF-8 comes as this character, and would be another name when it is told back.
  if (text.includes('\uFFFD')) throw new Failure('invalid', 'names must be in UTF-8');
  const names: string[] = [];
  for (const name of text.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') names.pop();
    else if (Buffer.byteLength(name) > nameBytesMax)
      throw new Failure('invalid', `the name has more than ${nameBytesMax} bytes`);
    else names.push(name);
  }
  return names;
}

export function writePath(path: Path): string {
  return `/${path.join('/')}`;
}
