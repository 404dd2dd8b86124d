import { BehaviorSubject, ignoreElements, type Observable, takeWhile } from 'rxjs';
import type { WaitEvent } from '../../request/HttpEvent.js';
import { randomId } from '../../request/randomId.js';
import { retryReport } from '../../operation/retryReport.js';
import type { Build, DoneEvent, FailedEvent, StopReason, SummaryEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import type { UploadFile, UploadPart, UploadTarget } from '../UploadTarget.js';
import { describeFailure } from './describeFailure.js';
import { Journal } from './Journal.js';
import { remedyFor } from './remedyFor.js';
import { isTooLarge } from './sizeLimit.js';
import { RequestLedger } from './RequestLedger.js';
import { type Outcome, UploadImage } from './UploadImage.js';

const ARRIVED: Outcome = { type: 'arrived' };

/** Options of an upload, complete. */
export interface JobOptions {
  readonly concurrency: number;
  /** Path of the journal. */
  readonly journal: string | undefined;
  readonly maxFailures: number | undefined;
  readonly deadline: number | undefined;
  readonly abort$: Observable<unknown> | undefined;
  readonly allowMissing: boolean;
}

/** State of one subscription of an upload. */
export class UploadJob<Permit> {
  readonly journal: Journal | undefined;
  readonly ledger = new RequestLedger();
  /** Number of all files, once they are known. */
  files = 0;
  /** The build that the files go to; another takes its place when its permits have expired. */
  build: Build = { id: '', url: '' };
  /** The parts that the target was asked for, in their order. */
  readonly parts: UploadPart[] = [];
  readonly #uploadId = randomId();
  /** Number of images that wait to be sent, or are being sent. */
  readonly #unsent$ = new BehaviorSubject(0);
  readonly #images = new Map<string, UploadImage>();
  readonly #counts = { arrived: 0, failed: 0, kept: 0, duplicates: 0, bytes: 0, sentBytes: 0 };

  constructor(
    readonly target: UploadTarget<Permit>,
    readonly options: JobOptions,
  ) {
    this.journal = options.journal === undefined ? undefined : Journal.open(options.journal);
  }

  /** Set when all parts have been completed. */
  isCompleted = false;
  /** Set when the deadline has passed, or `abort$` has emitted. */
  halted: 'deadline' | 'aborted' | undefined;

  /** Reason for which the upload stops before its end, if there is one by now. */
  get stopped(): StopReason | undefined {
    return this.halted ?? (this.#counts.failed >= (this.options.maxFailures ?? Infinity) ? 'max-failures' : undefined);
  }

  /** True if every file arrived, or all others may be missing. Where none arrived, there is nothing to complete. */
  get mayComplete(): boolean {
    const { arrived, failed } = this.#counts;
    if (this.stopped !== undefined) return false;
    return arrived === this.files || (this.options.allowMissing && arrived > 0 && arrived + failed === this.files);
  }

  /** Counts images that wait to be sent from now on, or, by a negative number, that no longer do. */
  countUnsent(change: number): void {
    this.#unsent$.next(this.#unsent$.value + change);
  }

  /** Completes when no more than so many images wait to be sent. */
  whenUnsent(most: number): Observable<never> {
    return this.#unsent$.pipe(
      takeWhile((unsent) => unsent > most),
      ignoreElements(),
    );
  }

  /** True if a file is among those that arrived. */
  hasArrived(file: UploadFile): boolean {
    return this.#images.get(this.addressOf(file))?.outcome?.type === 'arrived';
  }

  /** Address of a file at the target. */
  readonly addressOf = ({ key, name }: UploadFile): string => (this.target.addressing === 'content' ? key : name);

  /** Adds a part. */
  add(part: Omit<UploadPart, 'uploadId' | 'resumable' | 'earlierBuild'>): UploadPart {
    const { journal } = this;
    const uploadId = journal?.uploadId ?? this.#uploadId;
    const added = { ...part, uploadId, resumable: journal !== undefined, earlierBuild: journal?.build };
    this.parts.push(added);
    return added;
  }

  /** Adds a file: as a new image, or to the image with its bytes. */
  enter(file: UploadFile): { readonly image: UploadImage; readonly isNew: boolean } {
    const address = this.addressOf(file);
    const known = this.#images.get(address);
    if (known) return { image: known, isNew: false };
    const image = new UploadImage(address, file);
    this.#images.set(address, image);
    return { image, isNew: true };
  }

  /** Notes that an image arrived, under all of its names. */
  arrived(image: UploadImage, how: 'sent' | 'kept', attempts: number, status?: number): DoneEvent[] {
    image.outcome = ARRIVED;
    this.journal?.arrived(image.address);
    return image.files.map((file, index) => (index === 0 ? this.#done(file, how, attempts, status) : this.#done(file, 'duplicate', 0)));
  }

  /** Notes that an image failed, under all of its names, one by one. */
  *failed(image: UploadImage, error: unknown): Generator<FailedEvent, void, undefined> {
    image.outcome = { type: 'failed', error };
    for (const file of image.files) yield this.#failure(file, error);
  }

  /** Adds a name to an existing image; gives its outcome where there is one. */
  addDuplicate(image: UploadImage, file: UploadFile): (DoneEvent | FailedEvent)[] {
    const { outcome } = image;
    image.addDuplicate(file);
    if (outcome === undefined) return [];
    return outcome.type === 'arrived' ? [this.#done(file, 'duplicate', 0)] : [this.#failure(file, outcome.error)];
  }

  #done({ name, key, stamp: { bytes } }: UploadFile, how: DoneEvent['how'], attempts: number, status?: number): DoneEvent {
    const counts = this.#counts;
    counts.arrived++;
    counts.bytes += bytes;
    if (how === 'sent') counts.sentBytes += bytes;
    if (how === 'kept') counts.kept++;
    if (how === 'duplicate') counts.duplicates++;
    const answer = status === undefined ? {} : { status };
    return { type: 'done', path: name, bytes, key, how, attempts, ...answer, arrived: counts.arrived, files: this.files };
  }

  #failure({ name, stamp: { bytes } }: UploadFile, error: unknown): FailedEvent {
    this.#counts.failed++;
    const attempts = retryReport(error)?.attempts ?? 1;
    const size = isTooLarge(error) ? `; the file has ${bytes.toLocaleString('en')} bytes` : '';
    return { type: 'failed', path: name, bytes, reason: `${describeFailure(error)}${size}`, remedy: remedyFor(error), error, attempts };
  }

  /** A wait of the pipeline as a wait of the upload. */
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
      ...(error !== undefined && { error }),
      ...(position !== undefined && { position }),
      ...(windowsLeft !== undefined && { windowsLeft }),
      arrived: this.#counts.arrived,
      files: this.files,
    };
  }

  /** Outcome so far. */
  summary(): SummaryEvent {
    const { requests, throttled, waited, elapsed } = this.ledger;
    const { build, files, isCompleted: completed, stopped } = this;
    return {
      type: 'summary',
      build,
      completed,
      ...(stopped !== undefined && { stopped }),
      files,
      ...this.#counts,
      requests,
      throttled,
      waited,
      elapsed,
    };
  }
}
