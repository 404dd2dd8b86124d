import { describe, expect, it } from 'vitest';
import { retryReport } from 'coldfetch';
import { attachReport, copyReport, countSend, reportSince, type RetryReport } from '../../src/operation/retryReport.js';

const report: RetryReport = { attempts: 2, elapsed: 3010, reason: 'exhausted', retries: { throttled: 1 }, waited: 3000 };

describe('retryReport', () => {
  it('is found by the error and by the answer that it carries', () => {
    const [error, response] = [new Error('lost'), new Response()];
    attachReport(report, error, response);
    expect([retryReport(error), retryReport(response)]).toEqual([report, report]);
  });

  it('knows nothing of other errors, and of primitives, which cannot be told apart', () => {
    attachReport(report, 'lost', undefined, null);
    expect([new Error('other'), 'lost', undefined, null].map(retryReport)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('goes along when an error is replaced', () => {
    const [error, shown] = [new Error('lost'), new Error('shown')];
    attachReport(report, error);
    expect(copyReport(error, shown)).toBe(shown);
    expect(retryReport(shown)).toEqual(report);
    expect(retryReport(copyReport(new Error('unknown'), new Error('new')))).toBeUndefined();
  });

  it('is the last one that was attached', () => {
    const error = new Error('lost');
    attachReport({ ...report, reason: 'deadline' }, error);
    attachReport(report, error);
    expect(retryReport(error)).toEqual(report);
  });
});

describe('reportSince', () => {
  it('is what an operation inside of the attempt has attached to its error', () => {
    const error = new Error('lost');
    const outer = countSend();
    countSend();
    attachReport(report, error);
    expect(reportSince(outer, error)).toEqual(report);
  });

  it('is nothing where the report was there before the attempt was sent', () => {
    const error = new Error('the same object again');
    countSend();
    attachReport(report, error);
    expect(reportSince(countSend(), error)).toBeUndefined();
    expect(retryReport(error)).toEqual(report);
  });

  it('is nothing where no request was sent in between: the attempt itself is none of an inner operation', () => {
    const error = new Error('lost');
    const attempt = countSend();
    attachReport(report, error);
    expect(reportSince(attempt, error)).toBeUndefined();
  });

  it('knows nothing of other errors and of primitives', () => {
    const send = countSend();
    attachReport(report, 'lost');
    const circle: { cause?: unknown } = {};
    circle.cause = circle;
    const others = [circle, new Error('other'), 'lost', undefined, null];
    expect(others.map((error) => reportSince(send, error))).toEqual(Array(5).fill(undefined));
  });

  it('keeps its place in the order of sends when an error is replaced', () => {
    const [error, shown] = [new Error('lost'), new Error('shown')];
    const outer = countSend();
    countSend();
    attachReport(report, error);
    const later = countSend();
    countSend();
    copyReport(error, shown);
    expect([reportSince(outer, shown), reportSince(later, shown)]).toEqual([report, undefined]);
  });
});
