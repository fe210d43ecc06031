import { isCreator } from '../../../access/authorize.ts';
import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import { refuse } from '../../../errors.ts';
import { dayAt } from '../../../lib/time-zone.ts';
import { withShadowNow } from '../../../ml/validation/by-shadow.ts';
import type { Check } from '../../../ml/validation/checks.ts';
import { currentSnapshot } from '../../../serving/snapshot.ts';
import { record } from '../../../trail/record.ts';
import { asksForValidation, type FailedGate, failedGates, policyOf } from './gates.ts';
import { shadowTraffic } from './shadow-traffic.ts';
import {
  countApprovals,
  type GateValidation,
  markPassed,
  selectCountingValidation,
  selectHeld,
  selectPerson,
} from './sql.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Where newer data have come since, a validation opens gates for so long after it was asked for. */
const validationDaysMax = 30;

type Move = {
  readonly modelId: string;
  readonly alias: string;
  readonly versionId: string;
  /** The version that it would replace. */
  readonly before: string;
  /** Of whom it is to answer for the alias; absent: of all, by being what the alias points at. */
  readonly share?: number;
};

/**
 * Lets a version pass the gates of its model to an alias that points at another one, or did before it was removed.
 * Going back to a version that has held the alias is no promotion, and passes; but one that the alias was moved back
 * from has failed, and must pass anew, by what was asked and approved since. A Creator passes with a reason, which the
 * trail keeps with the gates that failed. Throws Failure 'gates_failed', naming each; 'permission_denied' for an
 * override by another role.
 */
export async function passGates(tx: Tx, ctx: Context, move: Move, override: { readonly reason: string } | undefined) {
  const { modelId, alias, versionId } = move;
  const { hasHeld, rolledBackAt } = await selectHeld(tx, modelId, alias, versionId);
  if (hasHeld && rolledBackAt === null) return;
  const failed = await gatesAgainst(tx, ctx, move, rolledBackAt);
  if (failed.length === 0) return markPassed(tx, modelId, alias, versionId);
  if (override === undefined) throw refuseMove(move, failed);
  if (!isCreator(ctx.permissions)) {
    const because = { code: 'roles_needed', roles: ['creator'] };
    throw refuse('permission_denied', 'only a Creator, or a key with all of their rights, overrides gates', {
      because,
    });
  }
  const about = { model_id: modelId, alias, reason: override.reason, gates: failed.map(({ gate }) => gate) };
  await record(tx, ctx, 'model-gates-override', { type: 'model_version', id: versionId }, about);
}

async function gatesAgainst(tx: Tx, ctx: Context, move: Move, rolledBackAt: Date | null): Promise<FailedGate[]> {
  const { modelId, alias, versionId, before } = move;
  const policy = await policyOf(tx, modelId);
  const failed: FailedGate[] = [];
  if (asksForValidation(policy)) {
    const rule = {
      snapshotId: (await currentSnapshot(tx, ctx))?.id ?? null,
      after: new Date(Date.now() - validationDaysMax * dayMs),
      rolledBackAt,
    };
    const { counting, ignored } = await selectCountingValidation(tx, versionId, before, rule);
    const why = ignored && whyIgnored(ignored, alias, rolledBackAt);
    if (counting?.status !== 'succeeded') failed.push(notValidated(move, counting?.status, why));
    else {
      const traffic = await shadowTraffic(tx, ctx, { id: versionId, model_id: modelId }, before);
      for (const gate of failedGates(policy, withShadowNow(counting.checks, traffic)))
        failed.push(why ? { ...gate, message: `${gate.message} (by ${counting.id}; ${why})` } : gate);
    }
  }
  if (policy.approvals > 0) {
    const approvals = await countApprovals(tx, versionId, alias, {
      person: await selectPerson(tx, ctx),
      since: rolledBackAt,
    });
    if (approvals < policy.approvals)
      failed.push({
        ...{ gate: 'approvals', value: approvals, threshold: policy.approvals },
        message: `somebody else must approve it: POST /v1/api/models/${modelId}/versions/${versionId}/approvals {"alias": "${alias}"}`,
      });
  }
  return failed;
}

function notValidated(
  { modelId, alias, versionId, before }: Move,
  status: string | undefined,
  ignored?: string,
): FailedGate {
  const ask = `POST /v1/api/models/${modelId}/versions/${versionId}/validations {"alias": "${alias}"}`;
  const message =
    status === 'queued' || status === 'running'
      ? `its validation against ${before} is ${status}: wait for the end`
      : status !== undefined
        ? `its validation against ${before} has ${status}: ask again with ${ask}`
        : ignored
          ? `${ignored}; ask again with ${ask}`
          : `it has not been held against ${before}, which ${alias} points at: ${ask}`;
  return { gate: 'validation', value: null, threshold: null, message };
}

function whyIgnored(
  { id, as_of: asOf, created_at: createdAt, time_zone: zone }: GateValidation,
  alias: string,
  rolledBackAt: Date | null,
): string {
  const is = `${id} is passed over`;
  if (asOf < createdAt) {
    const day = dayAt(zone, asOf.getTime());
    return `${is}: it reads nothing after ${day}, and gates count what was known when it was asked for`;
  }
  return rolledBackAt && createdAt <= rolledBackAt
    ? `${is}: it was asked for before ${alias} was moved back from the version, which had failed`
    : `${is}: it was asked for more than ${validationDaysMax} days ago, and newer data have come since`;
}

function refuseMove({ alias, versionId, share }: Move, failed: readonly FailedGate[]) {
  const [isNot, does] =
    share === undefined
      ? [`${alias} is not moved to ${versionId}`, 'moves it']
      : [`no share of ${alias} is answered by ${versionId}`, 'splits it'];
  const names = failed.map(({ gate }) => gate).join(', ');
  const because = { code: 'gates_failed', gates: failed };
  return refuse(
    'gates_failed',
    `${isNot}, which does not pass ${names}. A Creator ${does} all the same with override: {"reason": "…"}, which the trail keeps`,
    {
      problems: failed.map(({ gate, message }) => ({ at: '/version_id', message: `${gate}: ${message}` })),
      because,
    },
  );
}

/** What a validation of a new version said, held against the version that an alias pointed at. */
export type Validated = {
  readonly compareWith: string;
  /** Null where it came to nothing. */
  readonly checks: readonly Check[] | null;
};

/** The gates that keep a new version from the alias of its run; empty where the alias moves by itself. */
export async function gatesAgainstNew(tx: Tx, move: Move, validated: Validated | null): Promise<FailedGate[]> {
  const policy = await policyOf(tx, move.modelId);
  const byPeople = (gate: 'approvals' | 'automatic', message: string): FailedGate => ({
    ...{ gate, value: null, threshold: null, message },
  });
  if (policy.approvals > 0)
    return [...checked(), byPeople('approvals', 'somebody must approve it, and another person move the alias')];
  return policy.automatic ? checked() : [...checked(), byPeople('automatic', 'the gates leave it to people')];

  function checked(): FailedGate[] {
    if (!asksForValidation(policy)) return [];
    const isOfNow = validated?.compareWith === move.before;
    if (isOfNow && validated.checks) return failedGates(policy, validated.checks);
    return [notValidated(move, isOfNow ? 'failed' : undefined)];
  }
}
