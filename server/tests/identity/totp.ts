/** An app for codes; test support. */
import { generateSync } from 'otplib';
import { expect } from 'vitest';
import type { TestService } from '../service.ts';
import type { Browser } from './browser.ts';

const periodMs = 30_000;

/** The code that an app shows so many steps from now. */
export const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor((Date.now() + steps * periodMs) / 1_000) });

/** Waits until the step has some seconds left, so that it does not change within a test. */
export async function settle(): Promise<void> {
  const left = periodMs - (Date.now() % periodMs);
  if (left < 4_000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

/** Lets the codes that were used be forgotten, as time would. */
export const forgetCodes = ({ owner }: TestService) => owner.pool.query('update totp_credentials set last_step = null');

/** Sets an app up for whoever is signed in. */
export async function enrol(service: TestService, browser: Browser): Promise<{ secret: string; codes: string[] }> {
  const begun = await browser.post('/v1/api/user/second-factor/totp');
  expect(begun.status, begun.text).toBe(201);
  const { secret, uri } = begun.body;
  expect(uri).toContain(`secret=${secret}`);
  const confirmed = await browser.post('/v1/api/user/second-factor/totp/confirmation', { code: codeOf(secret) });
  expect(confirmed.status, confirmed.text).toBe(200);
  await forgetCodes(service);
  return { secret, codes: confirmed.body.recovery_codes };
}
