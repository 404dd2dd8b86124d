const angular = (version: string): string[] =>
  ['common', 'compiler', 'core', 'platform-browser'].map((name) => `@angular/${name}@${version}`);
const nest = (version: string, axios: string): string[] => [
  ...['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@${version}`),
  `@nestjs/axios@${axios}`,
  'axios@^1.3.1',
  'reflect-metadata@^0.2.0',
];

/** Packages that projects have of their own, beside which coldfetch is installed. */
export const BESIDE = {
  'rxjs 7.8.0': ['rxjs@7.8.0'],
  'Angular 16': [...angular('^16.0.0'), 'rxjs@^7.8.0'],
  'Angular 19': [...angular('^19.0.0'), 'rxjs@^7.8.0'],
  'Angular 20': [...angular('^20.0.0'), 'rxjs@^7.8.0'],
  'Angular 21': [...angular('^21.0.0'), 'rxjs@^7.8.0'],
  'Angular 22': [...angular('^22.0.0'), 'rxjs@^7.8.0'],
  'NestJS 10': [...nest('^10.0.0', '^3.0.0'), 'rxjs@^7.8.0'],
  'NestJS 11': [...nest('^11.0.0', '^4.0.0'), 'rxjs@^7.8.0'],
  'NestJS 12': [...nest('^12.0.0', '^12.0.0'), 'rxjs@^7.8.0'],
  'Express 4': ['express@^4.0.0', 'rxjs@^7.8.0'],
  'express-rate-limit 6': ['express-rate-limit@^6.0.0', 'rxjs@^7.8.0'],
  'express-rate-limit 7': ['express-rate-limit@^7.0.0', 'rxjs@^7.8.0'],
  'multer 1': ['multer@^1.4.4', 'rxjs@^7.8.0'],
  'redis 3': ['redis@^3.0.0', 'rxjs@^7.8.0'],
  'redis 4': ['redis@^4.0.0', 'rxjs@^7.8.0'],
  'redis 5': ['redis@^5.0.0', 'rxjs@^7.8.0'],
  'ioredis 4': ['ioredis@^4.0.0', 'rxjs@^7.8.0'],
  'ioredis 5': ['ioredis@^5.0.0', 'rxjs@^7.8.0'],
  'undici 5': ['undici@^5.0.0', 'rxjs@^7.8.0'],
  'undici 6': ['undici@^6.0.0', 'rxjs@^7.8.0'],
  'undici 8': ['undici@^8.0.0', 'rxjs@^7.8.0'],
} satisfies Record<string, string[]>;

/** Oldest version of each package with which its subpath works. */
export const OLDEST: readonly string[] = [
  'rxjs@7.8.0',
  '@opentelemetry/api@1.0.0',
  'express@4.17.1',
  'express-rate-limit@7.5.0',
  'multer@1.4.4',
  'redis@4.0.0',
  'ioredis@4.28.5',
  'undici@6.14.0',
];
