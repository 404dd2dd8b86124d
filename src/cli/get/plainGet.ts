import { printableJson, printableLines } from '../../request/printable.js';
import type { Output } from '../Io.js';
import { httpWaits } from '../report/httpWaits.js';
import type { GetReport } from './GetReport.js';
import type { BackpressuredWriter } from './BackpressuredWriter.js';

/**
 * Data and nothing else to the writer; the waits, in words, to the error output. A file or a pipe gets the data byte for byte, a terminal as
 * text in which the server's control characters are escaped.
 */
export function plainGet(writer: BackpressuredWriter, stderr: Output): GetReport {
  const text = writer.isTerminal ? printableLines : String;
  const json = writer.isTerminal ? printableJson : String;
  const wait = httpWaits(stderr);
  return {
    show: (event) => {
      if (event.type === 'wait') wait(event);
    },
    answer: ({ body }) => {
      if (body) writer.write(writer.isTerminal ? printableLines(new TextDecoder().decode(body)) : body);
    },
    item: (item) => writer.write(`${json(item)}\n`),
    message: ({ data }) => writer.write(`${text(data)}\n`),
  };
}
