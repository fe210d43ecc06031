import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { paletteNow } from '../charts/chart.tsx';
import { shownKey } from '../entities/shown-key.ts';
import { IconButton } from '../kit/button.tsx';
import { useWheelZoom } from '../kit/use-wheel-zoom.ts';
import { useTheme } from '../shell/theme.ts';
import { useWords } from '../words/words.ts';
import { embeddingWords } from './words.ts';

export type MapPoint = {
  readonly at: number;
  readonly key: string | null;
  readonly x: number;
  readonly y: number;
  readonly color: string | null;
};

type View = { readonly x: number; readonly y: number; readonly zoom: number };
type Size = { readonly width: number; readonly height: number };

const wholeView: View = { x: 0, y: 0, zoom: 1 };
const zoomStep = 1.4;
const zoomMost = 60;
const heightPx = 540;
const marginPx = 24;
/** How near the pointer must be to a point to mean it. */
const reachPx = 12;

/** Points on a plane, drawn on a canvas: thousands of them follow the pointer at once. `near` are lit. */
export function PointMap({
  points,
  chosen,
  near,
  label,
  onChoose,
}: {
  readonly points: readonly MapPoint[];
  readonly chosen: MapPoint | undefined;
  readonly near: ReadonlySet<string>;
  readonly label: string;
  onChoose(point: MapPoint): void;
}) {
  const w = useWords(embeddingWords);
  const theme = useTheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: heightPx });
  const [view, setView] = useState(wholeView);
  const [hovered, setHovered] = useState<MapPoint | null>(null);
  const drag = useRef<{ readonly x: number; readonly y: number; readonly view: View; isMoved: boolean } | null>(null);
  const place = placing(points, size, view);
  useEffect(() => {
    const element = canvas.current!;
    const watched = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watched.observe(element);
    return () => watched.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew in another theme, and `place` is of the others
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      drawPoints(canvas.current!, size, points, { place, chosen, near, hovered }),
    );
    return () => cancelAnimationFrame(frame);
  }, [points, size, view, chosen, near, hovered, theme]);
  const zoomBy = (factor: number) =>
    setView((before) => {
      const zoom = Math.min(zoomMost, Math.max(1, before.zoom * factor));
      return { x: (before.x * zoom) / before.zoom, y: (before.y * zoom) / before.zoom, zoom };
    });
  useWheelZoom(canvas, zoomBy);
  const nearest = (event: PointerEvent): MapPoint | null => {
    const box = canvas.current!.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let best: MapPoint | null = null;
    let distance = reachPx;
    for (const point of points) {
      const [x, y] = place(point);
      const away = Math.hypot(x - px, y - py);
      if (away < distance) [best, distance] = [point, away];
    }
    return best;
  };
  const onMove = (event: PointerEvent) => {
    const from = drag.current;
    if (!from) return setHovered(nearest(event));
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.isMoved && Math.hypot(dx, dy) < 4) return;
    from.isMoved = true;
    canvas.current!.setPointerCapture(event.pointerId);
    setView({ ...view, x: from.view.x + dx, y: from.view.y + dy });
  };
  const onUp = (event: PointerEvent) => {
    const point = drag.current?.isMoved ? null : nearest(event);
    drag.current = null;
    if (point) onChoose(point);
  };
  const [hoverX, hoverY] = hovered ? place(hovered) : [0, 0];
  return (
    <div className="relative">
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        className={`block w-full touch-none ${hovered ? 'cursor-pointer' : 'cursor-grab active:cursor-grabbing'}`}
        style={{ height: heightPx }}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY, view, isMoved: false };
        }}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={() => {
          drag.current = null;
        }}
        onPointerLeave={() => setHovered(null)}
      />
      {hovered && (
        <span
          className="pointer-events-none absolute max-w-56 truncate rounded-[6px] bg-ink px-2 py-1 font-mono text-canvas text-meta"
          style={{ left: Math.min(hoverX + 10, Math.max(0, size.width - 180)), top: Math.max(0, hoverY - 30) }}
        >
          {hovered.key === null ? w.hidden : shownKey(hovered.key)}
        </span>
      )}
      <div className="absolute top-2 right-2 flex flex-col rounded-[6px] border border-line bg-panel">
        <IconButton label={w.zoomIn} icon={<ZoomIn size={15} />} onClick={() => zoomBy(zoomStep)} />
        <IconButton label={w.zoomOut} icon={<ZoomOut size={15} />} onClick={() => zoomBy(1 / zoomStep)} />
        <IconButton label={w.fit} icon={<Maximize size={15} />} onClick={() => setView(wholeView)} />
      </div>
    </div>
  );
}

/** From the plane to pixels: all points fill the canvas, both axes on the same scale, then moved by the view. */
function placing(points: readonly MapPoint[], { width, height }: Size, view: View) {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  const spread = Math.max((right - left) / Math.max(1, width - 2 * marginPx), (top - bottom) / (height - 2 * marginPx));
  const scale = view.zoom / Math.max(spread, Number.EPSILON);
  const [middleX, middleY] = [(left + right) / 2, (bottom + top) / 2];
  return ({ x, y }: { readonly x: number; readonly y: number }): readonly [number, number] => [
    width / 2 + view.x + (x - middleX) * scale,
    height / 2 + view.y - (y - middleY) * scale,
  ];
}

function drawPoints(
  canvas: HTMLCanvasElement,
  { width, height }: Size,
  points: readonly MapPoint[],
  {
    place,
    chosen,
    near,
    hovered,
  }: {
    readonly place: ReturnType<typeof placing>;
    readonly chosen: MapPoint | undefined;
    readonly near: ReadonlySet<string>;
    readonly hovered: MapPoint | null;
  },
): void {
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  const pen = canvas.getContext('2d')!;
  const palette = paletteNow();
  pen.scale(density, density);
  const dot = (point: MapPoint, radius: number, color: string) => {
    const [x, y] = place(point);
    if (x < -radius || y < -radius || x > width + radius || y > height + radius) return;
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
  };
  pen.globalAlpha = near.size > 0 ? 0.35 : 0.7;
  for (const point of points) if (!point.color) dot(point, 2.5, palette.ink3);
  pen.globalAlpha = near.size > 0 ? 0.6 : 1;
  for (const point of points) if (point.color) dot(point, 3.5, point.color);
  pen.globalAlpha = 1;
  for (const point of points) if (point.key !== null && near.has(point.key)) dot(point, 4, palette.accent);
  for (const point of [hovered, chosen]) {
    if (!point) continue;
    dot(point, 6, point === chosen ? palette.ink : palette.accent);
    const [x, y] = place(point);
    pen.strokeStyle = palette.panel;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.arc(x, y, 6, 0, 2 * Math.PI);
    pen.stroke();
  }
}
