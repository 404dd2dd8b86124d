/** Parts of the library, each with the files that belong to it: the first that matches a file has it. */
const PARTS: readonly (readonly [name: string, files: RegExp])[] = [
  ['structured-headers: the grammar of `RateLimit` fields', /structured-headers/],
  ['other packages', /^node_modules/],
  ['HTTP cache', /^read\/cache/],
  ['streams and pages', /^read\//],
  ['pacing: windows, gates, queues and other limiters', /^pace\/(?!queue\/check)/],
  ['checks of options and policies, with what to give instead', /check\w*\.|resolvePolicy|growth|require\w+\./],
  [
    'errors, and the words for what failed',
    /^request\/(errors|networkError|engineErrors|printable|RequestSummary|withoutSecrets|duration)|(fetch|page)Failure/,
  ],
  ['refusing what cannot be sent', /headerProblem|bodyProblem|opaqueKind|jsonProblem|toHeaders/],
  [
    'bodies on their way out: forms, streams, counting',
    /outgoingBody|makeBody|meterUpload|platformBody|multipart|bodyShapes|jsonBody|RequestBody|readAhead/,
  ],
  [
    'bodies on their way in: reading, guarding, keeping',
    /^transport\/.*(Bod|readA|copyResponse|responseOf|joinBytes|guarded)|^client\/(shape|error)Body/,
  ],
  ['sending: an attempt, its events, abort, timeout', /^transport\//],
  ['retrying: operation, rules, delays, events, reports', /^operation|^retry\/(?!policies)/],
  ['the six policies', /^retry\/policies/],
  ['header fields: Retry-After, dates, rate limits', /^headers/],
  ['clocks and timers, virtual and fake ones too', /^time/],
  ['the client: options, URLs, interceptors, idempotency', /^(client|core|request)\//],
  ['adapter of Angular', /^adapters\/angular/],
];

/** The part of the library that a file of a bundle belongs to. */
export function partOf(file: string): string {
  return PARTS.find(([, files]) => files.test(file))?.[0] ?? file;
}
