import { make } from './dom.js';
import { ROW_CHOICES, ROW_ORDERS, type RowFilter } from './rowFilter.js';
import type { Zoom } from './Zoom.js';

/** Controls of the waterfall. */
export interface Toolbar {
  readonly element: HTMLElement;
  readonly filter: () => RowFilter;
  /** Shows the number of rows. */
  readonly showCount: (text: string) => void;
}

/** Makes the controls. `changed` is called when another filter is set. */
export function toolbar(zoom: Zoom, changed: () => void): Toolbar {
  const text = make('input', { type: 'search', id: 'search', placeholder: 'Part of a name', autocomplete: 'off', spellcheck: 'false' });
  const only = choice('only', Object.keys(ROW_CHOICES));
  const order = choice('order', Object.keys(ROW_ORDERS));
  const count = make('output', { class: 'count', for: 'search only' });
  text.addEventListener('input', changed);
  for (const select of [only, order]) select.addEventListener('change', changed);
  const bar = make(
    'form',
    { class: 'toolbar', 'aria-label': 'Rows that are shown' },
    field('Find', text),
    field('Show', only),
    field('Order', order),
    make(
      'div',
      { role: 'group', class: 'zoom', 'aria-label': 'Zoom' },
      button('−', 'Zoom out', () => zoom.scale(2)),
      button('+', 'Zoom in', () => zoom.scale(0.5)),
      button('◂', 'Earlier', () => zoom.pan(-0.4)),
      button('▸', 'Later', () => zoom.pan(0.4)),
      button('All', 'Show all of the time', () => zoom.reset()),
    ),
    count,
  );
  bar.addEventListener('submit', (event) => event.preventDefault());
  return {
    element: bar,
    filter: () => ({ text: text.value, only: only.value as RowFilter['only'], order: order.value as RowFilter['order'] }),
    showCount: (words) => {
      if (count.textContent !== words) count.textContent = words;
    },
  };
}

function choice(id: string, words: readonly string[]): HTMLSelectElement {
  return make('select', { id }, ...words.map((word) => make('option', { value: word }, word)));
}

function button(sign: string, name: string, act: () => void): HTMLButtonElement {
  const made = make('button', { type: 'button', title: name, 'aria-label': name }, sign);
  made.addEventListener('click', act);
  return made;
}

function field(name: string, control: HTMLElement): HTMLElement {
  return make('div', { class: 'field' }, make('label', { for: control.id }, name), control);
}
