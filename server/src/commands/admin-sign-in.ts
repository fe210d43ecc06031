import { operator } from '../access/actor.ts';
import { system } from '../access/transactions.ts';
import { startService } from '../app.ts';
import { readConfig } from '../config.ts';
import { refuse } from '../errors.ts';
import { issueLink, linkOf } from '../resources/sessions/link.ts';
import { findUserByEmail } from '../resources/users/find.ts';
import { recordOfUser } from '../trail/record-of-user.ts';
import { adminSignInUsage } from './admin-usage.ts';
import { readArguments } from './arguments.ts';

/** Makes a link by which a user signs in once, for the operator of the host. */
export async function adminSignInCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
): Promise<number> {
  const { values } = readArguments(args, adminSignInUsage);
  const service = await startService({ ...readConfig(), demo: false }, 'none');
  const { app } = service;
  try {
    const made = await system(app.db, 'sign-in link', async (tx) => {
      const user = await findUserByEmail(tx, values.email!);
      if (!user) throw refuse('not_found', `there is no user ${values.email}`);
      const doer = { actor: operator, channel: 'cli', ip: null, userAgent: null, requestId: null } as const;
      await recordOfUser(tx, doer, user.id, 'sign-in-link-creation');
      return { user_id: user.id, token: await issueLink(app, tx, user.id) };
    });
    out.write(`${JSON.stringify({ ...made, link: linkOf(service.url, made.token) }, null, 2)}\n`);
    return 0;
  } finally {
    await service.close();
  }
}
