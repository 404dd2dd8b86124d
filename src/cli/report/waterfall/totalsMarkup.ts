import { isHttpUrl } from '../../../request/urls.js';
import { formatDuration } from '../../../request/duration.js';
import { counted, printable } from '../../../request/printable.js';
import { element, escapeText } from '../../../timeline/svg/element.js';
import { formatBytes } from '../formatBytes.js';
import { MAX_ID } from '../summaryLines.js';
import type { UploadTrace } from './UploadTrace.js';
import { titleOf } from './words.js';

const BADGES = { running: 'running', completed: 'complete', incomplete: 'not complete', stopped: 'stopped' } as const;

/** Head of the page: its title, the build, and the numbers. */
export function totalsMarkup(trace: Omit<UploadTrace, 'rows'>): string {
  const { state, began, end, build, failure, totals, throttled } = trace;
  const { failed, unsent, bytes, sentBytes, requests, waited } = totals;
  const cards = [
    ['Time', formatDuration(end), waited === undefined ? '' : `${formatDuration(waited)} waited`],
    ['Bytes', formatBytes(bytes), `${formatBytes(sentBytes)} sent`],
    ['Not sent', counted(unsent, 'file'), 'there already, or duplicates'],
    ['Requests', String(requests), `${throttled.length} answered 429`],
    ['Failed', counted(failed, 'file'), ''],
  ] as const;
  const day = `${began.slice(0, 10)} ${began.slice(11, 16)} UTC`;
  return [
    `<h1>${escapeText(titleOf(trace))} ${element('span', { class: `badge ${state}` }, BADGES[state])}</h1>`,
    `<p class="quiet">${[...(build ? [buildMarkup(build)] : []), `began ${escapeText(day)}`].join(' · ')}</p>`,
    ...(failure === undefined ? [] : [`<p class="failure">${escapeText(printable(failure))}</p>`]),
    `<dl class="totals">${cards
      .map(([name, value, more]) => {
        const tone = name === 'Failed' && failed > 0 ? ' class="bad"' : '';
        return `<div${tone}><dt>${name}</dt><dd>${escapeText(value)}</dd>${more === '' ? '' : `<dd class="quiet">${escapeText(more)}</dd>`}</div>`;
      })
      .join('')}</dl>`,
  ].join('\n');
}

function buildMarkup({ id, url }: NonNullable<UploadTrace['build']>): string {
  const name = escapeText(id === '' ? printable(url) : `build ${printable(id, MAX_ID)}`);
  return isHttpUrl(url) ? element('a', { href: new URL(url).href, rel: 'noreferrer noopener' }, name) : name;
}
