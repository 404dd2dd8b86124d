import { Component, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { RouterLink, RouterLinkActive, RouterOutlet } from '@angular/router';
import { catchError, of } from 'rxjs';
import { COLDFETCH, WAITING_REQUESTS } from 'coldfetch/angular';
import type { Account } from './api';
import { BytesPipe } from './bytes.pipe';
import { injectOnline } from './inject-online';

@Component({
  selector: 'app-root',
  imports: [BytesPipe, RouterLink, RouterLinkActive, RouterOutlet],
  template: `
    <a class="skip" href="#content" (click)="content.focus(); $event.preventDefault()">Skip to content</a>
    <header class="top">
      <a class="brand" routerLink="/">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M4 21c4 0 4-3 8-3s4 3 8 3 4-3 8-3v8H4z" />
          <path d="M6 15a10 10 0 0 1 20 0" fill="none" stroke-width="3" stroke-linecap="round" />
        </svg>
        Tidewater
      </a>
      <nav aria-label="Main">
        <a routerLink="/" routerLinkActive="current" ariaCurrentWhenActive="page" [routerLinkActiveOptions]="{ exact: true }">Archive</a>
        <a routerLink="/upload" routerLinkActive="current" ariaCurrentWhenActive="page">Upload</a>
      </nav>
      @if (account(); as account) {
        <p class="account">
          <span>{{ account.name }}</span>
          <span class="muted">{{ account.used | bytes }} of {{ account.quota | bytes }}</span>
        </p>
      }
    </header>
    <div class="status" role="status">
      @if (!online()) {
        <p class="offline">You are offline. Nothing is lost: requests go on when you are back.</p>
      } @else if (waiting().length > 1) {
        <p>{{ waiting().length }} requests wait for the server.</p>
      }
    </div>
    <main id="content" tabindex="-1" #content><router-outlet /></main>
  `,
  styleUrl: './app.css',
})
export class App {
  protected readonly online = injectOnline();
  protected readonly waiting = inject(WAITING_REQUESTS);
  protected readonly account = toSignal(
    inject(COLDFETCH)
      .get<Account>('account')
      .pipe(catchError(() => of(undefined))),
  );
}
