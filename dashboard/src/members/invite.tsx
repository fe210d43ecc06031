import { LastroError } from '@lastro/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { withProof } from '../api/proof.ts';
import { useKey } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Field, Select, TextArea } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { useAttempt } from '../sign-in/use-attempt.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { type MemberScope, type Role, roles, useMemberNouns } from './scope.ts';
import { memberWords } from './words.ts';

/** Most people who are invited at once. */
const invitedMost = 50;

type Refused = { readonly email: string; readonly why: string };

/** Invites several people in one role. Those who cannot be invited stay in the form, each with the reason. */
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const left: Refused[] = [];
      for (const email of addresses) {
        try {
          await withProof(() => invitations.create({ email, role }));
        } catch (error) {
          // What is wrong with one address is no reason not to invite the next one; all else is.
          if (!(error instanceof LastroError) || !isOfAddress(error)) throw error;
          left.push({ email, why: error.detail });
        }
      }
      await queries.invalidateQueries({ queryKey: key });
      const sent = addresses.length - left.length;
      if (sent > 0) say(w.invited(sent));
      if (left.length === 0) return onClose();
      setRefused(left);
      setText(left.map(({ email }) => email).join('\n'));
    });
  };
  return (
    <Dialog title={w.inviteTitle} description={w.inviteBody} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={w.addresses} hint={w.addressesCount(addresses.length)}>
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
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={isBusy} disabled={addresses.length === 0}>
            {w.send}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const isOfAddress = ({ status, code }: LastroError): boolean =>
  status === 409 || status === 422 || code === 'schema_mismatch';

/** Addresses however they are put: on lines, by commas, from a mail program as `Name <address>`. */
export function addressesIn(text: string): readonly string[] {
  const found = text
    .split(/[\n,;]+/)
    .map((part) => /<([^<>]+)>/.exec(part)?.[1] ?? part)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return [...new Set(found)].slice(0, invitedMost);
}
