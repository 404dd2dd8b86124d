/**
 * Phase of a pacer within a window.
 *
 *  - `unpaced`: nothing is known of the other clients, or they have had their turns. The share follows from how fast `remaining` falls.
 *  - `probe`: the window has opened. Every client sends one request, at a random moment of the first slot. How far `remaining` has fallen by then
 *    is its rank.
 *  - `share`: in the second slot the order is reversed. The client that came last goes first, and each divides what it finds by its rank: as many
 *    are still to come. The first of the probes takes all that is left.
 *  - `reclaim`: others may have left part of their shares. One request finds out, and if it passes all the rest is taken.
 *  - `trickle`: there is nobody to share with, or the quota trickles back (a sliding window, a token bucket): all that there is is taken.
 */
export type Phase = 'unpaced' | 'probe' | 'share' | 'reclaim' | 'trickle';

/** Event that may move a pacer to another phase. */
export type WindowEvent =
  /** The probe has been answered in time: this client has a rank, and a share. */
  | 'ranked'
  /** The probe came too late for a rank. */
  | 'late'
  /** The probe shows that the quota trickles back. */
  | 'trickling'
  /** The share, or the quota itself, seems to be used up, but others may have left something. */
  | 'leftover'
  /** Nothing is announced to be left for a very long time, by a server that has never refused. */
  | 'doubtful'
  /** Nothing is left until the window ends, and other clients share it. */
  | 'used up'
  /** Nothing is left until the window ends or quota trickles back, and there is nobody to share with in an orderly way. */
  | 'used up alone'
  /** A request has passed although the window was closed: the quota is not used up. */
  | 'refuted'
  /** A 429 announces that requests are left: `remaining` is of no use, the gate alone holds. */
  | 'unreliable';

const fromAny = (to: Phase): Readonly<Record<Phase, Phase>> => ({ unpaced: to, probe: to, share: to, reclaim: to, trickle: to });

/** Next phase by event and phase; an event without one does not occur in that phase. */
export const TRANSITIONS: Readonly<Record<WindowEvent, Readonly<Partial<Record<Phase, Phase>>>>> = {
  ranked: { probe: 'share' },
  late: { probe: 'unpaced' },
  trickling: { probe: 'trickle' },
  leftover: { unpaced: 'reclaim', probe: 'reclaim', share: 'reclaim' },
  doubtful: { unpaced: 'reclaim', share: 'reclaim', reclaim: 'reclaim', trickle: 'reclaim' },
  'used up': fromAny('probe'),
  'used up alone': fromAny('trickle'),
  refuted: fromAny('probe'),
  unreliable: fromAny('unpaced'),
};

/** Phase that follows `phase` after `event`. */
export function nextPhase(phase: Phase, event: WindowEvent): Phase {
  return TRANSITIONS[event][phase] ?? phase;
}
