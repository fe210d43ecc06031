import { type RawBuilder, sql } from 'kysely';
import { refuse } from '../errors.ts';
import { assert, type Failure } from '../lib/failure.ts';
import { isInNetwork, type Network, readNetwork } from '../lib/http/networks.ts';

/** What a rule is about: people who are signed in, programs with keys and signed addresses, or all of them. */
export const ruleChannels = ['dashboard', 'api', 'both'] as const;
export type RuleChannel = (typeof ruleChannels)[number];

/**
 * The networks from which a caller may come in: a list for each level that has rules, of which the organization, the
 * workspace and the key are one each. An address must be in a network of every list.
 */
export type Allowed = readonly (readonly Network[])[];

/** The columns, such as `k.organization_id`, that say where a caller acts, in the query that recognises them. */
export type Whereabouts = { readonly organization: string; readonly workspace?: string; readonly key?: string };

/**
 * A column of the networks that the rules of a channel allow there, for `readAllowed`: read with the caller, so that
 * rights and rules are of one moment and rules cost no query of their own.
 */
export function selectAllowed(
  channel: Exclude<RuleChannel, 'both'>,
  { organization, workspace, key }: Whereabouts,
): RawBuilder<AllowedTexts> {
  const ofWorkspace = workspace === undefined ? sql`false` : sql`r.workspace_id = ${sql.ref(workspace)}`;
  const ofKey = key === undefined ? sql`false` : sql`r.api_key_id = ${sql.ref(key)}`;
  return sql<AllowedTexts>`(
    select jsonb_agg(level.networks) from (
      select jsonb_agg(r.cidr::text) as networks from ip_rules as r
      where r.organization_id = ${sql.ref(organization)} and r.applies_to in (${channel}, 'both')
        and (r.workspace_id is null or ${ofWorkspace}) and (r.api_key_id is null or ${ofKey})
      group by r.workspace_id, r.api_key_id
    ) as level)`;
}

/** CIDR texts of each level; null without any. */
export type AllowedTexts = readonly (readonly string[])[] | null;

export function readAllowed(texts: AllowedTexts): Allowed {
  return (texts ?? []).map((level) => level.map(networkOf));
}

/** The refusal of a caller from an address that the rules do not let in; null for one who may come in. */
export function refusalFrom(allowed: Allowed, ip: string): Failure | null {
  const isIn = allowed.every((level) => level.some((network) => isInNetwork(ip, network)));
  return isIn ? null : refuse('address_not_allowed', `requests from ${ip} are not let in here: its rules name others`);
}

function networkOf(text: string): Network {
  const network = readNetwork(text);
  assert(typeof network !== 'string', `the rule of ${text}`);
  return network;
}
