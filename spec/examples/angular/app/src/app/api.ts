export interface Account {
  readonly name: string;
  /** Bytes. */
  readonly used: number;
  /** Bytes. */
  readonly quota: number;
}

export interface Photo {
  readonly id: number;
  readonly title: string;
  readonly year: number;
}

export interface PhotoPage {
  readonly photos: readonly Photo[];
  readonly page: number;
  readonly pages: number;
}

export interface Report {
  readonly photos: number;
  readonly visitors: number;
  readonly busiest: string;
}
