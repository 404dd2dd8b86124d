import type { RecordedRequest } from './RecordedRequest.js';
import { isVirtualResponse } from './VirtualResponse.js';

/** Sentence about a request that was answered with a Response of the platform, whose body comes too late for virtual time; undefined if none was. */
export function platformAnswer(requests: readonly RecordedRequest[]): string | undefined {
  const slow = requests.find(({ response }) => response !== undefined && !isVirtualResponse(response) && response.body !== null);
  if (!slow) return undefined;
  const named = `${slow.method} ${slow.url} was answered with a Response of the platform`;
  return `${named}, whose body never comes in virtual time: answer with reply(...)`;
}
