/**
 * What is readable at t is told in ml/graph/as-of alone: nobody else compares the moments of rows, versions or values.
 * Kept by reading the source as text, like the law of imports: a guard, not a proof. The planted leaks in tests/leakage
 * are the proof.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const learning = join(import.meta.dirname, '..', 'src', 'ml');

/**
 * What only the rule may spell, and who besides may: contracts and stores that hold the dates, and facts of graphs,
 * which have their own.
 */
const spellings: readonly { readonly of: RegExp; readonly example: string; readonly may: readonly string[] }[] = [
  {
    of: /\bknownFrom\b/,
    example: 'if (contract.knownFrom !== undefined) return;',
    may: ['contract/', 'lake/', 'version/schema.ts', 'explain/wording.ts'],
  },
  { of: /\b\w*[kK]nown!?\[[^\]]+\]!?\s*[<>]/, example: 'if (known && !(known[row] <= cut)) return;', may: ['gfm/'] },
  { of: /\bversions[!?]*\.(from|until)\b/, example: 'versions!.from[row] <= at', may: ['graph/frozen.ts'] },
  { of: /<=?\s*(\w+\.)*readableUntil\b/, example: 'moment <= anchor.readableUntil[i]', may: [] },
  // Which moments an encoder is trained at is drawn there, not what is read at them.
  { of: /\btime!?\[[^\]]+\]!?\s*<=/, example: 'table.time![row] <= cut', may: ['rfm/moments.ts'] },
  { of: /[lL]inkedSince\([^;]*\)\s*<=/, example: 'linkedSince(table, row) <= at', may: [] },
  { of: /\bstrict\s*\?[^?.:]/, example: 'task.strict ? at - 1 : at', may: [] },
  { of: /\bmutable\s*&&/, example: 'one.mutable && !versions', may: ['version/schema.ts'] },
];

/** Comments and texts go: what they say is no code. */
function codeOf(source: string): string {
  return source.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
}

function breaches(file: string, source: string): string[] {
  const code = codeOf(source);
  return spellings
    .filter(({ of, may }) => of.test(code) && !may.some((place) => file.startsWith(place)))
    .map(({ of }) => `${file} tells what is readable itself: ${of.exec(code)![0]}`);
}

test('nobody but graph/as-of tells what is readable at t', () => {
  const files = readdirSync(learning, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('graph/as-of/'));
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap((file) => breaches(file, readFileSync(join(learning, file), 'utf8')))).toEqual([]);
});

test.each(spellings)('$example is seen', ({ example, may }) => {
  expect(breaches('network/a.ts', example)).toHaveLength(1);
  expect(breaches('network/a.ts', `// ${example}`)).toEqual([]);
  for (const place of may) expect(breaches(place, example)).toEqual([]);
});
