import { Pipe, type PipeTransform } from '@angular/core';

const UNITS = ['B', 'kB', 'MB', 'GB'];

/** Bytes as people read them: `1,234,567` is `1.2 MB`. */
@Pipe({ name: 'bytes' })
export class BytesPipe implements PipeTransform {
  transform(bytes: number): string {
    const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
    const value = bytes / 1000 ** power;
    return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${UNITS[power] ?? ''}`;
  }
}
