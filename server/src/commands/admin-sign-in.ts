import { issueOperatorLink } from '../resources/sessions/link.ts';
import { adminSignInUsage } from './admin-usage.ts';
import { readArguments } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

/** Makes a link by which a user signs in once, for the operator of the host. */
export async function adminSignInCommand(args: readonly string[], out: Told): Promise<number> {
  const { values } = readArguments(args, adminSignInUsage);
  return besideService(out, ({ app }) => issueOperatorLink(app, values.email!));
}
