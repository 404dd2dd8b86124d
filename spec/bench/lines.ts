import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { lastValueFrom, reduce } from 'rxjs';
import { jsonLines } from 'coldfetch';
import { median } from './measure.js';

const MIB = 2 ** 20;
const CHUNK = 65_536;

interface Row {
  readonly n: number;
}

/** Short lines, and those of an export: what JSON.parse takes for a byte differs, what the rest takes too. */
const DOCUMENTS: Readonly<Record<string, (n: number) => object>> = {
  'lines of 70 bytes': (n) => ({ n, name: `größer ${n} 🙂`, tags: ['a', 'b'], at: 1.5 * n }),
  'lines of 1 KB': (n) => ({ n, name: `größer ${n} 🙂`, text: 'lorem ipsum '.repeat(75), tags: ['a', 'b'], at: 1.5 * n }),
};

/**
 * Memory and speed of `jsonLines` over long NDJSON documents (1 GiB together; `LINES_MIB` sets another size), in parts by turns with two other
 * ways: bare `JSON.parse` of lines that are strings already, which is the least there is to do, and Node's readline. Medians of the parts.
 */
export async function lines(mib = Number(process.env.LINES_MIB ?? 1_024), parts = 16): Promise<void> {
  const documents = Object.entries(DOCUMENTS);
  for (const [name, rowOf] of documents) await measure(name, rowOf, mib / documents.length, parts);
}

async function measure(title: string, rowOf: (n: number) => object, mib: number, parts: number): Promise<void> {
  const text = Array.from({ length: 4_096 }, (_, n) => JSON.stringify(rowOf(n))).join('\n');
  const block = new TextEncoder().encode(`${text}\n`);
  const repeats = Math.max(1, Math.round((mib * MIB) / block.length / parts));
  const ready = text.split('\n');
  const ways: Record<string, () => Promise<number>> = {
    jsonLines: () => lastValueFrom(jsonLines<Row>()(streamOf(block, repeats)).pipe(reduce((sum, { n }) => sum + n, 0))),
    'JSON.parse, lines ready': async () => {
      let sum = 0;
      for (let turn = 0; turn < repeats; turn++) for (const line of ready) sum += (JSON.parse(line) as Row).n;
      return sum;
    },
    'readline and JSON.parse': async () => {
      let sum = 0;
      const input = Readable.fromWeb(streamOf(block, repeats) as Parameters<typeof Readable.fromWeb>[0]);
      for await (const line of createInterface({ input })) sum += (JSON.parse(line) as Row).n;
      return sum;
    },
  };
  const speeds: Record<string, number[]> = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  const heaps: number[] = [];
  const expected = repeats * ((4_095 * 4_096) / 2);
  for (let part = 0; part < parts; part++) {
    for (const [name, read] of Object.entries(ways)) {
      const began = performance.now();
      const sum = await read();
      speeds[name]?.push(((block.length * repeats) / MIB / (performance.now() - began)) * 1_000);
      if (sum !== expected) throw new Error(`${name} gave ${sum}, not ${expected}`);
    }
    globalThis.gc?.();
    heaps.push(process.memoryUsage().heapUsed / MIB);
  }
  const total = (block.length * repeats * parts) / MIB;
  console.log(`NDJSON, ${title}, ${Math.round(total)} MiB in ${parts} parts, each way in turn (medians):`);
  const own = median(speeds.jsonLines ?? []);
  for (const [name, all] of Object.entries(speeds)) {
    console.log(
      `  ${name.padEnd(26)} ${median(all).toFixed(0).padStart(5)} MiB/s   jsonLines is x ${(own / median(all)).toFixed(2)} of it`,
    );
  }
  const [first = 0] = heaps;
  const growth = Math.max(...heaps) - first;
  const peak = Math.round(process.resourceUsage().maxRSS / 1_024);
  console.log(`  heap after each part: ${first.toFixed(1)} MiB and at most ${growth.toFixed(1)} more; peak of the process ${peak} MiB`);
}

/** The block so many times over, cut without regard to lines or characters. */
function streamOf(block: Uint8Array, repeats: number): ReadableStream<Uint8Array> {
  let at = 0;
  const end = block.length * repeats;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const from = at % block.length;
      const chunk = block.subarray(from, Math.min(from + CHUNK, block.length));
      at += chunk.length;
      controller.enqueue(chunk.slice());
      if (at >= end) controller.close();
    },
  });
}
