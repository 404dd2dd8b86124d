import { Component, inject, signal } from '@angular/core';
import { FormControl, FormGroup, ReactiveFormsModule, Validators } from '@angular/forms';
import { UploadQueue } from './upload-queue';
import { UploadRow } from './upload-row';

@Component({
  selector: 'app-upload-page',
  imports: [ReactiveFormsModule, UploadRow],
  providers: [UploadQueue],
  template: `
    <h1>Upload</h1>
    <form [formGroup]="form" (ngSubmit)="send(); picker.value = ''">
      <label>
        Album
        <input type="text" formControlName="album" autocomplete="off" />
      </label>
      <label class="files">
        Photographs
        <input #picker type="file" accept="image/*" multiple (change)="choose(picker.files)" />
      </label>
      <button type="submit" class="primary" [disabled]="form.invalid || files().length === 0">
        Upload {{ files().length === 0 ? '' : files().length }} {{ files().length === 1 ? 'file' : 'files' }}
      </button>
    </form>
    @if (queue.uploads().length > 0) {
      <section aria-labelledby="uploads">
        <header>
          <h2 id="uploads">Files</h2>
          <p class="muted" role="status">{{ queue.open() === 0 ? 'Nothing left to send' : queue.open() + ' left to send' }}</p>
          <button type="button" [disabled]="queue.open() === 0" (click)="queue.cancelAll()">Cancel all</button>
        </header>
        <ul>
          @for (upload of queue.uploads(); track upload) {
            <li><app-upload-row [upload]="upload" (again)="queue.again(upload, form.controls.album.value)" /></li>
          }
        </ul>
      </section>
    }
  `,
  styleUrl: './upload-page.css',
})
export class UploadPage {
  protected readonly queue = inject(UploadQueue);
  protected readonly files = signal<readonly File[]>([]);
  protected readonly form = new FormGroup({
    album: new FormControl('Harbour', { nonNullable: true, validators: [Validators.required] }),
  });

  protected choose(files: FileList | null): void {
    this.files.set([...(files ?? [])]);
  }

  protected send(): void {
    this.queue.add(this.files(), this.form.controls.album.value);
    this.files.set([]);
  }
}
