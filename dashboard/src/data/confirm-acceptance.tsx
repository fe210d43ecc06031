import { NotFoundError } from '@lastro/sdk';
import { useRef } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Confirm } from '../kit/dialog.tsx';
import { useModelList } from '../models/use-models.ts';
import { useTaskList } from '../tasks/use-question.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Contract } from './contract.ts';
import { breakingOf, type Change, isLoss } from './report.ts';
import { meaningOf } from './say-change.ts';
import { isNamed, type ReadFeature, readersOf, touchedBy } from './touched.ts';
import { useAcceptance } from './use-acceptance.ts';
import { useContractTables } from './use-contracts.ts';
import type { useProposal } from './use-proposal.ts';
import { dataWords } from './words.ts';

/** Changes that a question lists. */
const changesListed = 12;
/** Models, and features of each, that are looked through for who reads what changes. */
const modelsLooked = 20;
const featuresLooked = 1_000;

/**
 * Asks before a contract is accepted that takes away what the data have, or by which files or models may break: what
 * changes, and which models and tasks read it. `onClose` is told whether the page was left for the ingestion that
 * follows.
 */
export function ConfirmAcceptance({
  contract,
  action,
  isOpen,
  onClose,
}: {
  readonly contract: Contract;
  readonly action: string;
  readonly isOpen: boolean;
  onClose(isLeft: boolean): void;
}) {
  const w = useWords(dataWords);
  const format = useFormat();
  const accept = useAcceptance();
  const isLeft = useRef(false);
  const breaking = breakingOf(contract);
  const isLost = breaking.some(isLoss);
  return (
    <Confirm
      title={isLost ? w.acceptLossTitle : w.acceptBreakingTitle}
      body={isLost ? w.acceptLossBody : w.acceptBreakingBody}
      action={action}
      isDanger={isLost}
      {...(isLost ? { typed: w.acceptLossWord } : {})}
      isOpen={isOpen}
      onClose={() => onClose(isLeft.current)}
      onConfirm={async () => {
        isLeft.current = (await accept.mutateAsync(contract.id)).started_ingestion_id !== null;
      }}
    >
      <ul className="list-disc pl-5">
        {breaking.slice(0, changesListed).map(({ path, kind }) => (
          <li key={path}>
            <code className="break-all font-mono text-meta">{path}</code> · {w[kind]}
            {meaningOf(path, w) !== null && ` (${meaningOf(path, w)})`}
          </li>
        ))}
        {breaking.length > changesListed && <li>{w.moreChanges(format.integer(breaking.length - changesListed))}</li>}
      </ul>
      <Readers breaking={breaking} />
    </Confirm>
  );
}

/** The same of what is proposed and accepted by one button, and what is seen then: of what was not accepted, that it waits. */
export function AskedAcceptance({
  of: { asked, see },
}: {
  readonly of: Pick<ReturnType<typeof useProposal>, 'asked' | 'see'>;
}) {
  const w = useWords(dataWords);
  if (!asked) return null;
  return (
    <ConfirmAcceptance
      contract={asked}
      action={w.accept}
      isOpen
      onClose={(isLeft) => {
        if (!isLeft) void see(asked);
      }}
    />
  );
}

/** Which models that answer read what changes, and which tasks name it. */
function Readers({ breaking }: { readonly breaking: readonly Change[] }) {
  const w = useWords(dataWords);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const isOn = can('view_models');
  const models = useModelList(isOn);
  const tasks = useTaskList(isOn);
  const tables = useContractTables();
  const answering = (models.data?.data ?? []).filter(({ aliases }) => aliases.length > 0);
  const looked = answering.slice(0, modelsLooked);
  const features = useData(
    ['models', 'features-of', looked.map(({ aliases }) => aliases[0]!.version_id)],
    (signal) =>
      Promise.all(
        looked.map(async ({ id, name, aliases }) => {
          const asked = { limit: 200 };
          const found: ReadFeature[] = [];
          try {
            const all = client.models.versions.listFeatures(id, aliases[0]!.version_id, asked, { signal });
            for await (const feature of all)
              if (found.push(feature) >= featuresLooked) return { name, features: found, isWhole: false };
          } catch (error) {
            // Versions of before do not tell what they read.
            if (!(error instanceof NotFoundError)) throw error;
            return { name, features: found, isWhole: false };
          }
          return { name, features: found, isWhole: true };
        }),
      ),
    { isOn: looked.length > 0 },
  );
  if (!isOn || !models.data || !tasks.data || !tables || (looked.length > 0 && !features.data)) return null;
  const touched = touchedBy(breaking, tables);
  const { reading, untold } = readersOf(features.data ?? [], touched);
  const unknown = [...untold, ...answering.slice(modelsLooked).map(({ name }) => name)];
  const naming = tasks.data.data.filter(({ definition }) => isNamed(definition, touched));
  const said = [
    reading.length > 0 && w.readBy(reading.length, format.list(reading)),
    naming.length > 0 && w.namedBy(naming.length, format.list(naming.map(({ name }) => name))),
    unknown.length > 0 && w.readUnknown(format.list(unknown)),
  ].filter((one) => typeof one === 'string');
  return (
    <p className="break-words" aria-live="polite">
      {said.length === 0 ? w.readByNone : said.join(' ')}
    </p>
  );
}
