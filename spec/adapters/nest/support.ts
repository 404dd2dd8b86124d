import 'reflect-metadata';
import type { DynamicModule, INestApplication, NestApplicationOptions, Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { onTestFinished } from 'vitest';

/** A module as NestJS has it, without decorators. */
export function moduleOf(definition: Omit<DynamicModule, 'module'>): DynamicModule {
  return { module: class SpecModule extends Object {}, ...definition };
}

/** A started application of NestJS of these modules and providers; it is closed with the spec. */
export async function application(imports: DynamicModule[], ...providers: Provider[]): Promise<INestApplication> {
  const options = Object.assign(Object.create(null) as NestApplicationOptions, { logger: false, abortOnError: false });
  const app = await NestFactory.create(moduleOf({ imports, providers }), options);
  onTestFinished(() => app.close());
  return app.init();
}
