import type { Page } from 'playwright-core';

/** Chooses files of given names and sizes, in bytes, in the form of the example's page `/upload`. */
export async function chooseFiles(page: Page, sizes: Readonly<Record<string, number>>): Promise<void> {
  const files = Object.entries(sizes).map(([name, size]) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.alloc(size) }));
  await page.getByLabel('Photographs').setInputFiles(files);
}
