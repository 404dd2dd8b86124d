import type { Routes } from '@angular/router';
import { ArchivePage } from './archive-page';
import { UploadPage } from './upload-page';

export const routes: Routes = [
  { path: '', component: ArchivePage, title: 'Archive, Tidewater' },
  { path: 'upload', component: UploadPage, title: 'Upload, Tidewater' },
];
