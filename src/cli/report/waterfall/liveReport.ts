import { type Io, writeLine } from '../../Io.js';
import { type Report, SILENT } from '../Report.js';
import { startLiveServer } from './liveServer.js';
import { uploadTracer } from './uploadTracer.js';

/**
 * The waterfall of an upload on a page that follows it, served until it is over. The page's URL is told on the error output.
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
