import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type ErrorCode, errorCodes } from '../errors.ts';
import type { LimitCode } from './limits/limit.ts';
import { bytes, characters, count, days, duration, durationOfMs, gigabytes, percent } from './limits/units.ts';
import { limitSections } from './limits.ts';
import { makeReference } from './openapi.ts';

/** What fails a file or a row instead of a request: rules of deviations, and codes of errors of batches. */
const ofWork = {
  unreadable_file: true,
  unreadable_row: true,
  wrong_type: true,
  wrong_pattern: true,
  file_unreadable: true,
} as const satisfies Partial<Record<Exclude<LimitCode, ErrorCode>, true>>;

/** Refusals of requests whose operation is not known yet. */
const beforehand: readonly string[] = ['route_not_found', 'headers_too_large'];

const rows = limitSections.flatMap(({ limits }) => limits);

test('each code is one that openapi.json lists for an operation, or that fails work', async () => {
  const document = JSON.parse((await makeReference())['openapi.json']!);
  const listed = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const of = (value as { allOf?: { properties?: { code?: { enum?: string[] } } }[] }).allOf?.[1]?.properties?.code;
    for (const code of of?.enum ?? []) listed.add(code);
    for (const part of Object.values(value)) collect(part);
  };
  collect(document.paths);
  collect(document.components.responses);
  expect(listed.size).toBeGreaterThan(40);
  for (const [what, , codes] of rows)
    for (const code of codes)
      expect(listed.has(code) || beforehand.includes(code) || code in ofWork, `${code} of ${what}`).toBe(true);
  for (const code of beforehand) expect(Object.keys(errorCodes)).toContain(code);
});

test('each row says what, how much and what to do, and stands once', () => {
  expect(rows.length).toBeGreaterThan(80);
  for (const [what, limit, codes, advice] of rows) {
    expect(what).toMatch(/^[A-Z]/);
    expect(limit).toMatch(/\d/);
    expect(new Set(codes).size).toBe(codes.length);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  }
  expect(new Set(rows.map(([what]) => what)).size).toBe(rows.length);
});

test('no figure of a limit is written a second time', () => {
  const folder = fileURLToPath(new URL('limits/', import.meta.url));
  for (const file of readdirSync(folder)) {
    if (file === 'units.ts') continue;
    const source = readFileSync(`${folder}${file}`, 'utf8').replace(/^import .*$/gm, '');
    for (const [text] of source.matchAll(/'[^'\n]*'|`[^`]*`/g))
      expect(text.replace(/\$\{[^}]*\}/g, '').replaceAll('S3', ''), file).not.toMatch(/\d/);
  }
});

test('figures have their unit, in words that people read', () => {
  expect([count(12_000), characters(255)]).toEqual(['12,000', '255 characters']);
  expect([2 ** 21, 16 * 1024, 512, 50 * 2 ** 30, 1.5 * 2 ** 20].map(bytes)).toEqual([
    ...['2 MiB', '16 KiB', '512 bytes', '50 GiB', '1.5 MiB'],
  ]);
  expect([1, 15, 60, 90, 1_800, 3_600, 43_200].map(duration)).toEqual([
    ...['1 second', '15 seconds', '1 minute', '90 seconds', '30 minutes', '1 hour', '12 hours'],
  ]);
  expect(durationOfMs(30_000)).toBe('30 seconds');
  expect([gigabytes(10_000_000_000), days(30 * 86_400_000)]).toEqual(['10 GB', '30 days']);
  expect([7 / 8, 2 / 3].map(percent)).toEqual(['87.5 %', '66.7 %']);
});
