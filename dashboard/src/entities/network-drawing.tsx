import { useNavigate } from '@tanstack/react-router';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { IconButton } from '../kit/button.tsx';
import { useWheelZoom } from '../kit/use-wheel-zoom.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Frame, Place } from './layout.ts';
import type { Network, NetworkNode } from './network-marks.ts';
import { lineWidthOf, namedUpTo, namedWithRoom, nodeName, pairsOf, radiusOf, shortName } from './network-marks.ts';
import { entityWords } from './words.ts';

const zoomStep = 1.3;
const zoomMost = 8;
const heightPx = 520;

type View = { readonly x: number; readonly y: number; readonly zoom: number };
const wholeView: View = { x: 0, y: 0, zoom: 1 };

/**
 * The network as a drawing. Entities are buttons: arrow keys go from one to the next, Enter opens, a click chooses. The
 * plane is moved by dragging and made larger by buttons or the wheel with Ctrl.
 */
export function NetworkDrawing({
  network,
  places,
  frame,
  chosenId,
  onChoose,
}: {
  readonly network: Network;
  readonly places: ReadonlyMap<number, Place>;
  readonly frame: Frame;
  readonly chosenId: number | undefined;
  onChoose(id: number): void;
}) {
  const w = useWords(entityWords);
  const format = useFormat();
  const navigate = useNavigate();
  const [view, setView] = useState(wholeView);
  const svg = useRef<SVGSVGElement>(null);
  const pairs = useMemo(() => pairsOf(network.edges), [network]);
  const near = useMemo(() => {
    if (chosenId === undefined) return null;
    return new Set(network.edges.flatMap(({ from, to }) => (from === chosenId ? [to] : to === chosenId ? [from] : [])));
  }, [network, chosenId]);
  const zoomBy = (factor: number) =>
    setView((before) => ({ ...before, zoom: Math.min(zoomMost, Math.max(1 / zoomMost, before.zoom * factor)) }));
  useWheelZoom(svg, zoomBy);
  const drag = useDrag(svg, frame, view, setView);
  const middle = { x: frame.x + frame.width / 2 + view.x, y: frame.y + frame.height / 2 + view.y };
  const size = { width: frame.width / view.zoom, height: frame.height / view.zoom };
  const box = `${middle.x - size.width / 2} ${middle.y - size.height / 2} ${size.width} ${size.height}`;
  const open = ({ table, key }: NetworkNode) =>
    key !== null && navigate({ to: '/entities/$table/$key', params: { table, key }, search: { tab: 'network' } });
  const focusOn = (id: number) => svg.current?.querySelector<SVGGElement>(`[data-node="${id}"]`)?.focus();
  const onKey = (event: KeyboardEvent, node: NetworkNode, at: number) => {
    if (event.key === 'Enter') open(node);
    else if (event.key === ' ') onChoose(node.id);
    else if (event.key === '+' || event.key === '=') zoomBy(zoomStep);
    else if (event.key === '-') zoomBy(1 / zoomStep);
    else {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      const next = network.nodes[(at + step + network.nodes.length) % network.nodes.length];
      focusOn(next.id);
    }
    event.preventDefault();
  };
  const firstFocus = chosenId ?? network.nodes[0].id;
  // Marks keep their size in a network of any extent: they are drawn in units of about a pixel at full view.
  const unit = Math.max(frame.width / 900, frame.height / heightPx, 1);
  const withRoom = useMemo(() => namedWithRoom(network.nodes, places, unit), [network, places, unit]);
  const isNamed = ({ id, hops }: NetworkNode) =>
    hops === 0 ||
    id === chosenId ||
    near?.has(id) ||
    withRoom.has(id) ||
    network.nodes.length * (1 / view.zoom) <= namedUpTo;
  return (
    <div className="relative">
      <svg
        ref={svg}
        viewBox={box}
        role="group"
        aria-label={w.drawing(format.integer(network.nodes.length), format.integer(network.edges.length))}
        className="block w-full cursor-grab touch-none select-none active:cursor-grabbing"
        style={{ height: heightPx }}
        {...drag}
      >
        {pairs.map(({ from, to, count }) => {
          const [a, b] = [places.get(from), places.get(to)];
          const isNear = from === chosenId || to === chosenId;
          return (
            a &&
            b && (
              <line
                key={`${from} ${to}`}
                x1={a.x}
                y1={a.y}
                x2={b.x}
                y2={b.y}
                stroke={isNear ? 'var(--accent)' : 'var(--line2)'}
                strokeOpacity={isNear ? 0.9 : near ? 0.2 : 0.45}
                strokeWidth={lineWidthOf(count) * unit}
              />
            )
          );
        })}
        {network.nodes.map((node, at) => {
          const place = places.get(node.id);
          if (!place) return null;
          const isChosen = node.id === chosenId;
          const radius = radiusOf(node.hops) * unit;
          return (
            <g
              key={node.id}
              role="button"
              data-node={node.id}
              tabIndex={node.id === firstFocus ? 0 : -1}
              aria-label={`${node.key === null ? '' : `${node.table} `}${nodeName(node)}, ${w.hop(node.hops)}`}
              aria-pressed={isChosen}
              transform={`translate(${place.x} ${place.y})`}
              onClick={() => onChoose(node.id)}
              onDoubleClick={() => open(node)}
              onKeyDown={(event) => onKey(event, node, at)}
              className="group cursor-pointer outline-none"
            >
              <circle r={Math.max(12 * unit, radius)} fill="transparent" />
              <circle
                r={radius + 3 * unit}
                fill="none"
                stroke="var(--accent)"
                strokeWidth={2 * unit}
                className={isChosen ? '' : 'opacity-0 group-focus-visible:opacity-100'}
              />
              <circle
                r={radius}
                fill={node.hops === 0 ? 'var(--ink)' : 'var(--panel)'}
                stroke={near?.has(node.id) ? 'var(--accent)' : 'var(--ink2)'}
                strokeWidth={1.5 * unit}
                strokeDasharray={node.key === null ? `${2 * unit} ${2 * unit}` : undefined}
              />
              {isNamed(node) && (
                <text
                  y={radius + 13 * unit}
                  textAnchor="middle"
                  fontSize={11 * unit}
                  fill={node.hops === 0 ? 'var(--ink)' : 'var(--ink2)'}
                  stroke="var(--panel)"
                  strokeWidth={3 * unit}
                  paintOrder="stroke"
                >
                  {shortName(node)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <div className="absolute top-2 right-2 flex flex-col rounded-[6px] border border-line bg-panel">
        <IconButton label={w.zoomIn} icon={<ZoomIn size={15} />} onClick={() => zoomBy(zoomStep)} />
        <IconButton label={w.zoomOut} icon={<ZoomOut size={15} />} onClick={() => zoomBy(1 / zoomStep)} />
        <IconButton label={w.fit} icon={<Maximize size={15} />} onClick={() => setView(wholeView)} />
      </div>
    </div>
  );
}

function useDrag(svg: React.RefObject<SVGSVGElement | null>, frame: Frame, view: View, setView: (view: View) => void) {
  const from = useRef<{ readonly x: number; readonly y: number; readonly view: View } | null>(null);
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button === 0) from.current = { x: event.clientX, y: event.clientY, view };
    },
    onPointerMove(event: PointerEvent) {
      if (!from.current || !svg.current) return;
      const [dx, dy] = [event.clientX - from.current.x, event.clientY - from.current.y];
      if (Math.hypot(dx, dy) < 4) return;
      // Taken only once it is a drag, so that a press on an entity stays its click.
      svg.current.setPointerCapture(event.pointerId);
      const scale =
        Math.max(frame.width / svg.current.clientWidth, frame.height / svg.current.clientHeight) / view.zoom;
      setView({ ...view, x: from.current.view.x - dx * scale, y: from.current.view.y - dy * scale });
    },
    onPointerUp() {
      from.current = null;
    },
    onPointerCancel() {
      from.current = null;
    },
  };
}
