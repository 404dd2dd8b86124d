/** Reaction of the server to one request. */
export type ScriptedAnswer =
  | { readonly type: 'status'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: 'network' }
  | { readonly type: 'hang' }
  | { readonly type: 'stall' };

/** One step of a script: an answer, and how long the server takes for it in ms; undefined: as long as for all others. */
export interface ExplainStep {
  readonly answer: ScriptedAnswer;
  readonly latency: number | undefined;
}
