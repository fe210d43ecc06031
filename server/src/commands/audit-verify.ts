/** Verifies an export of the audit trail without the service: from its files, and from what was kept elsewhere. */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { append, type Growing, rootOf } from '../lib/crypto/merkle.ts';
import { type NoteVerifier, readPublicKey } from '../lib/crypto/signed-note.ts';
import { Failure } from '../lib/failure.ts';
import { readCheckpoint } from '../trail/checkpoint.ts';
import { type ExportedLeaf, exportHead, exportLine, type Manifest } from '../trail/exported.ts';
import { leafOf } from '../trail/leaf.ts';
import { readTombstone, type Tombstone } from '../trail/tombstone.ts';
import { readArguments, type Usage } from './arguments.ts';

/** What may be wrong, the gravest first, with the exit code of each. */
const faults = { signature: 5, modified: 2, missing: 3, reordered: 4, inserted: 8, rewritten: 7, unsealed: 6 } as const;
type Fault = keyof typeof faults;
const unreadable = 1;

export const auditVerifyUsage: Usage = {
  usage: 'audit verify <export> [--checkpoint file] [--public-key file]',
  about: `Verifies an export of the audit trail, without the service or a network. <export> is the folder with the entries
and the manifest as they were downloaded, or the manifest.

  --checkpoint   a checkpoint that was kept from before: a file with its note. It shows whether what was recorded up to
                 then has been rewritten, by whoever had the key too.
  --public-key   a file with the public key as /v1/api/audit-key tells it; by default, the one of the export, which
                 whoever made the export chose.

Exit codes: 0 all is as it was signed. 1 it cannot be read. 2 modified: an entry is not what was sealed. 3 missing: an
entry or a leaf is gone without a tombstone. 4 reordered: entries stand in each other's place. 5 a signature is not by
the key. 6 an entry is not sealed yet. 7 rewritten: the entries agree with each other, but not with a checkpoint or tombstone.
8 inserted: an old entry was never sealed. Of several, the first of 5, 2, 3, 4, 8, 7, 6.`,
  positionals: 1,
  options: { checkpoint: 'value', 'public-key': 'value' },
};

type Output = { write(text: string): unknown };

/** Runs `audit verify`; returns its exit code. */
export async function auditVerifyCommand(args: readonly string[], out: Output): Promise<number> {
  try {
    const { words, values } = readArguments(args, auditVerifyUsage);
    const findings = openFindings();
    await verifyExport(manifestPath(words[0]), values.checkpoint, values['public-key'], findings);
    for (const line of findings.lines()) out.write(`${line}\n`);
    return findings.code();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    out.write(`cannot be verified: ${error.message}\n`);
    return unreadable;
  }
}

/** Most lines told of one kind of fault. */
const toldMost = 20;

function openFindings() {
  const found = new Map<Fault, { count: number; told: string[] }>();
  const notes: string[] = [];
  return {
    add(fault: Fault, text: string): void {
      const known = found.get(fault) ?? { count: 0, told: [] };
      known.count++;
      if (known.told.length < toldMost) known.told.push(text);
      found.set(fault, known);
    },
    has: (...some: readonly Fault[]): boolean => some.some((fault) => found.has(fault)),
    note: (text: string): unknown => notes.push(text),
    lines: (): string[] => [
      ...[...found].flatMap(([fault, { count, told }]) => [
        ...told.map((text) => `${fault}: ${text}`),
        ...(count > told.length ? [`${fault}: and ${count - told.length} more`] : []),
      ]),
      ...notes,
    ],
    code(): number {
      const gravest = (Object.keys(faults) as Fault[]).find((fault) => found.has(fault));
      return gravest === undefined ? 0 : faults[gravest];
    },
  };
}
type Findings = ReturnType<typeof openFindings>;

async function verifyExport(
  path: string,
  checkpointPath: string | undefined,
  keyPath: string | undefined,
  findings: Findings,
): Promise<void> {
  const manifest = readManifest(path);
  const key = readPublicKey(keyPath === undefined ? manifest.public_key : readText(keyPath));
  if (key === null) throw new Failure('invalid', 'the public key is none of Ed25519 as signed-note writes it');
  const roots = readRoots(manifest, key, findings);
  if (checkpointPath !== undefined) addKept(readNote(checkpointPath), key, manifest, { roots, findings });
  const tombstones = readTombstones(manifest, key, findings);
  const { redacted } = await verifyEntries(join(dirname(path), manifest.entries.file), manifest, {
    ...{ roots, tombstones, findings },
  });
  const { first_index, end_index } = manifest.entries;
  const by = keyPath === undefined ? `${key.name} ${key.keyId}, the key that came with it` : `${key.name} ${key.keyId}`;
  findings.note(`${manifest.tree}: leaves ${first_index} to ${end_index - 1}, ${roots.length} checkpoints, by ${by}`);
  if (redacted > 0)
    findings.note(`${redacted} entries are without who acted by name and from where, which was taken out of them`);
}

/** What the root must be at a size, and who says so. */
type ExpectedRoot = { readonly size: number; readonly root: Buffer; readonly by: string };

function readRoots({ checkpoints, entries, tree }: Manifest, key: NoteVerifier, findings: Findings): ExpectedRoot[] {
  const roots = checkpoints.flatMap((note, at): ExpectedRoot[] => {
    const checkpoint = readCheckpoint(key.open(note) ?? '');
    if (checkpoint?.tree === tree)
      return [{ size: checkpoint.size, root: checkpoint.root, by: `the checkpoint of ${checkpoint.at}` }];
    findings.add(
      'signature',
      `checkpoint ${at + 1} of the export is not signed by ${key.name} ${key.keyId} for ${tree}`,
    );
    return [];
  });
  const { first_index, end_index } = entries;
  for (const size of [first_index, end_index])
    if (size > 0 && !roots.some((root) => root.size === size) && !findings.has('signature'))
      findings.add('signature', `the export has no checkpoint of ${size} leaves, where it begins or ends`);
  return roots;
}

function addKept(
  note: string,
  key: NoteVerifier,
  { entries, tree }: Manifest,
  { roots, findings }: { readonly roots: ExpectedRoot[]; readonly findings: Findings },
): void {
  const kept = readCheckpoint(key.open(note) ?? '');
  if (kept === null) {
    findings.add('signature', `the kept checkpoint is not signed by ${key.name} ${key.keyId}`);
    return;
  }
  if (kept.tree !== tree) throw new Failure('invalid', `the kept checkpoint is of ${kept.tree}, the export of ${tree}`);
  const { size, root, at } = kept;
  const { first_index, end_index } = entries;
  if (size < first_index)
    throw new Failure(
      'invalid',
      `the kept checkpoint has ${size} leaves, and the export begins after them: export from before ${at}`,
    );
  if (size > end_index)
    findings.add('missing', `the kept checkpoint has ${size} leaves, and the export ends at ${end_index}`);
  roots.push({ size, root, by: `the kept checkpoint of ${at}` });
}

function readTombstones({ tombstones, tree }: Manifest, key: NoteVerifier, findings: Findings): Tombstone[] {
  return tombstones.flatMap((note, at) => {
    const tombstone = readTombstone(key.open(note) ?? '');
    if (tombstone?.tree === tree) return [tombstone];
    findings.add(
      'signature',
      `tombstone ${at + 1} of the export is not signed by ${key.name} ${key.keyId} for ${tree}`,
    );
    return [];
  });
}

type Against = {
  readonly roots: readonly ExpectedRoot[];
  readonly tombstones: readonly Tombstone[];
  readonly findings: Findings;
};

/** Entries whose own hash is another than that of their leaf, kept until it is known whether they changed places. */
type Mismatch = { readonly index: number; readonly own: string; readonly sealed: string };
const mismatchesMost = 100_000;
/** An act takes less than this from its entry to its commit: what is older, and has no leaf, was put there. */
const lateMostMs = 10 * 60 * 1_000;

async function verifyEntries(
  path: string,
  manifest: Manifest,
  { roots, tombstones, findings }: Against,
): Promise<{ readonly redacted: number }> {
  const { first_index, end_index, format, sha256, bytes } = manifest.entries;
  const expected = new Map<number, ExpectedRoot[]>();
  for (const root of roots) expected.set(root.size, [...(expected.get(root.size) ?? []), root]);
  const tree: Growing = { size: first_index, peaks: manifest.before.map((peak) => Buffer.from(peak, 'hex')) };
  const newest = Math.max(0, ...manifest.checkpoints.map((note) => Date.parse(/^at (.*)$/m.exec(note)?.[1] ?? '')));
  const gaps: { start: number; end: number }[] = [];
  const mismatches: Mismatch[] = [];
  const graves = tombstones.map(openGrave);
  let redacted = 0;
  let next = first_index;
  let isWhole = true;
  const checkRoot = (): void => {
    if (!isWhole) return;
    for (const { root, by } of expected.get(tree.size) ?? [])
      if (!rootOf(tree.peaks).equals(root))
        findings.add('rewritten', `the first ${tree.size} entries are not those of ${by}`);
  };
  checkRoot();
  const file = { sha256: createHash('sha256'), bytes: 0 };
  for await (const { leaf, isAsWritten } of leavesIn(path, format, file)) {
    const { leaf_index: index, leaf_hash, entry } = leaf;
    if (!isAsWritten) findings.add('modified', `the line of leaf ${index} says something else than its record`);
    if (index === null || leaf_hash === null) {
      const at = Date.parse(entry?.recorded_at ?? '');
      if (at < newest - lateMostMs)
        findings.add('inserted', `${entry?.id}, recorded ${entry?.recorded_at}, was never sealed`);
      else findings.add('unsealed', `${entry?.id}, recorded ${entry?.recorded_at}: export again`);
      continue;
    }
    if (index < next) {
      isWhole = false;
      findings.add('reordered', `leaf ${index} stands after leaf ${next - 1}`);
      const gap = gaps.findIndex(({ start, end }) => index >= start && index < end);
      if (gap >= 0) gaps.splice(gap, 1, ...without(gaps[gap], index));
    } else {
      if (index > next) {
        isWhole = false;
        gaps.push({ start: next, end: index });
      }
      next = index + 1;
      const hash = Buffer.from(leaf_hash, 'hex');
      if (isWhole) append(tree, hash);
      checkRoot();
      for (const grave of graves) grave.add(index, hash);
    }
    if (entry === null) {
      if (!tombstones.some(({ first, last }) => index >= first && index <= last))
        findings.add('missing', `leaf ${index} has no entry and no tombstone`);
      continue;
    }
    if (entry.salt === null) redacted++;
    const own = leafOf(entry).toString('hex');
    if (own !== leaf_hash && mismatches.length < mismatchesMost) mismatches.push({ index, own, sealed: leaf_hash });
  }
  if (next < end_index) gaps.push({ start: next, end: end_index });
  for (const { start, end } of gaps)
    findings.add('missing', end - start === 1 ? `leaf ${start}` : `leaves ${start} to ${end - 1}`);
  tellMismatches(mismatches, findings);
  for (const grave of graves) grave.tell(findings);
  if (next > end_index) findings.add('inserted', `the entries have leaf ${next - 1}, after the last checkpoint`);
  if (findings.code() === 0 && (file.sha256.digest('hex') !== sha256 || file.bytes !== bytes))
    findings.add('modified', 'the file of entries is not the one that the manifest names');
  return { redacted };
}

/**
 * Holds the leaves of a tombstone against its root, once all of them have been added: an export that begins or ends
 * among them has not all.
 */
function openGrave({ first, last, root, at }: Tombstone) {
  const leaves: Growing = { size: 0, peaks: [] };
  return {
    add(index: number, hash: Buffer): void {
      if (index === first + leaves.size && index <= last) append(leaves, hash);
    },
    tell(findings: Findings): void {
      if (leaves.size === last - first + 1 && !rootOf(leaves.peaks).equals(root))
        findings.add('rewritten', `the leaves ${first} to ${last} are not those of the tombstone of ${at}`);
    },
  };
}

function without({ start, end }: { start: number; end: number }, index: number) {
  return [
    { start, end: index },
    { start: index + 1, end },
  ].filter((gap) => gap.start < gap.end);
}

/** Entries that have each other's hashes have changed places; the others are not what was sealed. */
function tellMismatches(mismatches: readonly Mismatch[], findings: Findings): void {
  const places = new Map(mismatches.map(({ index, sealed }) => [sealed, index]));
  for (const { index, own } of mismatches) {
    const place = places.get(own);
    if (place === undefined) findings.add('modified', `the entry of leaf ${index} is not the one that was sealed`);
    else findings.add('reordered', `the entry of leaf ${index} is the one of leaf ${place}`);
  }
}

const lineLengthMost = 16 * 1024 * 1024;

/** The leaves of a file of entries, and whether each line is what its record makes. Counts and hashes the bytes. */
async function* leavesIn(
  path: string,
  format: Manifest['entries']['format'],
  file: { readonly sha256: ReturnType<typeof createHash>; bytes: number },
): AsyncGenerator<{ leaf: ExportedLeaf; isAsWritten: boolean }> {
  let isHead = format === 'csv';
  for await (const line of linesIn(path, format === 'csv' ? '\r\n' : '\n', file)) {
    if (isHead) {
      isHead = false;
      if (line !== exportHead(format))
        throw new Failure('invalid', `${basename(path)} does not begin as an export does`);
      continue;
    }
    const leaf = readLeaf(format === 'csv' ? lastCell(line) : line, path);
    yield { leaf, isAsWritten: exportLine(format, leaf) === line };
  }
}

/** Lines with their ends; an end within quotes is none. */
async function* linesIn(
  path: string,
  end: string,
  file: { readonly sha256: ReturnType<typeof createHash>; bytes: number },
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let pending = '';
  const isOpen = (text: string): boolean => end === '\r\n' && (text.split('"').length - 1) % 2 === 1;
  for await (const chunk of createReadStream(path)) {
    file.sha256.update(chunk);
    file.bytes += chunk.length;
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(end);
    rest = lines.pop()!;
    for (const line of lines) {
      pending += `${line}${end}`;
      if (isOpen(pending)) continue;
      yield pending;
      pending = '';
    }
    if (rest.length + pending.length > lineLengthMost)
      throw new Failure('invalid', `${basename(path)} has a line of more than ${lineLengthMost} characters`);
  }
  if (pending !== '' || rest !== '') yield pending + rest;
}

/** The last cell of a line of CSV, which is quoted: a record has quotes of its own. */
function lastCell(line: string): string {
  const cell = /"((?:[^"]|"")*)"\r\n$/.exec(line);
  return cell ? cell[1].replaceAll('""', '"') : '';
}

function readLeaf(text: string, path: string): ExportedLeaf {
  try {
    // The cast holds for what an export wrote; anything else has another hash than its leaf.
    const leaf = JSON.parse(text) as ExportedLeaf;
    if (typeof leaf === 'object' && leaf !== null && 'leaf_index' in leaf) return leaf;
  } catch {
    // It is told below.
  }
  throw new Failure('invalid', `${basename(path)} has a line that is no leaf: ${text.slice(0, 60)}`);
}

function manifestPath(path: string): string {
  let isFolder = false;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (cause) {
    throw new Failure('invalid', `there is no ${path}`, { cause });
  }
  if (!isFolder) return path;
  const found = readdirSync(path).filter((name) => name.endsWith('.manifest.json'));
  if (found.length === 1) return join(path, found[0]);
  throw new Failure('invalid', `${path} has ${found.length} manifests: name the one to verify`);
}

function readManifest(path: string): Manifest {
  let manifest: Manifest;
  try {
    // The cast holds for what an export wrote, which the two fields tell.
    manifest = JSON.parse(readText(path)) as Manifest;
  } catch (cause) {
    throw new Failure('invalid', `${path} is no manifest`, { cause });
  }
  if (manifest?.format !== 'lastro-audit-export' || manifest.version !== 1)
    throw new Failure('invalid', `${path} is no manifest of an export that this version knows`);
  if (manifest.entries.file !== basename(manifest.entries.file))
    throw new Failure('invalid', `${path} names entries outside of its folder`);
  return manifest;
}

/** A note as it is, or in the JSON in which the service tells checkpoints. What prints a note may end one more line. */
function readNote(path: string): string {
  const text = readText(path);
  if (!text.trimStart().startsWith('{')) return `${text.trimEnd()}\n`;
  try {
    return String((JSON.parse(text) as { note?: unknown }).note);
  } catch (cause) {
    throw new Failure('invalid', `${path} is no checkpoint`, { cause });
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Failure('invalid', `${path} cannot be read`, { cause });
  }
}
