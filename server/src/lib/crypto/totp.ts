import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds that a code is shown. */
const period = 30;

/** A new secret of 160 random bits in base 32, as apps take it. */
export function makeTotpSecret(): string {
  return generateSecret();
}

/** The address of a secret, which apps read off a picture (otpauth://totp/…). */
export function totpAddress(secret: string, issuer: string, label: string): string {
  return generateURI({ issuer, label, secret });
}

/**
 * The time step of a code (RFC 6238), if it is that of this step or of the one before, and of a step after `after`;
 * undefined otherwise. Codes of later steps are refused: a clock that is ahead is the app's to set.
 */
export function stepOfCode(secret: string, code: string, after: number | null): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const result = verifySync({
    ...{ secret, token: code, period, epochTolerance: [period, 0] as [number, number] },
    ...(after === null ? {} : { afterTimeStep: after }),
  });
  return result.valid ? (result as { timeStep: number }).timeStep : undefined;
}
