import { useMemo } from 'react';
import { Button } from '../kit/button.tsx';
import { useWords } from '../words/words.ts';
import type { ContractTable } from './contract.ts';
import { type GraphEdge, type GraphNode, layOut, nodeHeight, nodeWidth } from './graph-layout.ts';
import { ScrollPanel } from './scroll-panel.tsx';
import { dataWords } from './words.ts';

const nameLengthMax = 20;

/** The tables as boxes with lines for references; the list beneath says the same in words. */
export function ContractGraph({
  tables,
  chosen,
  onChoose,
  onSee,
}: {
  readonly tables: readonly ContractTable[];
  readonly chosen: string | undefined;
  onChoose(table: string | undefined): void;
  onSee(table: string): void;
}) {
  const w = useWords(dataWords);
  const graph = useMemo(() => layOut(tables), [tables]);
  const places = new Map(graph.nodes.map((node) => [node.name, node]));
  const near = new Set(graph.edges.flatMap(({ from, to }) => (from === chosen ? [to] : to === chosen ? [from] : [])));
  const isLit = (name: string) => !chosen || name === chosen || near.has(name);
  const shown = graph.edges.filter(({ from, to }) => !chosen || from === chosen || to === chosen);
  return (
    <>
      <p className="mb-2 text-ink2">{w.graphHint}</p>
      <ScrollPanel label={w.parts.graph}>
        <svg
          viewBox={`0 0 ${graph.width} ${graph.height}`}
          role="group"
          aria-label={w.graphLabel}
          className="mx-auto block"
          style={{ width: graph.width, minWidth: graph.width }}
        >
          {graph.edges.map((edge) => (
            <EdgeLine
              key={`${edge.from} ${edge.to}`}
              edge={edge}
              places={places}
              isLit={edge.from === chosen || edge.to === chosen}
              isFaint={Boolean(chosen)}
            />
          ))}
          {graph.nodes.map((node) => (
            <NodeBox
              key={node.name}
              node={node}
              kind={tables.find(({ name }) => name === node.name)?.entityKind ?? null}
              isChosen={node.name === chosen}
              isLit={isLit(node.name)}
              onChoose={() => onChoose(node.name === chosen ? undefined : node.name)}
            />
          ))}
        </svg>
      </ScrollPanel>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <h2 className="font-semibold text-section">{chosen ?? w.refersTo}</h2>
        {chosen && <Button onClick={() => onSee(chosen)}>{w.columns}</Button>}
      </div>
      {shown.length === 0 ? (
        <p className="mt-1 text-ink2">{w.graphNone}</p>
      ) : (
        <ul className="mt-1 grid gap-x-8 sm:grid-cols-2" aria-live="polite">
          {shown.map(({ from, to, columns }) => (
            <li key={`${from} ${to}`} className="break-words border-line border-b py-1.5 text-ink2">
              {w.refers(from, to, columns.join(', '))}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function EdgeLine({
  edge: { from, to, columns },
  places,
  isLit,
  isFaint,
}: {
  readonly edge: GraphEdge;
  readonly places: ReadonlyMap<string, GraphNode>;
  readonly isLit: boolean;
  readonly isFaint: boolean;
}) {
  const w = useWords(dataWords);
  const [source, target] = [places.get(from)!, places.get(to)!];
  const [x1, y1] = [source.x, source.y + nodeHeight / 2];
  const [x2, y2] = [target.x + nodeWidth, target.y + nodeHeight / 2];
  const bend = Math.max(32, Math.abs(x1 - x2) / 2);
  return (
    <g opacity={isFaint && !isLit ? 0.25 : 1} style={{ color: isLit ? 'var(--accent)' : 'var(--line2)' }}>
      <path
        d={`M${x1},${y1} C${x1 - bend},${y1} ${x2 + bend},${y2} ${x2 + 5},${y2}`}
        fill="none"
        stroke="currentColor"
        strokeWidth={isLit ? 1.5 : 1}
      >
        <title>{w.refers(from, to, columns.join(', '))}</title>
      </path>
      <path d={`M${x2 + 7},${y2 - 4} L${x2 + 1},${y2} L${x2 + 7},${y2 + 4} Z`} fill="currentColor" />
    </g>
  );
}

function NodeBox({
  node: { name, x, y },
  kind,
  isChosen,
  isLit,
  onChoose,
}: {
  readonly node: GraphNode;
  readonly kind: string | null;
  readonly isChosen: boolean;
  readonly isLit: boolean;
  onChoose(): void;
}) {
  const isEntity = kind === 'company' || kind === 'individual' || kind === 'asset';
  return (
    <g
      role="button"
      tabIndex={0}
      aria-pressed={isChosen}
      aria-label={name}
      transform={`translate(${x},${y})`}
      opacity={isLit ? 1 : 0.5}
      className="cursor-pointer"
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onChoose();
      }}
    >
      <rect
        width={nodeWidth}
        height={nodeHeight}
        rx={6}
        fill={isChosen ? 'var(--accent-soft)' : isEntity ? 'var(--sunken)' : 'var(--panel)'}
        stroke={isChosen ? 'var(--accent)' : 'var(--line2)'}
        strokeWidth={isEntity ? 1.5 : 1}
      />
      <text
        x={nodeWidth / 2}
        y={nodeHeight / 2 + 4}
        textAnchor="middle"
        fill="var(--ink)"
        className="font-mono text-meta"
      >
        {name.length > nameLengthMax ? `${name.slice(0, nameLengthMax - 1)}…` : name}
        <title>{name}</title>
      </text>
    </g>
  );
}
