import { type CheckName, checkRules } from '../../../ml/validation/checks.ts';
import type { GatePolicy } from '../../../schema/json.ts';

/** The gates of a model of which nobody has changed any. */
export const defaultPolicy: GatePolicy = { checks: {}, approvals: 0, automatic: true };

/** The gate of a check: what a policy does not say is as by default. */
export function gateOf({ checks }: GatePolicy, name: CheckName) {
  const { threshold, required } = checkRules[name];
  return { ...{ threshold, required, must_tell: false }, ...checks[name] };
}
