import { BarChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TooltipComponent,
} from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([
  BarChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TooltipComponent,
  SVGRenderer,
]);

export type Option = EChartsCoreOption;

/** Draws a chart into an element, and again whenever the element changes its size. Returns what ends it. */
export function draw(element: HTMLElement, option: Option): () => void {
  const chart = init(element, undefined, { renderer: 'svg' });
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  chart.setOption({ animation: !isStill, animationDuration: 150, ...option });
  const resized = new ResizeObserver(() => chart.resize());
  resized.observe(element);
  return () => {
    resized.disconnect();
    chart.dispose();
  };
}
