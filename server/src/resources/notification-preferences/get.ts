import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { findPerson } from '../api-keys/find-person.ts';
import { isOwed, personalTypes } from './mandatory.ts';
import { type Choices, presentPreference, readableTypes, resolveChannels, settingsByDefault } from './preference.ts';
import { selectChoices, selectSettings } from './sql.ts';

/** What reaches the person who asks in the scope, and whose choice each channel of each type is. */
export async function getPreferences(tx: Tx, ctx: Context<Scope>) {
  const userId = await findPerson(tx, ctx);
  const own = await selectChoices(tx, { place: ctx, userId });
  const settings = (await selectSettings(tx, ctx, userId)) ?? settingsByDefault;
  return { ...settings, preferences: await resolved(tx, ctx, own) };
}

/** What reaches people in the scope who have chosen nothing themselves. */
export async function getDefaults(tx: Tx, ctx: Context<Scope>) {
  return { preferences: await resolved(tx, ctx, new Map()) };
}

async function resolved(tx: Tx, ctx: Context<Scope>, own: Choices) {
  const defaults = await selectChoices(tx, { place: ctx, userId: null });
  const readable = readableTypes(ctx.permissions);
  // Of what they may not read, people are told what is about themselves, and nothing else.
  const others = personalTypes.filter((type) => !readable.includes(type));
  return [...readable, ...others].map((type) =>
    presentPreference(type, resolveChannels(type, { own, defaults, isMandatory: isOwed(type, others.includes(type)) })),
  );
}
