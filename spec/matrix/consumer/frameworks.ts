/** Angular and NestJS beside coldfetch, as the compilers of users see them. */
import { policies } from 'coldfetch';
import { retryAfterInterceptor } from 'coldfetch/angular';
import { type ClientEvent, ColdfetchModule } from 'coldfetch/nest';
import { provideHttpClient, withInterceptors } from '@angular/common/http';

export const providers = provideHttpClient(withInterceptors([retryAfterInterceptor(policies.interactive)]));
export const module = ColdfetchModule.register({ baseUrl: 'https://api.example.com', name: 'api', retry: policies.api });
export const show = ({ request, event }: ClientEvent): string => `${String(request)}: ${event.type}`;
