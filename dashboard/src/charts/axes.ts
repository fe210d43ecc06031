import type { Palette } from './chart.tsx';

const font = 'Geist Variable, system-ui, sans-serif';

/** What charts share: quiet axes, a tooltip like the page, room for labels. */
export function baseOption(palette: Palette) {
  return {
    textStyle: { fontFamily: font, fontSize: 11, color: palette.ink2 },
    grid: { left: 8, right: 12, top: 16, bottom: 4, containLabel: true },
    tooltip: {
      trigger: 'axis',
      confine: true,
      backgroundColor: palette.panel,
      borderColor: palette.line,
      padding: [6, 10],
      textStyle: { color: palette.ink, fontSize: 12, fontFamily: font },
      axisPointer: { lineStyle: { color: palette.ink3 } },
    },
  };
}

/**
 * An axis of numbers or names. `say` writes its labels, and must be of the page's language. `align`: to which side the
 * name of an axis stands that would not fit around it.
 */
export function axis(palette: Palette, say?: (value: never) => string, align?: 'left' | 'right') {
  return {
    axisLine: { lineStyle: { color: palette.line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: palette.line } },
    axisLabel: { color: palette.ink3, fontSize: 11, hideOverlap: true, ...(say ? { formatter: say } : {}) },
    nameTextStyle: { color: palette.ink3, fontSize: 11, ...(align && { align }) },
  };
}
