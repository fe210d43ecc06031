import { useMemo } from 'react';
import { qrModules } from './qr.ts';

const quietModules = 4;

/** A text as a QR code: dark on white in both themes, as readers want it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const modules = useMemo(() => qrModules(text), [text]);
  const size = modules.length + 2 * quietModules;
  const path = modules
    .flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x + quietModules} ${y + quietModules}h1v1h-1z`] : [])),
    )
    .join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className="size-48 self-center rounded-[6px]">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
