import { Type } from 'typebox';
import { isCreator } from '../../../access/authorize.ts';
import type { Context } from '../../../access/context.ts';
import { type Tx, tenant } from '../../../access/transactions.ts';
import { answerOf, objectOf } from '../../../api/named.ts';
import { nullable } from '../../../api/nullable.ts';
import { shortText } from '../../../api/texts.ts';
import { refuse } from '../../../errors.ts';
import { segmentsMax } from '../../../ml/evaluation/segments.ts';
import { type Check, type CheckName, checkNames, checkRules, judgeCheck } from '../../../ml/validation/checks.ts';
import type { GatePolicy } from '../../../schema/json.ts';
import { record } from '../../../trail/record.ts';
import type { App } from '../../app.ts';
import { keepModels } from '../../tasks/keep.ts';
import { gatesExample } from '../example.ts';
import { requireModel } from '../require.ts';
import { requireSegmentColumns } from '../require-segment-columns.ts';
import { type GateChange, gateChanges, sayChange } from './changes.ts';
import { defaultPolicy, gateOf } from './policy.ts';
import { lockGates, selectGates, upsertGates } from './sql.ts';

const gate = objectOf('ModelGate', {
  threshold: Type.Number({ description: 'In the unit of the check, as its measures says.' }),
  required: Type.Boolean({ description: 'Whether a version that fails the check is kept from aliases.' }),
  must_tell: Type.Boolean({
    description: 'Whether it is kept from them, too, where there is too little to tell. Asks for required.',
  }),
});

const askedGate = Type.Object(
  {
    threshold: Type.Optional(Type.Number()),
    required: Type.Optional(Type.Boolean()),
    must_tell: Type.Optional(Type.Boolean()),
  },
  { title: 'ModelGateRequest', additionalProperties: false },
);

const byCheck = <T extends typeof gate | typeof askedGate>(of: T) =>
  Object.fromEntries(checkNames.map((name) => [name, of])) as Record<CheckName, T>;

export const gatesSchema = answerOf('ModelGates', gatesExample, {
  model_id: Type.String(),
  checks: Type.Object(byCheck(gate), { title: 'ModelGateChecks' }),
  approvals: Type.Integer({ description: 'How many other people must have approved a version for the alias.' }),
  automatic: Type.Boolean({
    description: 'Whether the alias of a training run moves by itself to a version that passes all gates.',
  }),
  segments: Type.Array(Type.String(), {
    description: "Columns of the entity's table that validations tell rows apart by, unless they name others.",
  }),
  is_default: Type.Boolean({ description: 'Whether nobody has changed them.' }),
  updated_by: nullable(Type.String()),
  updated_at: nullable(Type.String()),
});

export const gatesRequest = Type.Object(
  {
    checks: Type.Optional(
      Type.Object(Object.fromEntries(checkNames.map((name) => [name, Type.Optional(askedGate)])), {
        title: 'ModelGateChecksRequest',
        additionalProperties: false,
        description: 'What is not named of a check is as it is by default.',
      }),
    ),
    approvals: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, description: '1: two people, of whom one approves.' }),
    ),
    automatic: Type.Optional(Type.Boolean()),
    segments: Type.Optional(
      Type.Array(shortText(), { maxItems: segmentsMax, description: 'None where this is absent, as by default.' }),
    ),
  },
  {
    title: 'ModelGatesRequest',
    additionalProperties: false,
    examples: [
      { checks: { discrimination: { threshold: -0.005, must_tell: true } }, approvals: 1, segments: ['region'] },
    ],
  },
);

type AskedGates = {
  readonly checks?: Partial<Record<CheckName, Partial<GatePolicy['checks'][string]>>>;
  readonly approvals?: number;
  readonly automatic?: boolean;
  readonly segments?: readonly string[];
};

/** The gates of a model by its id. */
export async function policyOf(tx: Tx, modelId: string): Promise<GatePolicy> {
  return (await selectGates(tx, modelId))?.policy ?? defaultPolicy;
}

/** A gate that a version does not pass: what was measured, what is asked, and what to do. */
export type FailedGate = {
  readonly gate: CheckName | 'validation' | 'approvals' | 'automatic';
  readonly value: number | null;
  readonly threshold: number | null;
  readonly message: string;
};

/** Whether anything of a validation can keep a version from aliases. */
export function asksForValidation(policy: GatePolicy): boolean {
  return checkNames.some((name) => gateOf(policy, name).required);
}

/** The gates that the checks of a validation do not pass, by the policy as it is now. */
export function failedGates(policy: GatePolicy, checks: readonly Check[]): FailedGate[] {
  const unmeasured = checkNames.filter((name) => !checks.some((one) => one.name === name));
  return [...checks.flatMap(judged), ...unmeasured.flatMap(missing)];

  function judged(measured: Check): FailedGate[] {
    const { threshold, required, must_tell } = gateOf(policy, measured.name);
    const { status, value, message } = judgeCheck(measured, threshold);
    const isFailed = required && (status === 'failed' || (must_tell && status === 'cannot_tell'));
    return isFailed ? [{ gate: measured.name, value, threshold, message }] : [];
  }

  function missing(name: CheckName): FailedGate[] {
    const { threshold, required, must_tell } = gateOf(policy, name);
    if (!required || !must_tell) return [];
    const how = name === 'segments' ? ': name columns that rows are told apart by, here or in the gates' : '';
    return [{ gate: name, value: null, threshold, message: `the validation has not measured it${how}` }];
  }
}

/** Returns the gates of a model of an id or name. Throws Failure 'not_found'. */
export function getGates(app: App, ctx: Context, model: string) {
  return tenant(app.db, ctx, async (tx) => presentGates(tx, (await requireModel(tx, model)).id));
}

/**
 * Replaces the gates of a model: what is not named is as by default, and segments are columns of its table. Who may
 * move aliases may ask for more; for less, by which a version that is refused would pass, Creators alone. Throws
 * Failure 'not_found', 'schema_mismatch', 'invalid', 'permission_denied'.
 */
export async function setGates(app: App, ctx: Context, model: string, asked: AskedGates) {
  await requireSegmentColumns(app, ctx, model, asked.segments ?? []);
  return tenant(app.db, ctx, async (tx) => {
    await keepModels(tx, ctx);
    const { id } = await requireModel(tx, model);
    // The body was held against its schema, so that each entry is of a check.
    const checks = (asked.checks ?? {}) as GatePolicy['checks'];
    const policy: GatePolicy = { ...defaultPolicy, ...asked, checks };
    requireFactors(checks);
    await lockGates(tx, id);
    const changes = gateChanges(await policyOf(tx, id), policy);
    const looser = changes.filter(({ is_looser: isLooser }) => isLooser);
    if (looser.length > 0 && !isCreator(ctx.permissions)) throw refuseLooser(looser);
    await upsertGates(tx, ctx, id, policy);
    const { approvals, automatic } = policy;
    const about = { approvals, automatic, checks: Object.keys(checks), changes: changes.map(sayChange) };
    await record(tx, ctx, 'model-gates-update', { type: 'model', id }, about);
    return presentGates(tx, id);
  });
}

/** A factor below 1 says nothing, and one below 0 would let everything pass. */
function requireFactors(checks: GatePolicy['checks']): void {
  const message = 'must be at least 1: how many times off it may be';
  const problems = checkNames
    .filter((name) => checkRules[name].rule === 'factor' && (checks[name]?.threshold ?? 1) < 1)
    .map((name) => ({ at: `/checks/${name}/threshold`, message }));
  if (problems.length > 0) throw refuse('schema_mismatch', `${problems[0].at} ${message}`, { problems });
}

function refuseLooser(looser: readonly GateChange[]) {
  const problems = looser.map((change) => ({
    at:
      change.field === null || change.field === 'columns'
        ? `/${change.gate}`
        : `/checks/${change.gate}/${change.field}`,
    message: `${sayChange(change)} is for a Creator to change`,
  }));
  const because = { code: 'roles_needed', roles: ['creator'] };
  return refuse(
    'permission_denied',
    `only a Creator, or a key with all of their rights, loosens gates: ${looser.map(sayChange).join(', ')}. You may tighten them`,
    { problems, because },
  );
}

async function presentGates(tx: Tx, modelId: string) {
  const row = await selectGates(tx, modelId);
  const policy = row?.policy ?? defaultPolicy;
  return {
    model_id: modelId,
    checks: Object.fromEntries(checkNames.map((name) => [name, gateOf(policy, name)])) as Record<CheckName, never>,
    approvals: policy.approvals,
    automatic: policy.automatic,
    segments: [...(policy.segments ?? [])],
    is_default: row === undefined,
    updated_by: row?.updated_by ?? null,
    updated_at: row?.updated_at.toISOString() ?? null,
  };
}
