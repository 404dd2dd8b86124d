import { printable } from '../../../../request/printable.js';
import { formatDuration } from '../../../../request/duration.js';
import { formatBytes } from '../../formatBytes.js';
import { activeTime, stateOf, wordOf } from '../words.js';
import { make } from './dom.js';
import type { Shown } from './PageData.js';

/** Files that are shown. */
const MOST = 8;

/** The files that took longest, after those that failed; with their images. */
export function slowest(shown: Shown, open: (index: number) => void): HTMLElement {
  const rows = shown.trace.rows.map((row, index) => ({ row, index, ms: activeTime(row), failed: stateOf(row) === 'failed' }));
  const files = rows.filter(({ row }) => row.kind === 'file' && row.attempts.length + row.waits.length > 0);
  const found = files.sort((a, b) => Number(b.failed) - Number(a.failed) || b.ms - a.ms).slice(0, MOST);
  const images = found.map(({ row, index }) => shown.imageOf(row, index));
  const hasImages = images.some((image) => image !== undefined);
  const cards = found.map(({ row, index, ms, failed }, place) => {
    const image = images[place];
    const picture = image === undefined ? make('span', { class: 'blank' }) : make('img', { src: image, alt: '', loading: 'lazy' });
    const facts = [...(row.bytes === undefined ? [] : [formatBytes(row.bytes)]), formatDuration(ms), wordOf(row)];
    const name = make('span', { class: 'name' }, printable(row.label));
    const button = make(
      'button',
      { type: 'button', class: failed ? 'bad' : 'card' },
      ...(hasImages ? [picture] : []),
      name,
      make('span', { class: 'quiet' }, facts.join(' · ')),
    );
    button.addEventListener('click', () => open(index));
    return make('li', {}, button);
  });
  return make('ul', { class: 'cards' }, ...cards);
}
