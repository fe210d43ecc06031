import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const lengthMax = 64;
/** Made for the first password: ranking its words would be a twentieth of every start. */
let zxcvbn: ZxcvbnFactory | undefined;

/**
 * About how many guesses a password takes of somebody who knows common passwords, habits of people and these words
 * (Wheeler, zxcvbn: Low-Budget Password Strength Estimation, USENIX Security 2016). Only its first 64 characters count.
 */
export function guessesOf(password: string, words: readonly string[]): number {
  zxcvbn ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: lengthMax });
  return zxcvbn.check(password.slice(0, lengthMax), [...words]).guesses;
}
