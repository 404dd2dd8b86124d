import { createHash } from 'node:crypto';
import { escapeText } from '../../../timeline/svg/element.js';
import { hatches, PICTURE, stepStyle, style } from '../../../timeline/svg/theme.js';
import { PAGE_SCRIPT } from './pageScript.js';
import { PAGE_STYLE } from './pageStyle.js';
import { totalsMarkup } from './totalsMarkup.js';
import type { UploadTrace } from './UploadTrace.js';
import { titleOf } from './words.js';

/** Parts of a {@link waterfallPage} beside the trace. */
export interface PageOptions {
  /** Images of files as `data:` URLs, by their names. */
  readonly thumbnails?: ReadonlyMap<string, string> | undefined;
  /** Version of the trace, for a page that follows an upload; changes are asked for from there. */
  readonly live?: number | undefined;
}

/**
 * The waterfall of an upload as one page that loads nothing. No text of a file name or server can act in it: texts are escaped, and its
 * content security policy runs the page's own script only.
 */
export function waterfallPage(trace: UploadTrace, { thumbnails = new Map(), live }: PageOptions = {}): string {
  const styles = [style('auto', PICTURE), stepStyle(PICTURE), PAGE_STYLE].join('\n');
  const data = { trace, thumbnails: Object.fromEntries(thumbnails), ...(live !== undefined && { live }) };
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(PAGE_SCRIPT)}`,
    `style-src ${hashOf(styles)}`,
    live === undefined ? 'img-src data:' : "img-src 'self' data:; connect-src 'self'",
    "base-uri 'none'; form-action 'none'",
  ].join('; ');
  const title = escapeText(titleOf(trace));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${escapeText(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${styles}</style>
</head>
<body class="${PICTURE}">
<svg class="patterns" aria-hidden="true" width="0" height="0">${hatches(PICTURE)}</svg>
<header id="head">${totalsMarkup(trace)}</header>
<noscript><p>The waterfall is drawn by a script, which is switched off here.</p></noscript>
<main id="main"></main>
<dialog id="details" aria-labelledby="details-title"></dialog>
<script type="application/json" id="data">${inert(JSON.stringify(data))}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** Source of a content security policy that allows this text. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** JSON that cannot end the element that it stands in. */
function inert(json: string): string {
  return json.replace(/</g, '\\u003c');
}
