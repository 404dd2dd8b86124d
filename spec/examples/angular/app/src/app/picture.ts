import { Component, computed, input } from '@angular/core';

const HUES = [200, 28, 340, 165, 222, 48];

/** Drawn stand-in for a photograph: sky, sun and sea by a number. */
@Component({
  selector: 'app-picture',
  template: `
    <svg viewBox="0 0 160 100" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect width="160" height="100" [attr.fill]="colour(78)" />
      <circle [attr.cx]="sun()" [attr.cy]="24 + (seed() % 3) * 9" r="13" [attr.fill]="colour(95)" />
      <path d="M0 62 30 40 58 60 84 46 118 64 160 50V100H0z" [attr.fill]="colour(60)" />
      <path d="M0 68q20-8 40 0t40 0 40 0 40 0v32H0z" [attr.fill]="colour(44)" />
      <path d="M0 82q20-7 40 0t40 0 40 0 40 0v18H0z" [attr.fill]="colour(33)" />
    </svg>
  `,
  styles: `
    :host {
      display: block;
      aspect-ratio: 8 / 5;
    }

    @media (prefers-color-scheme: dark) {
      :host {
        filter: brightness(0.82);
      }
    }

    svg {
      display: block;
      width: 100%;
      height: 100%;
    }
  `,
})
export class Picture {
  readonly seed = input.required<number>();

  protected readonly sun = computed(() => 28 + ((this.seed() * 37) % 104));
  readonly #hue = computed(() => HUES[this.seed() % HUES.length] ?? 0);

  protected colour(lightness: number): string {
    return `hsl(${this.#hue()} 42% ${lightness}%)`;
  }
}
