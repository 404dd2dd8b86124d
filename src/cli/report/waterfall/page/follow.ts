import type { TraceChanges, UploadTrace } from '../UploadTrace.js';

/**
 * Follows an upload by server-sent events, until it is over.
 *
 * @param version of the trace that is known
 * @param hear takes the trace that has become of it, and the indices of the rows that have changed
 * @param tell takes words about the connection; an empty text when it stands
 */
export function follow(
  known: UploadTrace,
  version: number,
  traced: (trace: UploadTrace, changed: readonly number[]) => void,
  said: (words: string) => void,
): void {
  const source = new EventSource(`events?since=${version}`);
  let trace = known;
  source.addEventListener('changes', (event: MessageEvent<string>) => {
    const { rows: changed, version: _version, ...rest } = JSON.parse(event.data) as TraceChanges;
    const rows = [...trace.rows];
    for (const [index, row] of changed) rows[index] = row;
    trace = { ...rest, rows };
    if (trace.state !== 'running') source.close();
    traced(
      trace,
      changed.map(([index]) => index),
    );
  });
  source.addEventListener('open', () => said(''));
  source.addEventListener('error', () => said('The upload cannot be reached; this is its last known state'));
}
