import { inject, InjectionToken } from '@angular/core';
import { policies } from 'coldfetch';
import { COLDFETCH } from 'coldfetch/angular';
import { xhr } from 'coldfetch/xhr';

/** The client for uploads: XMLHttpRequest, which tells of the bytes that leave, and the patience of work that has to arrive. */
export const UPLOADS = new InjectionToken('client for uploads', {
  providedIn: 'root',
  factory: () => inject(COLDFETCH).extend({ transport: xhr(), retry: policies.patient }),
});
