import { operatorContext } from '../../access/context.ts';
import { type Database, system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { Feature } from './organization.ts';
import { requireOrganization } from './require.ts';
import { updateFeature } from './sql.ts';

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
