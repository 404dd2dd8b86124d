import { Component } from '@angular/core';
import { PhotoList } from './photo-list';
import { ReportCard } from './report-card';

@Component({
  selector: 'app-archive-page',
  imports: [PhotoList, ReportCard],
  template: `
    <app-photo-list />
    <app-report-card />
  `,
  styles: `
    :host {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 1.5rem;
      align-items: start;
    }

    @media (min-width: 60rem) {
      :host {
        grid-template-columns: minmax(0, 1fr) 18rem;
      }
    }
  `,
})
export class ArchivePage {}
