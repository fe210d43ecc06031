import { refuse } from '../../errors.ts';
import { guessesOf } from '../../lib/crypto/password-guesses.ts';

export const passwordLengthMin = 15;
export const passwordLengthMax = 200;
/** A password takes at least so many guesses: what a list of common ones and the words around a person do not cover. */
const guessesMin = 1e8;

/** Shorter names occur in other words by chance. */
const nameLengthMin = 4;

/**
 * Refuses a password that is short, common, has one of these names in it, or is made of their words. `pointer` is the
 * field it came in. Throws Failure 'weak_password'.
 */
export function checkPolicy(password: string, names: readonly string[], pointer = '/password'): void {
  const length = [...password].length;
  if (length < passwordLengthMin)
    throw weak(pointer, `must have at least ${passwordLengthMin} characters; it has ${length}. Some words in a row do`);
  if (length > passwordLengthMax)
    throw weak(pointer, `must have at most ${passwordLengthMax} characters; it has ${length}`);
  const known = [...names, 'Lastro'];
  const squeezed = squeeze(password);
  const found = known.find((name) => squeeze(name).length >= nameLengthMin && squeezed.includes(squeeze(name)));
  if (found !== undefined) throw weak(pointer, `has ${found} in it, which others know: use words of your own`);
  if (guessesOf(password, known.flatMap(words)) < guessesMin)
    throw weak(
      pointer,
      'is easy to guess: it is a common one, or made of words that others know. Add words of your own',
    );
}

function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function words(name: string): string[] {
  return name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
}

function weak(at: string, message: string) {
  return refuse('weak_password', `the password ${message}`, { problems: [{ at, message }] });
}
