import type { Browser } from 'playwright-core';
import { onPath } from './onPath.js';

/** Path of Chromium, if this machine has one. */
export const CHROMIUM = onPath(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium');

// Arguments of Chromium: no sandbox, since test machines run as root; no HTTP/3; no connection but those that a page asks for.
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium; the caller closes it. */
export async function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium here; install it, or name it by CHROMIUM_PATH');
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}
