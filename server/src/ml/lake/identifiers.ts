import { openSections, readSections, writeSections } from '../../lib/files/sections.ts';
import { hashText, type PackedTexts, packTexts, startOf } from '../../lib/files/texts.ts';
import type { EntityKind } from '../contract/contract.ts';

/**
 * The only place that holds the identifiers of companies, people and assets. Everywhere else they are numbers, from 1
 * in order of first appearance. A number is never given to another identifier, even after its own was erased.
 */
export type Identifiers = {
  /** How many numbers were given so far, including those of erased identifiers. */
  readonly size: number;
  /** Undefined for an identifier that never came or was erased. */
  numberOf(kind: EntityKind, identifier: string): number | undefined;
  /** Null for a number that was erased or never given. */
  entryOf(number: number): Entry | null;
};

export type Entry = { readonly kind: EntityKind; readonly identifier: string };

/** A dictionary that can grow. The dictionary it was made from does not change. */
export type IdentifierBook = Identifiers & { numberFor(kind: EntityKind, identifier: string): number };

const fileKind = 'identifiers';
const kinds: readonly EntityKind[] = ['company', 'individual', 'asset', 'event', 'other'];
const erasedKind = 255;

export const noIdentifiers: Identifiers = { size: 0, numberOf: () => undefined, entryOf: () => null };

export function growIdentifiers(known: Identifiers): IdentifierBook {
  const added: Entry[] = [];
  const numbers = new Map<string, number>();
  const keyOf = (kind: EntityKind, identifier: string) => `${kind} ${identifier}`;
  const numberOf = (kind: EntityKind, identifier: string) =>
    known.numberOf(kind, identifier) ?? numbers.get(keyOf(kind, identifier));
  return {
    get size() {
      return known.size + added.length;
    },
    numberOf,
    entryOf: (number) => (number > known.size ? (added[number - known.size - 1] ?? null) : known.entryOf(number)),
    numberFor(kind, identifier) {
      let number = numberOf(kind, identifier);
      if (number === undefined) {
        number = known.size + added.push({ kind, identifier });
        numbers.set(keyOf(kind, identifier), number);
      }
      return number;
    },
  };
}

/**
 * Removes an identifier, of one kind or of every kind that has it, and returns the numbers it had. The rest does not
 * reveal whose numbers they were. If the identifier comes again, it gets another number.
 */
export function eraseIdentifier(
  from: Identifiers,
  identifier: string,
  kind?: EntityKind,
): { identifiers: Identifiers; erased: readonly number[] } {
  const erased = (kind === undefined ? kinds : [kind]).flatMap((each) => from.numberOf(each, identifier) ?? []);
  const isErased = new Set(erased);
  const identifiers: Identifiers = {
    size: from.size,
    numberOf(each, name) {
      const number = from.numberOf(each, name);
      return number === undefined || isErased.has(number) ? undefined : number;
    },
    entryOf: (number) => (isErased.has(number) ? null : from.entryOf(number)),
  };
  return { identifiers, erased };
}

/**
 * Writes a dictionary. The same dictionary gives the same bytes. Returns the SHA-256 in hexadecimal, and the length.
 */
export async function writeIdentifiers(
  identifiers: Identifiers,
  path: string,
): Promise<{ sha256: string; bytes: number }> {
  const entries = Array.from({ length: identifiers.size }, (_, i) => identifiers.entryOf(i + 1));
  const kindOf = Uint8Array.from(entries, (entry) => (entry === null ? erasedKind : kinds.indexOf(entry.kind)));
  const { bytes, ends } = packTexts(entries.map((entry) => entry?.identifier ?? ''));
  const slots = slotsOf(kindOf, { bytes, ends });
  return await writeSections(path, fileKind, { kinds }, [kindOf, bytes, ends, slots]);
}

/** Opens what `writeIdentifiers` wrote, without making strings. Throws Failure 'not_found' and 'invalid'. */
export async function openIdentifiers(path: string): Promise<Identifiers> {
  const { sections } = await readSections(path, fileKind);
  // `readSections` has checked the checksum, so the sections are what `writeIdentifiers` wrote.
  const [kindOf, bytes, ends, slots] = sections as [Uint8Array, Uint8Array, Uint32Array, Int32Array];
  const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    size: kindOf.length,
    numberOf(kind, identifier) {
      const own = kinds.indexOf(kind);
      const wanted = Buffer.from(identifier);
      const mask = slots.length - 1;
      for (let slot = hashOf(own, wanted, 0, wanted.length) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const i = slots[slot] - 1;
        if (kindOf[i] === own && wanted.equals(texts.subarray(startOf(ends, i), ends[i]))) return i + 1;
      }
      return undefined;
    },
    entryOf(number) {
      const i = number - 1;
      if (!(i >= 0 && i < kindOf.length) || kindOf[i] === erasedKind) return null;
      return { kind: kinds[kindOf[i]], identifier: texts.toString('utf8', startOf(ends, i), ends[i]) };
    },
  };
}

/** The identifiers of numbers, of which few are asked for. */
export type Names = {
  /** Null for a number that was erased or never given. */
  nameOf(number: number): string | null;
  close(): void;
};

/**
 * Opens what `writeIdentifiers` wrote without reading it: each name is read from the file when it is asked for. The
 * bytes are known to be right. Throws Failure 'not_found' and 'invalid'.
 */
export function openNames(path: string): Names {
  const sections = openSections(path, fileKind);
  const [size] = sections.lengths;
  return {
    nameOf(number) {
      const i = number - 1;
      if (!(i >= 0 && i < size) || sections.read(kindSection, i, 1)[0] === erasedKind) return null;
      const start = i === 0 ? 0 : sections.read(endSection, i - 1, 1)[0];
      const length = sections.read(endSection, i, 1)[0] - start;
      return Buffer.from(sections.read(textSection, start, length).buffer).toString('utf8');
    },
    close: () => sections.close(),
  };
}

/** Where in the file `writeIdentifiers` puts the kind of each number, all texts, and the end of each. */
const [kindSection, textSection, endSection] = [0, 1, 2];

/** Hash table with open addressing and linear probing, at most half full. A slot holds the number, or 0 when free. */
function slotsOf(kindOf: Uint8Array, { bytes, ends }: PackedTexts): Int32Array {
  let size = 4;
  while (size < kindOf.length * 2) size *= 2;
  const slots = new Int32Array(size);
  for (const [i, kind] of kindOf.entries()) {
    if (kind === erasedKind) continue;
    let slot = hashOf(kind, bytes, startOf(ends, i), ends[i]) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = i + 1;
  }
  return slots;
}

/** Part of the file format. */
function hashOf(kind: number, bytes: Uint8Array, start: number, end: number): number {
  return hashText(bytes, start, end) ^ Math.imul(kind + 1, 0x9e3779b1);
}
