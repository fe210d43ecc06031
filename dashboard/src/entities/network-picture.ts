import type { Palette } from '../charts/chart.tsx';
import type { Frame, Place } from './layout.ts';
import type { Network } from './network-marks.ts';
import { lineWidthOf, namedUpTo, pairsOf, radiusOf, shortName } from './network-marks.ts';

/** Of the longer side, in pixels. */
const picturePx = 2400;

/** Draws a network into a PNG, in the colours of the page. */
export function networkPicture(
  network: Network,
  places: ReadonlyMap<number, Place>,
  frame: Frame,
  palette: Palette,
): Promise<Blob> {
  const scale = picturePx / Math.max(frame.width, frame.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(frame.width * scale);
  canvas.height = Math.round(frame.height * scale);
  const pen = canvas.getContext('2d')!;
  const unit = Math.max(frame.width / 900, 1);
  pen.fillStyle = palette.panel;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.setTransform(scale, 0, 0, scale, -frame.x * scale, -frame.y * scale);
  pen.strokeStyle = palette.ink3;
  pen.globalAlpha = 0.5;
  for (const { from, to, count } of pairsOf(network.edges)) {
    const [a, b] = [places.get(from), places.get(to)];
    if (!a || !b) continue;
    pen.lineWidth = lineWidthOf(count) * unit;
    pen.beginPath();
    pen.moveTo(a.x, a.y);
    pen.lineTo(b.x, b.y);
    pen.stroke();
  }
  pen.globalAlpha = 1;
  pen.textAlign = 'center';
  pen.font = `${11 * unit}px "Geist Variable", system-ui, sans-serif`;
  for (const node of network.nodes) {
    const { id, hops, key } = node;
    const place = places.get(id);
    if (!place) continue;
    const radius = radiusOf(hops) * unit;
    pen.fillStyle = hops === 0 ? palette.ink : palette.panel;
    pen.strokeStyle = palette.ink2;
    pen.lineWidth = 1.5 * unit;
    pen.setLineDash(key === null ? [2 * unit, 2 * unit] : []);
    pen.beginPath();
    pen.arc(place.x, place.y, radius, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    if (hops > 0 && network.nodes.length > namedUpTo) continue;
    pen.fillStyle = palette.ink;
    pen.fillText(shortName(node), place.x, place.y + radius + 13 * unit);
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))), 'image/png'),
  );
}
