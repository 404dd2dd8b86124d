import { provideHttpClient, withFetch, withInterceptors } from '@angular/common/http';
import { type ApplicationConfig, provideBrowserGlobalErrorListeners, provideZonelessChangeDetection } from '@angular/core';
import { provideRouter, withComponentInputBinding } from '@angular/router';
import { policies } from 'coldfetch';
import { provideColdfetch, retryAfterInterceptor, withClient, withPolicy } from 'coldfetch/angular';
import { routes } from './app.routes';

export const appConfig: ApplicationConfig = {
  providers: [
    provideBrowserGlobalErrorListeners(),
    provideZonelessChangeDetection(),
    provideRouter(routes, withComponentInputBinding()),
    provideHttpClient(withFetch(), withInterceptors([retryAfterInterceptor()])),
    // Somebody waits, but sees how long, and can stop: so a minute, instead of 15 seconds.
    provideColdfetch(withPolicy({ ...policies.interactive, deadline: 60_000 }), withClient({ baseUrl: '/api' })),
  ],
};
