import type { TraceChanges, UploadTrace } from '../UploadTrace.js';

/**
 * Follows an upload by server-sent events, until it is over.
 *
 * @param known trace that the page has
 * @param version of that trace
 * @param onChange takes the changed trace, and the indices of the rows that have changed
 * @param showStatus takes words about the connection; an empty text when it stands
 */
export function follow(
  known: UploadTrace,
  version: number,
  onChange: (trace: UploadTrace, changed: readonly number[]) => void,
  showStatus: (words: string) => void,
): void {
  const source = new EventSource(`events?since=${version}`);
  let trace = known;
  source.addEventListener('changes', (event: MessageEvent<string>) => {
    const { rows: changed, version: _version, ...rest } = JSON.parse(event.data) as TraceChanges;
    const rows = [...trace.rows];
    for (const [index, row] of changed) rows[index] = row;
    trace = { ...rest, rows };
    if (trace.state !== 'running') source.close();
    onChange(
      trace,
      changed.map(([index]) => index),
    );
  });
  source.addEventListener('open', () => showStatus(''));
  source.addEventListener('error', () => showStatus('The upload cannot be reached; this is its last known state'));
}
