import { describe, expect, it } from 'vitest';
import { retryReport } from 'coldfetch';
import { copyReport, fileReport, type RetryReport } from '../../src/retry/retryReport.js';

const report: RetryReport = { attempts: 2, elapsed: 3010, reason: 'exhausted', retries: { throttled: 1 }, waited: 3000 };

describe('retryReport', () => {
  it('files a report under the error and under the answer that it carries', () => {
    const [error, response] = [new Error('lost'), new Response()];
    fileReport(report, error, response);
    expect([retryReport(error), retryReport(response)]).toEqual([report, report]);
  });

  it('knows nothing of other errors, and of primitives, which cannot be told apart', () => {
    fileReport(report, 'lost', undefined, null);
    expect([new Error('other'), 'lost', undefined, null].map(retryReport)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('goes along when an error is replaced', () => {
    const [error, shown] = [new Error('lost'), new Error('shown')];
    fileReport(report, error);
    expect(copyReport(error, shown)).toBe(shown);
    expect(retryReport(shown)).toEqual(report);
    expect(retryReport(copyReport(new Error('unknown'), new Error('new')))).toBeUndefined();
  });
});
