import { LastroError } from '@lastro/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { withProof } from '../api/proof.ts';
import { useKey } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Select, TextArea } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { useAttempt } from '../sign-in/use-attempt.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { addressesIn } from './addresses.ts';
import { type MemberScope, type Role, roles, useMemberNouns } from './scope.ts';
import { memberWords } from './words.ts';

/** Most people who are invited at once. */
const invitedMost = 50;

type Refused = { readonly email: string; readonly why: string };

/**
 * Invites several people in one role. Those who cannot be invited stay in the form, each with the reason, and so does
 * whoever had no turn: those past the first `invitedMost`, or after a refusal that was of no address.
 */
export function Invite({ scope, onClose }: { readonly scope: MemberScope; onClose(): void }) {
  const w = useWords(memberWords);
  const c = useWords(common);
  const { invitations } = useMemberNouns(scope);
  const queries = useQueryClient();
  const key = useKey(['invitations']);
  const [text, setText] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const { isBusy, refusal, attempt } = useAttempt();
  const addresses = addressesIn(text);
  /** Why somebody is not invited; null where they are. */
  const invite = async (email: string): Promise<string | null> => {
    try {
      await withProof(() => invitations.create({ email, role }));
      return null;
    } catch (error) {
      // What is wrong with one address is no reason not to invite the next one; all else is.
      if (error instanceof LastroError && isOfAddress(error)) return error.detail;
      throw error;
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const wrong: Refused[] = [];
      const rest = [...addresses];
      let sent = 0;
      try {
        for (const email of addresses.slice(0, invitedMost)) {
          const why = await invite(email);
          rest.shift();
          if (why === null) sent++;
          else wrong.push({ email, why });
        }
      } finally {
        setRefused(wrong);
        setText([...rest, ...wrong.map(({ email }) => email)].join('\n'));
        if (sent > 0) say(w.invited(sent));
        await queries.invalidateQueries({ queryKey: key });
      }
      if (rest.length + wrong.length === 0) onClose();
    });
  };
  return (
    <Dialog title={w.inviteTitle} description={w.inviteBody} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={w.addresses}
          hint={
            addresses.length > invitedMost
              ? w.addressesOver(addresses.length, invitedMost)
              : w.addressesCount(addresses.length)
          }
        >
          <TextArea
            required
            autoFocus
            rows={5}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <Field label={w.role}>
          <Select value={role} options={roles.map((value) => ({ value, label: c.roles[value] }))} onValue={setRole} />
        </Field>
        {refusal !== null && <Refusal error={refusal} />}
        {refused.length > 0 && (
          <div role="alert" className="rounded-[6px] bg-warn-soft px-3 py-2 text-body">
            <p>{w.notInvited}</p>
            <ul className="list-disc pl-4">
              {refused.map(({ email, why }) => (
                <li key={email} className="break-words">
                  <bdi>{email}</bdi>: {why}
                </li>
              ))}
            </ul>
          </div>
        )}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={isBusy} disabled={addresses.length === 0}>
            {w.send}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

const isOfAddress = ({ status, code }: LastroError): boolean =>
  status === 409 || status === 422 || code === 'schema_mismatch';
