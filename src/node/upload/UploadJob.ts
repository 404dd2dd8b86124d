import type { HttpClient } from '../../client/HttpClient.js';
import type { WaitEvent } from '../../request/HttpEvent.js';
import { retryReport } from '../../operation/retryReport.js';
import type { FileStamp } from '../files/FileStamp.js';
import type { Screenshot } from '../Screenshot.js';
import type { Build, DoneEvent, FailedEvent, SummaryEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import type { ResolvedOptions } from './resolveOptions.js';
import { describeFailure } from './describeFailure.js';
import { RequestLedger } from './RequestLedger.js';

/** A screenshot whose bytes were read once. */
export interface HashedFile extends Screenshot {
  /** SHA-256 of its bytes, hex. */
  readonly key: string;
  readonly stamp: FileStamp;
}

/** Screenshots with equal bytes: one image under several names. */
export type Image = readonly [HashedFile, ...HashedFile[]];

/** A permit to send one image to object storage. */
export interface UploadForm {
  readonly key: string;
  readonly postUrl: string;
  /** Sent before the file, in this order. */
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** A build, and the permits that came with it, by key. */
export interface OpenBuild {
  readonly build: Build;
  readonly forms: ReadonlyMap<string, UploadForm>;
}

/** State of one subscription of an upload. Each step reads the results of the steps before it. */
export class UploadJob {
  /** All screenshots, in their order. */
  files: readonly HashedFile[] = [];
  /** The build that the files go to; another takes its place when its permits have expired. */
  open: OpenBuild = { build: { id: '', url: '' }, forms: new Map() };
  readonly ledger = new RequestLedger();
  readonly #done: DoneEvent[] = [];
  #failed = 0;

  constructor(
    readonly http: HttpClient,
    readonly options: ResolvedOptions,
  ) {}

  /** The images to be had on the server, each once. */
  get images(): readonly Image[] {
    const images = new Map<string, [HashedFile, ...HashedFile[]]>();
    for (const file of this.files) {
      const same = images.get(file.key);
      if (same) same.push(file);
      else images.set(file.key, [file]);
    }
    return [...images.values()];
  }

  /** Whether every screenshot arrived. */
  get isWhole(): boolean {
    return this.#done.length === this.files.length;
  }

  /** Notes that an image arrived, under all of its names. */
  done([first, ...others]: Image, how: 'sent' | 'kept', attempts: number): DoneEvent[] {
    return [this.#arrived(first, how, attempts), ...others.map((file) => this.#arrived(file, 'duplicate', 0))];
  }

  #arrived({ name, key, stamp }: HashedFile, how: DoneEvent['how'], attempts: number): DoneEvent {
    const { files } = this;
    const event: DoneEvent = {
      type: 'done',
      path: name,
      bytes: stamp.bytes,
      key,
      how,
      attempts,
      arrived: this.#done.length + 1,
      files: files.length,
    };
    this.#done.push(event);
    return event;
  }

  /** Notes that an image failed, under all of its names. */
  failed(image: Image, error: unknown): FailedEvent[] {
    this.#failed += image.length;
    const attempts = retryReport(error)?.attempts ?? 1;
    const reason = describeFailure(error);
    return image.map(({ name, stamp }) => ({ type: 'failed', path: name, bytes: stamp.bytes, reason, error, attempts }));
  }

  /** A wait of the pipeline as one of the upload. */
  waits(event: WaitEvent, step: UploadWaitEvent['step'], path?: string): UploadWaitEvent {
    const { until, delay, kind, source, attempt, status, position, windowsLeft, origin, error } = event;
    return {
      type: 'wait',
      step,
      ...(path !== undefined && { path }),
      host: origin !== undefined && URL.canParse(origin) ? new URL(origin).hostname : '',
      until,
      delay,
      kind,
      source,
      attempt,
      ...(status !== undefined && { status }),
      ...(status === undefined && error !== undefined && { reason: describeFailure(error) }),
      ...(position !== undefined && { position }),
      ...(windowsLeft !== undefined && { windowsLeft }),
      arrived: this.#done.length,
      files: this.files.length,
    };
  }

  /** Outcome so far. */
  summary(completed: boolean): SummaryEvent {
    const { requests, throttled, waited, elapsed } = this.ledger;
    const count = (how: DoneEvent['how']): number => this.#done.filter((event) => event.how === how).length;
    const bytes = (events: readonly DoneEvent[]): number => events.reduce((sum, event) => sum + event.bytes, 0);
    return {
      type: 'summary',
      build: this.open.build,
      completed,
      files: this.files.length,
      arrived: this.#done.length,
      failed: this.#failed,
      kept: count('kept'),
      duplicates: count('duplicate'),
      bytes: bytes(this.#done),
      sentBytes: bytes(this.#done.filter(({ how }) => how === 'sent')),
      requests,
      throttled,
      waited,
      elapsed,
    };
  }
}
