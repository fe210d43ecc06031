import type { Schemas } from '@lastro/sdk';
import { type FormEvent, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Copy } from '../kit/copy.tsx';
import { Confirm, Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { saveAs } from '../kit/save-file.ts';
import { ToldOnce } from '../kit/secret.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { QrCode } from './qr-code.tsx';
import { accountWords } from './words.ts';

/** The app for codes, and the recovery codes beside it. */
export function SecondFactor() {
  const w = useWords(accountWords);
  const factor = useData(['second-factor'], (signal) => accountClient().secondFactor.get({ signal }));
  const [setup, setSetup] = useState<Schemas['TotpSecret'] | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [asked, setAsked] = useState<'remove' | 'codes' | null>(null);
  const begin = useChange(async () => setSetup(await accountClient().secondFactor.createTotp()));
  const remove = useChange(() => accountClient().secondFactor.removeTotp(), {
    changes: [['second-factor']],
    isQuiet: true,
  });
  const renew = useChange(() => accountClient().secondFactor.createRecoveryCodes(), {
    changes: [['second-factor']],
    isQuiet: true,
  });
  return (
    <Section title={w.secondFactor} description={w.secondFactorBody}>
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      <Panel className="p-4">
        {factor.isError ? (
          <Failed error={factor.error} onRetry={() => factor.refetch()} />
        ) : !factor.data ? (
          <Skeleton rows={2} />
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p>
              {factor.data.totp ? w.appOn : w.appOff}{' '}
              {factor.data.totp && <span className="text-ink2">{w.codesLeft(factor.data.recovery_codes_left)}</span>}
            </p>
            <div className="flex flex-wrap gap-2">
              {factor.data.totp ? (
                <>
                  <Button onClick={() => setAsked('codes')}>{w.newCodes}</Button>
                  <Button kind="danger" onClick={() => setAsked('remove')}>
                    {w.removeApp}
                  </Button>
                </>
              ) : (
                <Button kind="primary" isBusy={begin.isPending} onClick={() => begin.mutate()}>
                  {w.setUp}
                </Button>
              )}
            </div>
          </div>
        )}
      </Panel>
      {setup && (
        <SetUp
          setup={setup}
          onClose={() => setSetup(null)}
          onDone={(recovery) => {
            setSetup(null);
            setCodes(recovery);
          }}
        />
      )}
      <Confirm
        title={w.removeApp}
        body={w.removeAppBody}
        action={w.removeApp}
        isOpen={asked === 'remove'}
        onClose={() => setAsked(null)}
        onConfirm={() => remove.mutateAsync()}
      />
      <Confirm
        title={w.newCodes}
        body={w.newCodesBody}
        action={w.newCodes}
        isDanger={false}
        isOpen={asked === 'codes'}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          const { recovery_codes: codes } = await renew.mutateAsync();
          // Closed in the same step: beneath a dialog the codes could not have the focus.
          setAsked(null);
          setCodes(codes);
        }}
      />
    </Section>
  );
}

function SetUp({
  setup,
  onClose,
  onDone,
}: {
  readonly setup: Schemas['TotpSecret'];
  onClose(): void;
  onDone(codes: readonly string[]): void;
}) {
  const w = useWords(accountWords);
  const c = useWords(common);
  const [code, setCode] = useState('');
  const confirm = useChange(
    async (code: string) => onDone((await accountClient().secondFactor.confirmTotp({ code })).recovery_codes),
    { changes: [['second-factor']], isQuiet: true },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code.trim());
  };
  return (
    <Dialog title={w.setUp} description={w.scan} isOpen onClose={onClose} width="max-w-md">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <QrCode text={setup.uri} label={w.picture} />
        <div className="flex flex-col gap-1">
          <span className="text-ink3 text-meta">{w.secret}</span>
          <Copy text={setup.secret} />
          <a href={setup.uri} className="text-accent text-body underline underline-offset-2">
            {w.openApp}
          </a>
        </div>
        <Field label={w.codeShown}>
          <Input
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={50}
            className="!w-40 font-mono"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
        {confirm.error && <Refusal error={confirm.error} />}
        <DialogFoot>
          <Button onClick={onClose}>{c.cancel}</Button>
          <Button submits kind="primary" isBusy={confirm.isPending}>
            {w.confirmApp}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** Told once, by the setup and by each renewal. */
function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; onDone(): void }) {
  const w = useWords(accountWords);
  const c = useWords(common);
  const text = `${codes.join('\n')}\n`;
  return (
    <ToldOnce title={w.codesTitle} note={w.codesBody} done={w.keptThem} onDone={onDone}>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-[6px] bg-sunken p-4 font-mono text-body">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => navigator.clipboard.writeText(text)}>{c.copy}</Button>
        <Button onClick={() => saveAs('lastro-recovery-codes.txt', text, 'text/plain')}>{c.download}</Button>
      </div>
    </ToldOnce>
  );
}
