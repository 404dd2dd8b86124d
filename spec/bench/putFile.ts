import { openAsBlob } from 'node:fs';
import { lastValueFrom } from 'rxjs';
import { coldFetch } from 'coldfetch';
import { fileBody } from 'coldfetch/node';

const [way, url = '', file = ''] = process.argv.slice(2);
if (way === 'coldFetch') {
  await lastValueFrom(coldFetch(url, { method: 'PUT', body: fileBody(file), selector: (response) => response.text() }));
} else {
  await (await fetch(url, { method: 'PUT', body: await openAsBlob(file) })).text();
}
console.log(Math.round(process.resourceUsage().maxRSS / 1024));
