import type { QuotaWindow } from '../QuotaWindow.js';

/** Reader of a reset field's number, for the window that it ends: milliseconds from now, `undefined` where it is of no use. */
export type ResetReader = (value: number | undefined, live: QuotaWindow) => number | undefined;
