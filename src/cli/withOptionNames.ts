/** Names of coldfetch's options, with the command's options for the same. */
const WORDS: readonly (readonly [library: RegExp, command: string])[] = [
  [/\bmaxPages\b/g, '--max-pages'],
  [/\bmaxBytes, or read it as a stream/, '--max-bytes'],
  [/\bmaxBytes\b/g, '--max-bytes'],
  [/; send an authorization header/, "; give --header 'authorization: ...'"],
  [/; raise max(LineBytes|EventLength) if .*$/, ''],
  [/; pass crossOrigin: 'allow' to follow it without credentials/, ''],
  [/; ask for (responseType 'text' to see it|another responseType)/, ''],
  [/, or use mode: 'fill'/, ' with --record'],
  [/, longer than maxHint \((.*?)\); raise it to wait that long/, ', longer than this command waits ($1); try again later'],
  [/\bmaxWait\b/g, 'the longest wait'],
  [/not that of the build API; check the URL/, 'not that of the build API; check --api'],
  [/\bin NODE_EXTRA_CA_CERTS\b/g, 'by --ca or in NODE_EXTRA_CA_CERTS'],
  [/^startServer: flaky\.routes/, '--flaky'],
  [/^startServer: cors\.origins/, '--cors'],
  [/^startServer: the folder/, '--folder:'],
  [/^startServer: /, ''],
  [/leave host out to listen/, 'leave out --host to listen'],
  [/^(recorder|fileCache|createClient|uploadBuild|screenshots|linkPages|paginate): /, ''],
];

/** A message of coldfetch about its options, as one about those of the command. */
export function withOptionNames(message: string): string {
  return WORDS.reduce((text, [library, command]) => text.replace(library, command), message);
}
