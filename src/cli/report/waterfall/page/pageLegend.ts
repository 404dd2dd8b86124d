import { legend } from '../../../../timeline/svg/legend.js';
import { element } from '../../../../timeline/svg/element.js';
import { make, onFrame } from './dom.js';
import type { Shown } from './PageData.js';

/** Legend of the shapes that the page has. */
export function pageLegend(shown: Shown): { readonly element: HTMLElement; readonly draw: () => void } {
  const box = make('div', { class: 'legend' });
  const draw = onFrame(() => {
    const { rows, end, quotas, throttled } = shown.trace;
    const { markup, height } = legend({ began: 0, end, requests: rows }, end, box.clientWidth);
    const size = { width: box.clientWidth, height, role: 'img', 'aria-label': 'Legend' };
    box.innerHTML = element('svg', size, markup);
    box.append(
      ...(quotas.length > 0 ? [make('span', { class: 'key' }, make('i', { class: 'quota' }), 'quota used up')] : []),
      ...(throttled.length > 0 ? [make('span', { class: 'key' }, make('i', { class: 'refusal' }), 'an answer 429')] : []),
    );
  });
  new ResizeObserver(draw).observe(box);
  return { element: box, draw };
}
