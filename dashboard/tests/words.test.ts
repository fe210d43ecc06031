import { expect, test } from 'vitest';
import { reasonCodes, sayReasons } from '../../server/src/ml/contract/reasons.ts';
import { reasonsInPortuguese } from '../src/data/reason-words.ts';

/** Gives for each value that a sentence asks for its name in brackets, or what it chooses its words by. */
function valuesOf(code: string): object {
  const own: Readonly<Record<string, unknown>> = {
    ...{ code, repeated: 7, missing: 7, iso: 7, columns: ['[column]', '[other]'] },
    found: [{ text: '[text]', rows: '[rows of text]' }],
    first: code === 'near_key' ? [{ row: '[row]', of: '[earlier row]' }] : 'day',
    ...{ form: 'cpf', unit: 'seconds', of: 'company' },
  };
  return new Proxy({}, { get: (_, name) => own[String(name)] ?? `[${String(name)}]` });
}

const namedIn = (text: string) => [...new Set(text.match(/\[[^\]]+\]|\b7\b/g))].sort();

test('every reason of a guess has words in Portuguese, which name what the English ones name', () => {
  expect(Object.keys(reasonsInPortuguese).sort()).toEqual([...reasonCodes].sort());
  for (const code of reasonCodes) {
    const values = valuesOf(code);
    const said = reasonsInPortuguese[code](values as Readonly<Record<string, unknown>>, String);
    expect({ code, named: namedIn(said) }).toEqual({ code, named: namedIn(sayReasons([values as never])) });
  }
});
