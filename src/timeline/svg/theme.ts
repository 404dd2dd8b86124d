import { element } from './element.js';

/** Colours of a picture: one set, or the one that the reader prefers. */
export type Theme = 'auto' | 'light' | 'dark';

/** The class of all pictures. */
export const PICTURE = 'coldfetch-timeline';

const LIGHT = {
  ground: '#ffffff',
  edge: '#d0d7de',
  text: '#1f2328',
  quiet: '#59636e',
  grid: '#e4e8ec',
  line: '#c4ccd4',
  sign: '#ffffff',
  answered: '#1a7f37',
  throttled: '#b35900',
  broken: '#cf222e',
  refused: '#8250df',
  silent: '#57606a',
  lost: '#a40e5c',
  flying: '#0969da',
  cut: '#6e7781',
  asked: '#0969da',
  own: '#6e7781',
  gate: '#0f766e',
  abort: '#cf222e',
  deadline: '#8250df',
};

const DARK: typeof LIGHT = {
  ground: '#0d1117',
  edge: '#30363d',
  text: '#e6edf3',
  quiet: '#9198a1',
  grid: '#1d242c',
  line: '#3d444d',
  sign: '#0d1117',
  answered: '#3fb950',
  throttled: '#f0a04b',
  broken: '#ff7b72',
  refused: '#bc8cff',
  silent: '#9198a1',
  lost: '#f778ba',
  flying: '#58a6ff',
  cut: '#768390',
  asked: '#58a6ff',
  own: '#8b949e',
  gate: '#2dd4bf',
  abort: '#ff7b72',
  deadline: '#bc8cff',
};

const KINDS = ['answered', 'throttled', 'broken', 'refused', 'silent', 'lost', 'flying', 'cut'] as const;

/** Colours of steps, for either background. */
const STEPS = { look: '#7d8894', hash: '#5f7fd0', permit: '#a274d6', other: '#7d8894' } as const;

/** Hatchings slanted like `/`, like `\`, or upright: told apart without colour. */
const HATCHES = { asked: 45, own: -45, gate: 0 } as const;

/**
 * The style of a picture.
 *
 * @param name a class that no other picture has: the style reaches nothing else of a page that it is a part of
 */
export function style(theme: Theme, name: string): string {
  const variables = (colours: typeof LIGHT): string =>
    Object.entries(colours)
      .map(([name, colour]) => `--${name}:${colour}`)
      .join(';');
  const scope = `.${name}`;
  return [
    `${scope}{${variables(theme === 'dark' ? DARK : LIGHT)};font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}`,
    ...(theme === 'auto' ? [`@media(prefers-color-scheme:dark){${scope}{${variables(DARK)}}}`] : []),
    `${scope} text{fill:var(--text)}`,
    `${scope} .quiet{fill:var(--quiet)}`,
    `${scope} .strong{font-weight:600}`,
    `${scope} .ground{fill:var(--ground);stroke:var(--edge)}`,
    `${scope} .under{fill:var(--ground)}`,
    `${scope} .grid{stroke:var(--grid)}`,
    `${scope} .line{stroke:var(--line)}`,
    `${scope} .sign{fill:none;stroke:var(--sign);stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}`,
    `${scope} .glyph{stroke:var(--ground);stroke-width:1.5;stroke-linejoin:round}`,
    ...KINDS.map((kind) => `${scope} .${kind}{fill:var(--${kind})}`),
    ...KINDS.map((kind) => `${scope} .flight.${kind}{fill-opacity:.3;stroke:var(--${kind})}`),
    `${scope} .flight.cut,${scope} .flight.flying{stroke-dasharray:3 2}`,
    ...Object.keys(HATCHES).map((kind) => `${scope} .stripe.${kind}{stroke:var(--${kind})}`),
    ...Object.keys(HATCHES).map((kind) => `${scope} .wait.${kind}{fill:url(#${name}-${kind});stroke:var(--${kind})}`),
    `${scope} .abort{stroke:var(--abort);stroke-width:2}`,
    `${scope} .deadline{stroke:var(--deadline);stroke-width:2;stroke-dasharray:5 3}`,
  ].join('\n');
}

/** The style of steps, for a picture of that {@link style}. */
export function stepStyle(name: string): string {
  return Object.entries(STEPS)
    .map(([kind, colour]) => `.${name} .step.${kind}{fill:${colour}}`)
    .join('\n');
}

/** The hatchings of waits, for a picture of that {@link style}. */
export function hatches(name: string): string {
  const patterns = Object.entries(HATCHES).map(([kind, angle]) =>
    element(
      'pattern',
      {
        id: `${name}-${kind}`,
        width: 6,
        height: 6,
        patternUnits: 'userSpaceOnUse',
        patternTransform: `rotate(${angle})`,
      },
      element('line', { class: `stripe ${kind}`, x1: 1.5, y1: 0, x2: 1.5, y2: 6, 'stroke-width': 1.6 }),
    ),
  );
  return element('defs', {}, patterns.join(''));
}
