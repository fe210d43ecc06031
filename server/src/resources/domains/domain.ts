import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { refuse } from '../../errors.ts';
import type { DomainRow } from './sql.ts';

/** Most domains of an organization. */
export const domainsMax = 100;
/** Most characters of a name in the DNS (RFC 1035 §2.3.4). */
export const domainLengthMax = 253;

const example = {
  id: 'dom_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  domain: 'company.com',
  record_name: '_lastro-challenge.company.com',
  record_value: 'lastro-domain-verification=V7mQ4v0o5u2Yq1Zk8Rr3Wd6Tn9Xb0C',
  created_at: '2026-03-02T12:00:00.000Z',
  verified_at: null,
};

export const domainSchema = answerOf('Domain', example, {
  id: Type.String(),
  domain: Type.String(),
  record_name: Type.String({ description: 'Where the DNS must have a TXT record to prove the domain.' }),
  record_value: Type.String({ description: 'What the record must say.' }),
  created_at: Type.String(),
  verified_at: nullable(Type.String({ description: 'When the domain was proved; null until then.' })),
});

/** Where a domain's record is looked for, and what it says. */
export function recordOf({ domain, challenge }: Pick<DomainRow, 'domain' | 'challenge'>) {
  return { name: `_lastro-challenge.${domain}`, value: `lastro-domain-verification=${challenge}` };
}

export function presentDomain(row: DomainRow) {
  const { name, value } = recordOf(row);
  return {
    ...{ id: row.id, domain: row.domain, record_name: name, record_value: value },
    created_at: row.created_at.toISOString(),
    verified_at: row.verified_at?.toISOString() ?? null,
  };
}

/** Returns a domain as it is kept: lower case, in ASCII, without a dot at the end. Throws Failure 'schema_mismatch'. */
export function readDomain(text: string): string {
  const domain = text.trim().toLowerCase().replace(/\.$/, '');
  if (
    domain.length > domainLengthMax ||
    !/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(domain)
  )
    throw refuse('schema_mismatch', 'the domain cannot be used', {
      problems: [{ at: '/domain', message: 'must be a domain in plain letters, such as company.com' }],
    });
  return domain;
}
