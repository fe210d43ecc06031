import { Link } from '@tanstack/react-router';
import { Copy, Download } from 'lucide-react';
import { useSession } from '../api/session.tsx';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeBlock } from '../kit/code.tsx';
import { saveAs } from '../kit/save-file.ts';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import type { Contract } from './contract.ts';
import { dataWords } from './words.ts';

/** The contract as it was written. */
export function ContractText({ contract: { id, number, document } }: { readonly contract: Contract }) {
  const w = useWords(dataWords);
  const c = useWords(common);
  const { can } = useSession();
  const copy = async () => {
    await navigator.clipboard.writeText(document);
    say(c.copied);
  };
  return (
    <>
      <div className="mb-2 flex flex-wrap gap-2">
        <Button icon={<Copy size={14} />} onClick={copy}>
          {w.copyYaml}
        </Button>
        <Button
          icon={<Download size={14} />}
          onClick={() => saveAs(`contract-${number}.yaml`, document, 'application/yaml')}
        >
          {w.downloadYaml}
        </Button>
        {can('upload_files') && (
          <Link to="/data/send" search={{ tab: 'contract', base: id }} className={buttonClass()}>
            {w.editYaml}
          </Link>
        )}
      </div>
      <CodeBlock label={w.document} code={document} />
    </>
  );
}
