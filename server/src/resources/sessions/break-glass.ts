import { organizationContext } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import type { Doer } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { sendMail } from '../mails/send.ts';
import { breakGlassUsed, type Language } from '../mails/texts.ts';
import { selectBypassed, selectCreators } from './sql.ts';

/**
 * Tells all Creators of organizations whose members must sign in by single sign-on that a break-glass admin of theirs
 * signed in without it.
 */
export async function tellOfBreakGlass(
  app: App,
  tx: Tx,
  { actor, channel, ip, userAgent, requestId }: Doer,
  user: { readonly id: string; readonly email: string },
): Promise<void> {
  for (const organizationId of await selectBypassed(tx, user.id)) {
    const ctx = { ...organizationContext(organizationId, actor), channel, ip, userAgent, requestId };
    await record(tx, ctx, 'break-glass-sign-in', { type: 'user', id: user.id });
    for (const { email, language } of await selectCreators(tx, organizationId))
      await sendMail(app, tx, email, breakGlassUsed(language as Language, user.email, ip ?? '?'));
  }
}
