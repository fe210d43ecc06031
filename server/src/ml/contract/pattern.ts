import { RE2JS } from 're2js';
import { Failure } from '../../lib/failure.ts';

/** Characters of a pattern. */
export const patternLengthMax = 500;
/** Instructions of a compiled pattern: a text costs at most this many steps a character. */
export const patternInstructionsMax = 2_000;
/** Characters of a text that patterns look at; a longer text matches none. */
export const patternTextMax = 10_000;

export type Pattern = { readonly test: (text: string) => boolean };

/**
 * Compiles a pattern of a contract, in the syntax of RE2. It matches anywhere in a text, in time linear in the text
 * whatever the pattern is: JavaScript's own engine goes back and tries again, for hours on patterns such as `^(a+)+$`.
 * Throws Failure 'invalid', which names pattern and column, when the syntax lacks what it uses or a limit is exceeded:
 * contracts of earlier versions of this program may hold such patterns.
 */
export function compilePattern(pattern: string, column: string): Pattern {
  const problem = patternProblem(pattern);
  if (problem !== null) {
    const shown = pattern.slice(0, patternLengthMax);
    throw new Failure(
      'invalid',
      `the contract's pattern ${shown} of column ${column} ${problem}. Propose a version of the contract without it.`,
    );
  }
  const compiled = RE2JS.compile(inSyntax(pattern));
  return { test: (text) => text.length <= patternTextMax && compiled.test(text) };
}

/** Why a pattern is refused, or null. The text follows the pattern in a sentence. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > patternLengthMax) return `is longer than ${patternLengthMax} characters`;
  try {
    const size = RE2JS.compile(inSyntax(pattern)).programSize();
    if (size <= patternInstructionsMax) return null;
    return `is too large: its repetitions make ${size} steps, at most ${patternInstructionsMax} are taken. Repeat less.`;
  } catch (error) {
    return `cannot be used: ${reasonOf(pattern, error)}`;
  }
}

/** What JavaScript writes `\u00e9` or `\u{e9}`, RE2 writes `\x{e9}`. */
function inSyntax(pattern: string): string {
  return pattern.replace(
    /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]+)\}|.)/gis,
    (found, four: string | undefined, any: string | undefined) => {
      const digits = four ?? any;
      return digits === undefined ? found : `\\x{${digits}}`;
    },
  );
}

function reasonOf(pattern: string, error: unknown): string {
  const plain = pattern.replace(/\\[^1-9k]/g, 'c').replace(/\[(?:\\.|[^\]\\])*\]/g, 'c');
  if (/\\(?:[1-9]|k<)/.test(plain)) return 'it refers back to an earlier group, which the syntax of RE2 has not';
  if (/\(\?<?[=!]/.test(plain)) return 'it looks ahead or behind, which the syntax of RE2 has not';
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('repeat count')) return `${message}: at most 1000 repetitions, nested ones multiplied`;
  return message;
}
