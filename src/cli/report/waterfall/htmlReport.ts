import { join } from 'node:path';
import { type Io, writeLine } from '../../Io.js';
import { type Report, SILENT } from '../Report.js';
import type { ReportFile } from '../ReportFile.js';
import { startLiveServer } from './liveServer.js';
import { readThumbnails } from './readThumbnails.js';
import { uploadTracer, type UploadTracer } from './uploadTracer.js';
import { waterfallPage } from './waterfallPage.js';

/**
 * The waterfall of an upload as one page, written when the upload is over, however it ended.
 *
 * @param folder of the files, as an absolute path: the page has images of those that matter most
 */
export function htmlReport(file: ReportFile, folder: string): Report {
  let tracer: UploadTracer = uploadTracer();
  return {
    start: () => {
      tracer = uploadTracer();
    },
    show: (event) => tracer.next(event),
    close: (failure) => {
      tracer.close(failure);
      const trace = tracer.read();
      file.write(waterfallPage(trace, { thumbnails: readThumbnails(trace, (name) => join(folder, name)) }));
      file.close();
    },
  };
}

/**
 * The waterfall of an upload on a page that follows it, served until the upload is over. The page's URL is written to the error output.
 *
 * @param folder of the files, as an absolute path
 */
export async function liveReport(folder: string, { stderr }: Pick<Io, 'stderr'>): Promise<Report> {
  const tracer = uploadTracer();
  const server = await startLiveServer(tracer, folder);
  writeLine(stderr, `live page: ${server.url}`);
  return {
    ...SILENT,
    show: tracer.next,
    close: (failure) => {
      tracer.close(failure);
      server.end();
    },
  };
}
