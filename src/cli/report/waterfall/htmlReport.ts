import { join } from 'node:path';
import type { ReportFile } from '../ReportFile.js';
import type { Report } from '../Report.js';
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
