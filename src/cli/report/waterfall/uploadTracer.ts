import { delaySources } from '../../../headers/sources/delaySources.js';
import type { FailedEvent, SummaryEvent, UploadBuildEvent, UploadWaitEvent } from '../../../node/UploadBuildEvent.js';
import { retryReport } from '../../../operation/retryReport.js';
import { isHttpError } from '../../../request/errors/HttpError.js';
import type { HttpEvent } from '../../../request/HttpEvent.js';
import { elapsed, wallClock } from '../../../time.js';
import { shift } from '../../../timeline/joinTimelines.js';
import { recordRequest, type RequestRecord } from '../../../timeline/recordRequest.js';
import type { TimelineStep } from '../../../timeline/TimelineData.js';
import { withOptionNames } from '../../withOptionNames.js';
import type { TraceChanges, UploadRow, UploadState, UploadTotals, UploadTrace } from './UploadTrace.js';

/** Record of a running upload. */
export interface UploadTracer {
  readonly next: (event: UploadBuildEvent) => void;
  /** Ends the record; requests that are running were stopped. */
  readonly close: (failure?: string) => void;
  readonly read: () => UploadTrace;
  readonly rowAt: (index: number) => UploadRow | undefined;
  /** Number of changes so far. */
  readonly version: () => number;
  /** The changes after a version; all of it for 0. */
  readonly changesSince: (version: number) => TraceChanges;
}

interface OpenRow {
  readonly kind: UploadRow['kind'];
  readonly record: RequestRecord;
  /** Beginning of the row's first step, on the `elapsed()` clock. */
  readonly start: number;
  readonly steps: TimelineStep[];
  details: Pick<UploadRow, 'bytes' | 'how' | 'reason'>;
  /** Attempt under way or the last one, and the last one with a known response. */
  attempt: number;
  answered: number;
  /** Version of the row's last change. */
  changed: number;
}

/** A quota that is used up as far as is known by now. */
interface OpenQuota {
  readonly host: string;
  readonly start: number;
  end: number;
  /** True if an answer has said when it ends. Waits alone are longer, by the spread that keeps those which wait apart. */
  isSaid: boolean;
}

const NO_HEADERS = new Headers();

/** Sources of waits at gates without a quota. */
const OWN_GATES: readonly string[] = ['slots', 'breaker', 'backoff'];

/** Starts the record of an upload that begins now. Its clocks are those of `time.ts`, virtual ones under `TestScheduler.run`. */
export function uploadTracer(): UploadTracer {
  const [began, beganAt] = [elapsed(), new Date(wallClock()).toISOString()];
  const rows: OpenRow[] = [];
  const files = new Map<string, OpenRow>();
  const open = new Map<UploadWaitEvent['step'], OpenRow>();
  const quotas: OpenQuota[] = [];
  const throttled: number[] = [];
  const totals = { files: 0, arrived: 0, failed: 0, unsent: 0, bytes: 0, sentBytes: 0, requests: 0 };
  let build: UploadTrace['build'];
  let summary: SummaryEvent | undefined;
  let state: UploadState = 'running';
  let failure: string | undefined;
  let end: number | undefined;
  let permittedAt = 0;
  let version = 0;

  const now = (): number => elapsed() - began;

  const openRow = (kind: UploadRow['kind'], label: string, start = elapsed()): OpenRow => {
    const row: OpenRow = {
      kind,
      record: recordRequest({ label }),
      start,
      steps: [],
      details: {},
      attempt: 0,
      answered: 0,
      changed: version,
    };
    rows.push(row);
    return row;
  };
  const fileRow = (path: string): OpenRow => {
    const known = files.get(path);
    if (known) return known;
    const row = openRow('file', path);
    files.set(path, row);
    return row;
  };
  const addLook = (end: number): void => {
    const row = openRow('step', 'Look at the files', began);
    row.steps.push({ name: 'look', start: began, end });
    answered(row, OK);
  };
  const stepRow = (step: UploadWaitEvent['step']): OpenRow => {
    const row = open.get(step) ?? openRow('step', STEP_LABELS[step]);
    open.set(step, row);
    if (row.attempt === 0) sent(row, 1);
    return row;
  };

  const recordIn = (row: OpenRow, event: HttpEvent): void => row.record.next(event);
  const sent = (row: OpenRow, attempt: number): void => {
    if (row.attempt === 0) addPermitStep(row);
    row.attempt = attempt;
    totals.requests++;
    recordIn(row, { type: 'sent', attempt });
  };
  const addPermitStep = ({ kind, steps }: OpenRow): void => {
    const hashed = steps.at(-1);
    if (kind === 'file' && hashed && permittedAt > hashed.end) steps.push({ name: 'permit', start: hashed.end, end: permittedAt });
  };
  const answered = (row: OpenRow, status: number): void => {
    recordIn(row, { type: 'headers', attempt: row.attempt, status, headers: NO_HEADERS, url: '' });
    recordIn(row, { type: 'response', attempt: row.attempt, status, headers: NO_HEADERS, url: '', body: undefined });
    row.record.complete();
  };
  const waits = (row: OpenRow, event: UploadWaitEvent): void => {
    const { status, attempt } = event;
    // A wait that becomes longer is reported again, with the response before it.
    const isNews = status !== undefined && attempt > row.answered;
    if (isNews) {
      row.answered = attempt;
      recordIn(row, { type: 'headers', attempt, status, headers: NO_HEADERS, url: '' });
      if (status === 429) throttled.push(now());
    }
    recordIn(row, { ...event, capped: false, elapsed: now() });
    if (status === 429 || (event.kind === 'gate' && !OWN_GATES.includes(event.source))) addQuota(event, isNews);
  };
  /** Notes a used-up quota: until when the server said so in an answer; before that until the first of those that wait may go. */
  const addQuota = (event: UploadWaitEvent, isNews: boolean): void => {
    const { host, delay } = event;
    const start = now();
    const said = isNews ? saidDelay(event) : undefined;
    const end = start + (said ?? delay);
    const before = quotas.findLast((span) => span.host === host && span.end >= start);
    if (before === undefined) quotas.push({ host, start, end, isSaid: said !== undefined });
    else if (said !== undefined) Object.assign(before, { end: before.isSaid ? Math.max(before.end, end) : end, isSaid: true });
    else if (!before.isSaid) before.end = Math.min(before.end, end);
  };
  const fails = (row: OpenRow, { error, reason }: FailedEvent): void => {
    row.details = { ...row.details, reason: withOptionNames(reason) };
    if (isHttpError(error)) recordIn(row, { type: 'headers', attempt: row.attempt, status: error.status, headers: NO_HEADERS, url: '' });
    const report = retryReport(error);
    if (report) recordIn(row, { type: 'gave-up', attempt: row.attempt, reason: report.reason, elapsed: report.elapsed, error });
    row.record.fail(error);
  };
  const endStep = (step: UploadWaitEvent['step'], status: number): void => {
    const row = stepRow(step);
    answered(row, status);
    touch(row);
    open.delete(step);
  };
  const touch = (row: OpenRow): void => {
    row.changed = version;
  };

  const next = (event: UploadBuildEvent): void => {
    version++;
    switch (event.type) {
      case 'hashed': {
        const { path, bytes, hashed, files: count, took } = event;
        if (rows.length === 0) addLook(elapsed() - took);
        const row = openRow('file', path, elapsed() - took);
        files.set(path, row);
        row.steps.push({ name: 'hash', start: elapsed() - took, end: elapsed() });
        row.details = { bytes };
        totals.files = count;
        if (hashed === count) touch(stepRow('create'));
        break;
      }
      case 'created':
        ({ build } = event);
        permittedAt = elapsed();
        endStep('create', CREATED);
        break;
      case 'progress': {
        const row = fileRow(event.path);
        if (event.attempt !== row.attempt) sent(row, event.attempt);
        if (event.loaded > 0) recordIn(row, { type: 'upload', attempt: event.attempt, loaded: event.loaded, total: event.total });
        touch(row);
        break;
      }
      case 'wait': {
        const row = event.path === undefined ? stepRow(event.step) : fileRow(event.path);
        waits(row, event);
        touch(row);
        break;
      }
      case 'done': {
        const row = fileRow(event.path);
        row.details = { bytes: event.bytes, how: event.how };
        answered(row, event.status ?? OK);
        totals.arrived++;
        totals.bytes += event.bytes;
        if (event.how === 'sent') totals.sentBytes += event.bytes;
        else totals.unsent++;
        touch(row);
        if (event.arrived === event.files) touch(stepRow('complete'));
        break;
      }
      case 'failed': {
        const row = fileRow(event.path);
        fails(row, event);
        totals.failed++;
        touch(row);
        break;
      }
      case 'completed':
        endStep('complete', OK);
        break;
      case 'summary':
        summary = event;
        state = event.completed ? 'completed' : event.stopped === 'aborted' ? 'stopped' : 'incomplete';
        end = now();
        break;
    }
  };

  const readRow = ({ kind, record, start, steps, details }: OpenRow): UploadRow => ({
    kind,
    ...rounded(shift({ ...record.read(), start, ...(steps.length > 0 && { steps }) }, -began)),
    ...details,
  });
  const readTotals = (): UploadTotals => {
    if (!summary) return totals;
    const { arrived, failed, kept, duplicates, bytes, sentBytes, requests, waited } = summary;
    return { files: summary.files, arrived, failed, unsent: kept + duplicates, bytes, sentBytes, requests, waited };
  };
  const readRest = (): Omit<UploadTrace, 'rows'> => ({
    began: beganAt,
    end: tenth(end ?? now()),
    state,
    ...(failure !== undefined && { failure }),
    ...(build && { build }),
    totals: { ...readTotals() },
    quotas: quotas.map(({ host, start, end }) => ({ host, start: tenth(start), end: tenth(end) })),
    throttled: throttled.map(tenth),
  });

  return {
    next,
    close: (reason) => {
      version++;
      end ??= now();
      if (state === 'running') state = 'stopped';
      failure = reason;
      for (const row of rows) {
        if (row.record.read().outcome.type === 'running') touch(row);
        row.record.leave();
      }
    },
    read: () => ({ ...readRest(), rows: rows.map(readRow) }),
    rowAt: (index) => {
      const row = rows[index];
      return row && readRow(row);
    },
    version: () => version,
    changesSince: (since) => ({
      ...readRest(),
      version,
      rows: rows.flatMap((row, index) => (row.changed > since || since === 0 ? [[index, readRow(row)] as const] : [])),
    }),
  };
}

/** Delay in the fields of the answer that a request waits for, in ms; undefined where the delay is not the server's. */
function saidDelay({ error, source }: UploadWaitEvent): number | undefined {
  if (!isHttpError(error) || !Object.hasOwn(delaySources, source)) return undefined;
  return delaySources[source as keyof typeof delaySources](error.headers, wallClock());
}

const STEP_LABELS = { create: 'Ask what is missing', upload: 'Upload', complete: 'Complete' } as const;

/** Statuses of responses whose events lack one. */
const [OK, CREATED] = [200, 201];

/** A row with moments of 0.1 ms: twenty thousand of them are a large file. */
function rounded<T extends Omit<UploadRow, 'kind'>>(row: T): T {
  const part = <P extends { readonly start: number; readonly end: number }>(each: P): P => ({
    ...each,
    start: tenth(each.start),
    end: tenth(each.end),
  });
  return {
    ...part(row),
    attempts: row.attempts.map((attempt) => ({
      ...part(attempt),
      ...(attempt.headersAt !== undefined && { headersAt: tenth(attempt.headersAt) }),
    })),
    waits: row.waits.map(part),
    ...(row.steps && { steps: row.steps.map(part) }),
  };
}

function tenth(ms: number): number {
  return Math.round(ms * 10) / 10;
}
