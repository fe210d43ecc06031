import { operatorContext } from '../../access/context.ts';
import { type Database, system, type Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { Feature } from './organization.ts';
import { requireOrganization } from './require.ts';
import { hasFeature, updateFeature } from './sql.ts';

/**
 * Switches a feature of an organization on or off, for the operator of the host. Throws Failure 'not_found',
 * 'conflict'.
 */
export function setFeature(db: Database, id: string, feature: Feature, isOn: boolean): Promise<void> {
  return system(db, 'set feature', async (tx) => {
    await requireOrganization(tx, id);
    if (!(await updateFeature(tx, id, feature, isOn)))
      throw refuse('conflict', `${feature} is ${isOn ? 'on' : 'off'} already`);
    const target = { type: 'organization', id };
    await record(tx, operatorContext(id), 'organization-feature-update', target, { feature, enabled: isOn });
  });
}

const names: Readonly<Record<Feature, string>> = { sftp: 'SFTP', sso: 'single sign-on' };

/** Whether the operator has switched a feature on for the organization. */
export function isFeatureOn(tx: Tx, id: string, feature: Feature): Promise<boolean> {
  return hasFeature(tx, id, feature);
}

/** Throws Failure 'feature_disabled' unless the operator has switched a feature on for the organization. */
export async function requireFeature(tx: Tx, id: string, feature: Feature): Promise<void> {
  if (await hasFeature(tx, id, feature)) return;
  throw refuse('feature_disabled', `the operator of this installation switches ${names[feature]} on: ask them`);
}
