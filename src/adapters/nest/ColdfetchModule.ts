import { ConfigurableModuleBuilder, type Provider } from '@nestjs/common';
import type { ClientOptions } from '../../client/ClientOptions.js';
import { ManagedClient } from './ManagedClient.js';
import { getClientToken, getEventsToken, getLimiterToken } from './tokens.js';

/** Options of a registration that are known before those of the client. */
export interface ColdfetchModuleExtras {
  /** Name of the client among several: `@InjectClient('github')`. */
  readonly name?: string | undefined;
  /** True if all modules see the client without importing this one; `false` by default. */
  readonly isGlobal?: boolean | undefined;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<ClientOptions>()
  .setExtras<ColdfetchModuleExtras>({ name: undefined, isGlobal: false }, (definition, { name, isGlobal = false }) => ({
    ...definition,
    global: isGlobal,
    providers: [...(definition.providers ?? []), ...providersOf(name)],
    exports: [getClientToken(name), getEventsToken(name), getLimiterToken(name)],
  }))
  .build();

/**
 * A module with a client of coldfetch. `register` takes the options of `createClient`, and `name` and `isGlobal`; `registerAsync` takes
 * `name`, `isGlobal`, `imports`, and `useFactory` with `inject`, `useClass` or `useExisting` (a factory with `create()`), which give the rest.
 *
 * Injected are the client (`@InjectClient()`), its events (`@InjectEvents()`), and the limiter that it paces by (`@InjectLimiter()`; undefined
 * with `pace: false`), for requests that another client sends to the same server.
 *
 * When the application shuts down, what is in flight or waits fails with an `AbortError`, after every `onModuleDestroy` and before the server
 * closes; the events complete. Signals end an application only after `app.enableShutdownHooks()`.
 *
 * @example
 * @Module({
 *   imports: [ColdfetchModule.register({ baseUrl: 'https://api.example.com', retry: policies.api })],
 *   providers: [Orders],
 * })
 * export class OrdersModule {}
 *
 * @example
 * ColdfetchModule.registerAsync({
 *   name: 'github',
 *   inject: [ConfigService],
 *   useFactory: (config: ConfigService) => ({ baseUrl: config.getOrThrow<string>('GITHUB_URL') }),
 * });
 */
export class ColdfetchModule extends ConfigurableModuleClass {}

function providersOf(name: string | undefined): Provider[] {
  return [
    { provide: ManagedClient, useFactory: (options: ClientOptions) => new ManagedClient(options), inject: [MODULE_OPTIONS_TOKEN] },
    { provide: getClientToken(name), useFactory: ({ client }: ManagedClient) => client, inject: [ManagedClient] },
    { provide: getEventsToken(name), useFactory: ({ events$ }: ManagedClient) => events$, inject: [ManagedClient] },
    { provide: getLimiterToken(name), useFactory: ({ limiter }: ManagedClient) => limiter, inject: [ManagedClient] },
  ];
}
