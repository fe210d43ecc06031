import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { accountClient } from '../api/client.ts';
import { useData } from '../api/use-data.ts';
import { useNouns } from '../api/use-nouns.ts';
import { Copy } from '../kit/copy.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts } from '../kit/page.tsx';
import { Failed } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { AuditEntry } from './trail.ts';
import { isSigned, provesInclusion } from './verify.ts';
import { auditWords } from './words.ts';

/** Has the browser itself verify that an entry is in the signed tree, and says what it found. */
export function ProofOf({
  entry: { id, leaf_index: leaf },
  isOfOrganization,
}: {
  readonly entry: AuditEntry;
  readonly isOfOrganization: boolean;
}) {
  const w = useWords(auditWords);
  const format = useFormat();
  const { auditEntries } = useNouns(isOfOrganization);
  const canVerify = globalThis.isSecureContext;
  const { data, error, refetch } = useData(
    ['audit', 'proof', isOfOrganization, id],
    async (signal) => {
      const [proof, key] = await Promise.all([
        auditEntries.getProof(id, {}, { signal }),
        accountClient().auditKeys.get({ signal }),
      ]);
      const isProved = canVerify && (await provesInclusion(proof));
      return { proof, isProved, isSigned: canVerify && (await isSigned(proof.checkpoint.note, key.public_key)) };
    },
    { isOn: leaf !== null },
  );
  if (leaf === null) return <p className="text-ink2">{w.unsealed}</p>;
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (!data) return <p className="text-ink2">{w.verifying}</p>;
  const { checkpoint } = data.proof;
  const isGood = data.isProved && data.isSigned !== false;
  const Icon = isGood ? ShieldCheck : ShieldAlert;
  return (
    <section className="flex min-w-0 flex-col gap-3 rounded-[6px] border border-line p-3">
      <div role="status">
        <h3
          className={`flex items-center gap-2 font-semibold text-section ${isGood ? 'text-good' : canVerify ? 'text-bad' : 'text-ink'}`}
        >
          <Icon size={16} aria-hidden="true" />
          {isGood ? w.verified : canVerify ? w.broken : w.proof}
        </h3>
        <p className="text-body text-ink2">
          {!canVerify
            ? w.impossible
            : !data.isProved
              ? w.brokenBody
              : data.isSigned === false
                ? w.badSignature
                : `${w.verifiedBody(format.integer(leaf), format.integer(checkpoint.size))} ${data.isSigned === null ? w.unsignable : w.signed}`}
        </p>
      </div>
      <Facts
        columns={2}
        of={[
          [w.leaf, format.integer(leaf)],
          [w.treeSize, format.integer(checkpoint.size)],
          [w.checkpoint, <Moment key="at" at={checkpoint.at} isExact />],
          [w.leafHash, <Copy key="leaf" text={data.proof.leaf_hash} shown={`${data.proof.leaf_hash.slice(0, 12)}…`} />],
          [w.root, <Copy key="root" text={checkpoint.root} shown={`${checkpoint.root.slice(0, 12)}…`} />],
        ]}
      />
    </section>
  );
}
