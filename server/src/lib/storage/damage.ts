import { Failure } from '../failure.ts';

/** An object that is not what was stored. */
export type Damage = {
  readonly key: string;
  /** The SHA-256 that it must have, in hexadecimal; null when the record of it is lost too. */
  readonly expected: string | null;
  /** The SHA-256 that it has, or in words what is in its place. */
  readonly found: string;
};

export type DamageOptions = {
  /** Called for every damaged object that is met. Must not throw. */
  readonly onDamage?: (damage: Damage) => void;
  /** What callers are told of a key; the key itself by default. */
  readonly nameOf?: (key: string) => string;
};

/** Reports a damaged object, and makes the Failure for whoever opens it. */
export type Damaged = (damage: Damage) => Failure;

/**
 * The Failure is 'internal' with the reason 'object_damaged', which nobody retries: the bytes do not become right by
 * being read again. It names the object and no path.
 */
export function damageReporter({ onDamage = () => {}, nameOf = (key) => key }: DamageOptions): Damaged {
  return (damage) => {
    onDamage(damage);
    return new Failure(
      'internal',
      `The stored object ${nameOf(damage.key)} is not what was stored, so nothing was made of it; the operator is told, and can restore it from a backup.`,
      { reason: 'object_damaged' },
    );
  };
}
