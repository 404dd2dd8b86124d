/**
 * coldfetch/testing: specs in virtual time, a scripted server that plays in it, and failures drawn as diagrams.
 *
 * @packageDocumentation
 */
export { ExpectationError } from './ExpectationError.js';
export { type FrameworkExpect, registerMatchers } from './frameworkExpect.js';
export type { MarbleContext } from './MarbleContext.js';
export type { LogMatchers, MarbleExpectation, MarbleMatchers, RequestExpectation, RequestMatchers } from './MarbleExpectation.js';
export { type MarbleOptions, marbles } from './marbles.js';
export { matchers } from './matchers.js';
export type { RecordedRequest, RequestLog } from './scripted/RecordedRequest.js';
export { type Chunk, type Reply, reply, type ReplyInit } from './scripted/reply.js';
export type { RequestFields, RequestValues } from './scripted/requestFields.js';
export type { ScriptedReply, ReplyValues, Script } from './scripted/script.js';
export { type ScriptedFetch, scriptedFetch } from './scripted/scriptedFetch.js';
export { type ScriptedServer, scriptedServer } from './scripted/scriptedServer.js';
