/**
 * A client as a module of NestJS. Needs `@nestjs/common`, 10 or later.
 *
 * @packageDocumentation
 */
export type { ClientEvent, RequestFailedEvent } from './ClientEvent.js';
export { ColdfetchModule, type ColdfetchModuleExtras } from './ColdfetchModule.js';
export { getClientToken, getEventsToken, getLimiterToken, InjectClient, InjectEvents, InjectLimiter } from './tokens.js';
