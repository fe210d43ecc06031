import { hash } from 'node:crypto';
import { canonicalJson } from '../lib/crypto/canonical-json.ts';
import { leafHash } from '../lib/crypto/merkle.ts';
import type { AuditEntry } from './audit-entry.ts';

/** An entry as the database keeps it. */
export type StoredEntry = {
  readonly id: string;
  readonly organization_id: string;
  readonly workspace_id: string | null;
  readonly action: string;
  readonly outcome: AuditEntry['outcome'];
  readonly actor_type: AuditEntry['actor']['type'];
  readonly actor_id: string | null;
  /** Null once it has been taken out; `ip` and `user_agent` are then null too. */
  readonly actor_label: string | null;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly channel: AuditEntry['channel'];
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** In UTC, with microseconds: `2026-02-01T12:00:00.000000Z`. */
  readonly recorded_at: string;
  /** Hex; null once the label, address and agent have been taken out. */
  readonly salt: string | null;
  /** Hex; the hash of what was taken out. */
  readonly personal: string | null;
};

/**
 * The hash of an entry's leaf: of its canonical JSON, in which a salted hash stands for who acted by name, from which
 * address and by which agent. So these can be taken out later, the salt with them, and the leaf stays what it is.
 */
export function leafOf(entry: StoredEntry): Buffer {
  const { id, recorded_at, organization_id, workspace_id, action, outcome, channel, request_id, data } = entry;
  return leafHash(
    canonicalJson({
      ...{ id, recorded_at, organization_id, workspace_id, action, outcome, data },
      actor: { type: entry.actor_type, id: entry.actor_id },
      target: { type: entry.target_type, id: entry.target_id },
      context: { channel, request_id },
      personal: personalOf(entry),
    }),
  );
}

/**
 * SHA-256 of the salt and the canonical JSON of label, address and agent, in hex. Null for an entry without a salt that
 * names somebody all the same: what was taken out does not come back.
 */
export function personalOf({ salt, personal, actor_label, ip, user_agent }: StoredEntry): string | null {
  if (salt === null) return actor_label === null && ip === null && user_agent === null ? personal : null;
  const texts = Buffer.from(canonicalJson([actor_label, ip, user_agent]));
  return hash('sha256', Buffer.concat([Buffer.from(salt, 'hex'), texts]), 'hex');
}
