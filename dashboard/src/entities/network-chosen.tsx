import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../kit/button.tsx';
import { Panel } from '../kit/page.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { EntityProps } from './entity-search.ts';
import { type Network, type NetworkNode, nodeName, sharedOf } from './network-marks.ts';
import { NodeLink } from './node-link.tsx';
import { entityWords } from './words.ts';

const shownMost = 30;

/** The entity that is chosen in a network, and all that ties it to others. */
export function NetworkChosen({
  network,
  node,
  set,
}: {
  readonly network: Network;
  readonly node: NetworkNode;
  readonly set: EntityProps['set'];
}) {
  const w = useWords(entityWords);
  const format = useFormat();
  const [root] = network.nodes;
  const ties = network.edges.filter(({ from, to }) => from === node.id || to === node.id);
  const byId = new Map(network.nodes.map((one) => [one.id, one]));
  return (
    <Panel className="p-3">
      <section aria-label={w.chosen}>
        <h2 className="break-all font-mono text-body">
          <bdi>{nodeName(node)}</bdi>
        </h2>
        <p className="text-ink3 text-meta">
          {node.table}, {w.hop(node.hops)}
          {sharedOf(network, node.id).map(({ relation, count }) => ` · ${format.integer(count)} ${relation}`)}
        </p>
        {node.key === null && <p className="mt-1 text-body text-ink2">{w.hiddenBody}</p>}
        <ul className="mt-2 max-h-44 divide-y divide-line overflow-auto text-body">
          {ties.slice(0, shownMost).map(({ from, to, relation, count, since }) => {
            const other = byId.get(from === node.id ? to : from);
            return (
              <li key={`${from} ${to} ${relation}`} className="flex flex-wrap justify-between gap-x-3 py-1 text-meta">
                {other && <NodeLink node={other} />}
                <span className="text-ink2">
                  {w.tie(relation, w.count(format.integer(count)), since ? format.day(since) : w.undated)}
                </span>
              </li>
            );
          })}
        </ul>
        {node.key !== null && node.hops > 0 && (
          <div className="mt-3 flex flex-wrap gap-2">
            <Link
              to="/entities/$table/$key"
              params={{ table: node.table, key: node.key }}
              search={{ tab: 'network' }}
              className={buttonClass('primary', 'small')}
            >
              {w.openIt}
            </Link>
            {node.table === root.table && (
              <Button size="small" onClick={() => set({ to: node.key ?? undefined }, true)}>
                {w.pathHere}
              </Button>
            )}
          </div>
        )}
      </section>
    </Panel>
  );
}
