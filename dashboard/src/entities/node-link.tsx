import { Lock } from 'lucide-react';
import { Hint } from '../kit/button.tsx';
import { useWords } from '../words/words.ts';
import { EntityLink } from './entities.tsx';
import { type NetworkNode, nodeName } from './network-marks.ts';
import { entityWords } from './words.ts';

/** An entity of a network as a link to its page, or where its key is not told, with why there is none. */
export function NodeLink({ node }: { readonly node: Pick<NetworkNode, 'table' | 'row' | 'key'> }) {
  const w = useWords(entityWords);
  if (node.key !== null) return <EntityLink table={node.table} entityKey={node.key} />;
  return (
    <Hint text={w.hiddenBody}>
      <span className="inline-flex items-center gap-1 text-ink2">
        {nodeName(node)}
        <Lock size={12} aria-hidden="true" />
      </span>
    </Hint>
  );
}
